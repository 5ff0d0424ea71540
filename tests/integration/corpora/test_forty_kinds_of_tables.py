"""Forty kinds of tables through the page: each ends in the right data, after what it has to ask, and goes out again.

What goes out is made of the stored data, whatever table brought these in, so a third goes out and comes back in
`make test`; the soak does so with all.
"""

import csv
import io
import json
from collections.abc import Iterable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from support.form_fields import form_fields
from support.kinds_of_tables import JUDGEMENTS, MOST_ACTIONS, SYSTEMS, TEXTS, Judged, Kind
from support.stored_texts import stored_judgements, stored_texts

from accounts.models import Person
from corpora.actions.add_direction import add_direction
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.models import Sentence, Study

FORMS = ("csv", "tsv", "jsonl")
ALL = {"there": "match", "missing": "empty", "systems_there": "fill", "references_there": "again", "doubled": "each",
       "outputs": "keep", "repeated": "last", "people": "same"}  # fmt: skip


@pytest.fixture
def empty(study: Study) -> Study:
    Sentence.objects.all().delete()
    return study


def other(researcher: Person) -> Study:
    made = create_study(slug="again", title="Again", styles=["informal", "formal"], by=researcher)
    add_direction(study=made, source_style="informal", target_style="formal")
    return made


def brought_in(browser: Client, kind: Kind | Judged, target: str, settings: dict[str, str]) -> None:
    """The table through the page, question by question, as a person would."""
    content = kind.content.encode() if isinstance(kind.content, str) else kind.content
    sent = browser.post(
        reverse("table_new", args=["tone"]), {"target": target, "file": SimpleUploadedFile(kind.name, content)}
    )
    assert sent.status_code == 302, sent.content.decode()
    address, asked, actions = sent["Location"], [], 2
    if settings:
        fields = form_fields(browser.get(address).content.decode())
        chosen = {f"set-{name}": value for name, value in settings.items()}
        assert browser.post(address, {**fields, **chosen, "act": "look"}).status_code == 302
        actions += len(settings)
    while True:
        page = browser.get(address)
        assert "wrong" not in page.context, page.context["wrong"]
        if not page.context["plan"].open:
            break
        one = page.context["plan"].open[0]
        assert one.name in kind.answers, one.sentence
        asked.append(one.name)
        fields = form_fields(page.content.decode()) | {f"answer-{one.name}": kind.answers[one.name], "act": "look"}
        assert browser.post(address, fields).status_code == 302
        actions += 1
    done = browser.post(address, {**form_fields(page.content.decode()), "act": "bring"})
    assert done.status_code == 302, done.context["error"]
    assert actions + 1 <= MOST_ACTIONS
    assert sorted(asked) == sorted(kind.answers)


def exported(browser: Client, slug: str, file: str, form: str) -> bytes:
    sent = browser.get(reverse("study_export", args=[slug]), {"file": file, "format": form})
    assert sent["Content-Disposition"] == f'attachment; filename="{slug}-{file}.{form}"'
    return b"".join(sent.streaming_content)


def rows_of(content: bytes, form: str) -> list[dict[str, str]]:
    """A table as a plain reader has it, without the apostrophes that guard cells from a spreadsheet."""
    if form == "jsonl":
        return [json.loads(line) for line in content.decode().splitlines()]
    text = io.StringIO(content.decode("utf-8-sig"), newline="")
    rows = csv.DictReader(text, delimiter="," if form == "csv" else "\t")
    return [{name: cell[1:] if cell[:2] in ("'=", "'@") else cell for name, cell in row.items()} for row in rows]


def taken_back(browser: Client, content: bytes, name: str, target: str) -> None:
    """The file into the study "again", by its own guess."""
    address = reverse("api:table-import", args=["again"])
    given = {"target": target, "answers": json.dumps(ALL)}
    dry = browser.post(address, {**given, "file": SimpleUploadedFile(name, content), "dry_run": "true"}).json()
    assert [one for one in dry["questions"] if not one["answer"]] == []
    mapping = json.dumps(dry["mapping"])
    made = browser.post(address, {**given, "file": SimpleUploadedFile(name, content), "mapping": mapping})
    assert made.status_code == 201, made.json()


def each(kinds: Iterable[str]) -> list[Any]:
    """(name, whether it goes out again) of each; those of the soak are the ones that do not in `make test`."""
    goes = [pytest.param(name, True, marks=[pytest.mark.soak] if place % 3 else []) for place, name in enumerate(kinds)]
    return [*goes, *((name, False) for place, name in enumerate(kinds) if place % 3)]


@pytest.mark.parametrize(("name", "goes_out"), each(TEXTS))
def test_a_kind_of_table(browser: Client, researcher: Person, empty: Study, name: str, goes_out: bool) -> None:
    kind = TEXTS[name]
    brought_in(browser, kind, "texts", {})
    right = (kind.sources, kind.references, kind.outputs)
    assert stored_texts(empty) == right
    if goes_out:
        goes_out_and_comes_back(browser, researcher, kind, FORMS[list(TEXTS).index(name) // 3 % 3])


def goes_out_and_comes_back(browser: Client, researcher: Person, kind: Kind, form: str) -> None:
    back = other(researcher)
    for file, is_there in (("sources", True), ("references", kind.references), ("outputs", kind.outputs)):
        content = exported(browser, "tone", file, form)
        rows = rows_of(content, form)
        if file == "sources":
            assert [row["source"] for row in rows] == kind.sources
        elif file == "references":
            sets = [name for name in (rows[0] if rows else ()) if name.startswith("reference")]
            assert [{row["source"]: row[one] for row in rows if row[one]} for one in sets] == kind.references
        else:
            found: dict[str, dict[str, str]] = {}
            for row in rows:
                found.setdefault(row["system"], {})[row["source"]] = row["text"]
            assert found == kind.outputs
        if is_there:
            taken_back(browser, content, f"{file}.{form}", "texts")
    assert stored_texts(back) == (kind.sources, kind.references, kind.outputs)


@pytest.mark.parametrize(("name", "goes_out"), each(JUDGEMENTS))
def test_a_kind_of_table_of_judgements(
    browser: Client, researcher: Person, empty: Study, name: str, goes_out: bool
) -> None:
    kind = JUDGEMENTS[name]
    for made in (empty, other(researcher)):
        direction = made.directions.get()
        add_sources(direction=direction, texts=list(SYSTEMS["Rules"]))
        for system, texts in SYSTEMS.items():
            add_system(study=made, name=system, outputs={direction: list(texts.values())}, origin="made")
    brought_in(browser, kind, "judgements", kind.settings)
    assert stored_judgements(empty) == kind.judged
    if not goes_out:
        return
    form = FORMS[list(JUDGEMENTS).index(name) // 3 % 3]
    content = exported(browser, "tone", "judgements", form)
    assert {
        (row["rater"], int(row["number"]), row["text"], row["criterion"]): float(row["value"])
        for row in rows_of(content, form)
    } == kind.judged
    taken_back(browser, content, f"judgements.{form}", "judgements")
    assert stored_judgements(made) == kind.judged


def test_there_are_forty() -> None:
    assert len(TEXTS) + len(JUDGEMENTS) >= 40
