import base64
import hashlib

from foundation.downloads import as_file


def test_a_browser_is_told_the_name_alone():
    assert as_file("a.csv") == {"Content-Disposition": 'attachment; filename="a.csv"'}


def test_the_receiver_can_tell_whether_it_came_whole():
    whole = b"the whole"
    headers = as_file("a.zip", len(whole), hashlib.sha256(whole).hexdigest())
    kind, _, digest = headers["Repr-Digest"].partition("=")
    assert kind == "sha-256"
    assert base64.b64decode(digest.strip(":")) == hashlib.sha256(whole).digest()
    assert headers["Content-Length"] == "9"
    assert headers["ETag"].strip('"') == hashlib.sha256(whole).hexdigest()
