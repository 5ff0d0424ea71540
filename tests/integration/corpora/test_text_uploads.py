"""Sources and references through the API: what goes in, and what each fault of a file says."""

from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from corpora.models import Direction, Reference, ReferenceSet, Sentence

Post = Callable[..., tuple[int, str]]
COLUMNS = {"source": "1", "text": "2"}


def upload(content: bytes, name: str = "texts.txt") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


@pytest.fixture
def post(browser: Client, direction: Direction) -> Post:
    """Post to an endpoint of the direction; the status and what it says of a fault."""

    def send(route: str, **form: object) -> tuple[int, str]:
        answer = browser.post(reverse(route, args=["tone"]), {"direction": direction.name, **form})
        said = answer.json()
        return answer.status_code, str(said.get("detail", said))

    return send


def sources() -> list[str]:
    return list(Sentence.objects.order_by("number").values_list("text", flat=True))


def test_sources_with_a_byte_order_mark_and_crlf(post: Post) -> None:
    status, _ = post("api:sentence-list", file=upload("\ufeffé\r\nzwei\r\n".encode()), split="train", domain="music")
    assert status == 201
    assert sources() == ["hi", "u ok?", "bye", "é", "zwei"]
    assert list(Sentence.objects.filter(split="train").values_list("domain", flat=True)) == ["music", "music"]


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"file": upload(b"")}, "the file is empty; one text per line was expected."),
        ({"file": upload(b"a\n\n\n\n\n\n\nb\n")}, "the text is empty on line 2, 3, 4, 5, 6 and 1 more."),
        ({"file": upload(b"a\nb\0c\n")}, "a text cannot hold a NUL byte; the first is at position 3, on line 2."),
        ({"file": upload(b"caf\xe9\n")}, "byte 0xe9 at position 3 (line 1) is not UTF-8; declare its encoding"),
        ({"file": upload(b"a"), "encoding": "latin1x"}, "there is no encoding 'latin1x'"),
        ({"file": upload(b"\x89PNG\r\n\x1a\n\0\0")}, ""),
    ],
)  # fmt: skip
def test_a_fault_of_a_source_file_is_said_and_nothing_is_stored(post: Post, form: dict, said: str) -> None:
    status, errors = post("api:sentence-list", split="test", **form)
    assert status == 400
    assert errors.startswith(f"texts.txt: {said}")
    assert sources() == ["hi", "u ok?", "bye"]


def test_a_declared_encoding_is_read(post: Post) -> None:
    assert post("api:sentence-list", split="test", file=upload(b"caf\xe9\n"), encoding="latin-1")[0] == 201
    assert sources()[-1] == "café"


def test_references_line_by_line_and_joined(post: Post) -> None:
    assert post("api:reference-list", file=upload(b"Hello.\nAre you well?\nGoodbye.\n"))[0] == 201
    table = upload(b'{"s": "bye", "t": "Farewell."}\n{"s": "hi", "t": "Good day."}\n', "more.jsonl")
    assert post("api:reference-list", file=table, source="s", text="t", missing="true")[0] == 201
    rows = Reference.objects.order_by("set__number", "sentence__number").values_list("set__number", "text")
    assert list(rows) == [
        (0, "Hello."), (0, "Are you well?"), (0, "Goodbye."), (1, "Good day."), (1, "Farewell."),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "form", "said"),
    [
        (b"a\nb\n", {}, "texts.txt: the file has 2 lines for 3 sources; sources without a line: 3."),
        (b"a\nb\nc\nd\n", {}, "texts.txt: the file has 4 lines for 3 sources; lines without a source: 4."),
        (b"a\n\nc\n", {}, "texts.txt: the text is empty on line 2."),
        (b"hi\tA\nhello\tB\n", COLUMNS, "texts.txt: the source is not among the 3 sources on line 2."),
        (b"hi\tA\nhi\tB\n", COLUMNS, "texts.txt: a source has another text than on an earlier line, on line 2"),
        (b"hi\tA\nbye\t \nu ok?\tC\n", COLUMNS, "texts.txt: the text is empty on line 2."),
        (b"hi\tA\nbye\tB\n", COLUMNS, "texts.txt: there is no row for source 2."),
        (b"hi\tA\n", {"source": "1"}, "source: A table needs both columns"),
        (b"hi\tA\n", {"source": "0", "text": "2"}, "source: Columns count from 1."),
        (b"hi\tA\n", {"source": "src", "text": "2"}, "texts.txt, line 1: the header has no column 'src'"),
        (b"hi\tA\n", {"format": "tsv"}, "source: A table needs the columns"),
    ],
)  # fmt: skip
def test_a_fault_of_a_reference_file_is_said_and_nothing_is_stored(
    post: Post, content: bytes, form: dict, said: str
) -> None:
    status, errors = post("api:reference-list", file=upload(content), **form)
    assert status == 400
    assert errors.startswith(said)
    assert not ReferenceSet.objects.exists()


def test_references_are_removed(browser: Client, post: Post) -> None:
    post("api:reference-list", file=upload(b"a\nb\nc\n"))
    browser.post(reverse("references_remove", args=["tone", ReferenceSet.objects.get().pk]))
    assert not Reference.objects.exists()


def test_the_page_shows_texts_with_their_references(browser: Client, post: Post) -> None:
    post("api:reference-list", file=upload("a\nمرحبا\nc\n".encode()))
    page = browser.get(reverse("study_texts", args=["tone"])).content.decode()
    assert 'dir="auto" lang="">u ok?</span>' in page
    assert '<dd class="text" dir="auto" lang="">مرحبا</dd>' in page
