"""A file that is too large: refused in words, without filling memory or disk."""

import http.client
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts.actions.make_token import make_token
from accounts.models import Person
from corpora.actions.add_direction import add_direction
from corpora.actions.add_sources import add_sources
from corpora.actions.create_study import create_study
from corpora.models import ReferenceSet, Sentence, Study

MEGABYTE = 1024 * 1024
BOUNDARY = "----a-boundary"


def test_the_form_says_it_at_the_field(browser: Client, study: Study, settings: Any) -> None:
    settings.UPLOAD_LIMIT_BYTES = 2 * MEGABYTE
    large = SimpleUploadedFile("large.txt", b"a line\n" * 400_000)
    answer = browser.post(reverse("table_new", args=["tone"]), {"file": large, "target": "texts"})
    assert answer.status_code == 422
    assert dict(answer.context["form"].errors) == {
        "file": ["large.txt: the file is too large; an upload may have at most 2 MB in all."]
    }
    assert Sentence.objects.count() == 3


def test_several_files_count_together(browser: Client, study: Study, settings: Any) -> None:
    settings.UPLOAD_LIMIT_BYTES = 2 * MEGABYTE
    files = [SimpleUploadedFile(f"{name}.txt", b"a line\n" * 200_000) for name in "ab"]
    declared = SimpleUploadedFile("study.toml", b"[study]\n")
    answer = browser.post(reverse("study_apply"), {"study": declared, "files": files})
    assert dict(answer.context["form"].errors) == {
        "files": ["b.txt: the file is too large; an upload may have at most 2 MB in all."]
    }


def body(size: int) -> Iterator[bytes]:
    """A multipart body with a file of `size` megabytes, a piece at a time."""
    yield f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="direction"\r\n\r\ninformal-formal\r\n'.encode()
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="huge.txt"'
    yield f"{head}\r\nContent-Type: text/plain\r\n\r\n".encode()
    for _ in range(size):
        yield b"fifteen letters\n" * (MEGABYTE // 16)
    yield f"\r\n--{BOUNDARY}--\r\n".encode()


@pytest.fixture
def token(transactional_db: None) -> str:
    lead = Person.objects.create_user("lead@example.org", "a long enough password", role="researcher")
    study = create_study(slug="tone", title="Tone", styles=["informal", "formal"], by=lead)
    direction = add_direction(study=study, source_style="informal", target_style="formal")
    add_sources(direction=direction, texts=["hi"])
    return make_token(person=lead, name="test", scopes=["read", "write"], days=1)[1]


def test_twice_what_is_allowed_is_refused_while_memory_stays_small(web_server: Any, token: str) -> None:
    pids = web_server.pids("web")
    before = {pid: psutil.Process(pid).memory_info().rss for pid in pids}
    length = sum(map(len, body(0))) + 100 * MEGABYTE
    connection = http.client.HTTPConnection(urlsplit(web_server.url).netloc, timeout=60)
    headers = {"Authorization": f"Token {token}", "Content-Length": str(length),
               "Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}  # fmt: skip
    peak = 0
    connection.putrequest("POST", reverse("api:reference-list", args=["tone"]))
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    for number, piece in enumerate(body(100)):
        connection.send(piece)
        if number % 10 == 0:
            peak = max(peak, *(psutil.Process(pid).memory_info().rss - before[pid] for pid in pids))
    answer = connection.getresponse()
    said = answer.read().decode()
    assert answer.status == 400, said
    assert "huge.txt: the file is too large; an upload may have at most 50 MB in all." in said
    assert peak < 60 * MEGABYTE
    assert not ReferenceSet.objects.exists()
