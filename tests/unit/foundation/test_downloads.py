import base64
import hashlib

from foundation.downloads import as_attachment


def test_a_browser_is_told_the_name_alone():
    assert as_attachment("a.csv") == {"Content-Disposition": 'attachment; filename="a.csv"'}


def test_the_receiver_can_tell_whether_it_came_whole():
    whole = b"the whole"
    headers = as_attachment("a.zip", len(whole), hashlib.sha256(whole).hexdigest())
    kind, _, digest = headers["Repr-Digest"].partition("=")
    assert kind == "sha-256"
    assert base64.b64decode(digest.strip(":")) == hashlib.sha256(whole).digest()
    assert headers["Content-Length"] == "9"
    assert headers["ETag"].strip('"') == hashlib.sha256(whole).hexdigest()
