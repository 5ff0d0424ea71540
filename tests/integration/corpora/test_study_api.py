"""The endpoints of studies, texts and systems, with a token."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from corpora.actions.add_sources import add_sources
from corpora.models import Direction, Output, Study, System


def upload(content: bytes, name: str = "out.txt") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def url(name: str, *args: Any) -> str:
    return reverse(f"api:{name}", args=args)


def send(api: Client, method: str, address: str, **body: Any) -> Any:
    return getattr(api, method)(address, json.dumps(body), content_type="application/json")


def test_a_study_is_made_changed_and_listed(api: Client, researcher: Any) -> None:
    made = send(api, "post", url("study-list"), slug="rude", title="Rude", styles=["rude", "polite"])
    assert made.status_code == 201
    assert (made.json()["slug"], made.json()["role"]) == ("rude", "researcher")
    changed = send(api, "patch", url("study-detail", "rude"), title="Ruder", styles=["rude", "polite", "kind"])
    assert (changed.json()["title"], changed.json()["styles"]) == ("Ruder", ["rude", "polite", "kind"])
    assert [one["slug"] for one in api.get(url("study-list")).json()["results"]] == ["rude"]
    assert Study.objects.get().title == "Ruder"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"slug": "tone", "title": "T", "styles": ["a", "b"]}, "slug: There is a study 'tone' already"),
        ({"slug": "t", "title": "T", "styles": ["a", "a"]}, "styles: A study needs two different styles"),
        ({"slug": "t", "title": "T"}, "styles: This field is required."),
    ],
)
def test_a_fault_is_one_sentence(api: Client, study: Study, body: dict[str, Any], said: str) -> None:
    answer = send(api, "post", url("study-list"), **body)
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith(said)


def test_directions(api: Client, study: Study) -> None:
    made = send(api, "post", url("direction-list", "tone"), source_style="formal", target_style="informal")
    assert made.status_code == 201
    listed = api.get(url("direction-list", "tone")).json()
    assert [(one["name"], one["sentences"]) for one in listed] == [("informal-formal", 3), ("formal-informal", 0)]


def test_sentences_come_with_references_and_outputs(api: Client, study: Study) -> None:
    references = {"direction": "informal-formal", "file": upload(b"Hello.\nOK?\nGoodbye.\n", "ref0")}
    assert api.post(url("reference-list", "tone"), references).json()["references"] == 3
    table = upload(b"hi\tHi.\nbye\tBye.\n", "out.tsv")
    system = {"name": "Rules", "direction": "informal-formal", "file": table, "source": 1, "text": 2, "missing": "true"}
    made = api.post(url("system-list", "tone"), system)
    assert made.status_code == 201
    assert (made.json()["outputs"], made.json()["missing"]) == (2, 1)
    page = api.get(url("sentence-list", "tone"), {"page_size": 2, "direction": "informal-formal"}).json()
    assert page["count"] == 3
    assert [(one["text"], one["references"], one["outputs"]) for one in page["results"]] == [
        ("hi", ["Hello."], {"Rules": "Hi."}), ("u ok?", ["OK?"], {}),
    ]  # fmt: skip
    outputs = api.get(url("output-list", "tone", made.json()["id"])).json()
    assert [(one["number"], one["source"], one["text"]) for one in outputs["results"]] == [
        (1, "hi", "Hi."), (3, "bye", "Bye."),
    ]  # fmt: skip


@pytest.mark.parametrize("options", ['{"a": NaN}', '{"a": "\\u0000"}', '{"a": [1]}', '{"a": true}', "[]", "{"])
def test_options_that_cannot_be_stored_are_refused(api: Client, study: Study, options: str) -> None:
    """What PostgreSQL cannot keep in JSON was an error of the server."""
    form = {"name": "R", "direction": "informal-formal", "file": upload(b"a\nb\nc\n"), "options": options}
    answer = api.post(url("system-list", "tone"), form)
    assert answer.status_code == 400
    assert "options" in answer.json()["detail"]
    assert not System.objects.exists()


def test_a_system_of_two_directions(api: Client, study: Study) -> None:
    back = Direction.objects.create(study=study, number=2, source_style="formal", target_style="informal")
    add_sources(direction=back, texts=["Farewell."])
    form = {"name": "Both", "direction": ["formal-informal", "informal-formal"],
            "file": [upload(b"bye\n"), upload(b"Hi.\nOK?\nBye.\n")]}  # fmt: skip
    assert api.post(url("system-list", "tone"), form).status_code == 201
    rows = Output.objects.order_by("sentence__direction__number", "sentence__number").values_list("text", flat=True)
    assert list(rows) == ["Hi.", "OK?", "Bye.", "bye"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"file": upload(b"a\nb\n")}, "out.txt: the file has 2 lines for 3 sources; sources without a line: 3."),
        ({"direction": "formal-rude"}, "direction: There is no direction 'formal-rude'; there are informal-formal."),
        ({"direction": ["informal-formal"] * 2}, "file: There are 2 directions and 1 files; give one for the other."),
        ({"format": "xls", "source": 1, "text": 2}, "there is no format 'xls'"),
        ({"file": upload(b"a\xff\nb\nc\n")}, "out.txt: byte 0xff at position 1 (line 1) is not UTF-8;"),
        ({"file": "not a file"}, "file.0: The submitted data was not a file."),
        ({"name": ""}, "name: This field may not be blank."),
    ],
)
def test_a_fault_of_an_upload_is_one_sentence_and_nothing_is_stored(
    api: Client, study: Study, changes: dict[str, Any], said: str
) -> None:
    form = {"name": "Rules", "direction": "informal-formal", "file": upload(b"a\nb\nc\n"), **changes}
    answer = api.post(url("system-list", "tone"), form)
    assert answer.status_code == 400
    assert answer.json()["detail"].lower().startswith(said.lower())
    assert not System.objects.exists()


def test_systems_and_references_are_removed(api: Client, study: Study) -> None:
    texts = b"a\nb\nc\n"
    system = api.post(url("system-list", "tone"), {"name": "R", "direction": "informal-formal", "file": upload(texts)})
    reference = api.post(url("reference-list", "tone"), {"direction": "informal-formal", "file": upload(texts)})
    assert api.delete(url("system-detail", "tone", system.json()["id"])).status_code == 204
    assert api.delete(url("reference-detail", "tone", reference.json()["id"])).status_code == 204
    assert api.get(url("system-list", "tone")).json() == []
    assert api.get(url("reference-list", "tone")).json() == []


def test_an_annotator_reads_the_study_but_not_its_texts(signed_in: Any, study: Study) -> None:
    client = signed_in("crowd_annotator")
    assert client.get(url("study-detail", "tone")).json()["role"] == "crowd_annotator"
    assert client.get(url("sentence-list", "tone")).status_code == 403
    assert send(client, "patch", url("study-detail", "tone"), title="Mine").status_code == 403


def test_ten_thousand_rows_are_added_and_read(api: Client, study: Study) -> None:
    lines = "".join(f"sentence {number}\n" for number in range(10_000)).encode()
    sources = {"direction": "informal-formal", "file": upload(lines), "split": "train"}
    assert api.post(url("sentence-list", "tone"), sources).json() == {"added": 10_000, "left_out": 0, "said": ""}
    form = {"name": "Echo", "direction": "informal-formal", "file": upload(b"a\nb\nc\n" + lines)}
    assert api.post(url("system-list", "tone"), form).json()["outputs"] == 10_003
    page = api.get(url("sentence-list", "tone"), {"page": 200}).json()
    assert (page["count"], page["results"][-1]["outputs"]) == (10_003, {"Echo": "sentence 9996"})


def test_json_that_is_too_large_is_refused_unread(api: Client, study: Study, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    answer = send(api, "patch", url("study-detail", "tone"), description="x" * 2000)
    assert (answer.status_code, "too large" in answer.json()["detail"]) == (400, True)
