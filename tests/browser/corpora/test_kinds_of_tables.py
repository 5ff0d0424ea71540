"""Every kind of table by page: chosen, asked about, imported and downloaded again, in at most twelve actions."""

import csv
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from support.kinds_of_tables import JUDGEMENTS, MOST_ACTIONS, SYSTEMS, TEXTS, Judged, Kind
from support.stored_texts import stored_judgements, stored_texts

from accounts.models import Person
from accounts.permissions import Role
from corpora.actions.add_direction import add_direction
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.models import Study

IN_SHORT = {"text1, text2", "a file a system", "wide", "a sheet a rater"}
"""Each family and each way to ask once; each of the others has its test without a browser."""


def cases(kinds: dict[str, Any]) -> list[Any]:
    return [pytest.param(name, id=name, marks=() if name in IN_SHORT else pytest.mark.soak) for name in kinds]


@pytest.fixture
def study(web_server: Any) -> Study:
    lead = Person.objects.create_user("lead@example.org", "seven-Wet-otters", role=Role.RESEARCHER, name="Lee Example")
    made = create_study(slug="tone", title="Tone of messages", styles=["informal", "formal"], by=lead)
    add_direction(study=made, source_style="informal", target_style="formal")
    return made


@pytest.fixture
def page(new_page: Any, web_server: Any, study: Study) -> Page:
    made: Page = new_page()
    client = Client()
    client.force_login(Person.objects.get())
    made.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": web_server.url}])
    return made


class Actions:
    """What a person does on the pages, counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def do(self, action: Callable[[], object]) -> None:
        action()
        self.count += 1

    def choose(self, action: Callable[[], object]) -> None:
        """A choice, after which the page looks again by itself, and has a new form."""
        self.page.locator("#bring").evaluate("form => { form.dataset.before = '1' }")
        self.do(action)
        expect(self.page.locator("#bring:not([data-before])")).to_have_count(1)


def brought_in(page: Page, folder: Path, kind: Kind | Judged, target: str, settings: dict[str, str]) -> Actions:
    """The table by page, from its form to the page that shows what came in."""
    file, done = folder / kind.name, Actions(page)
    file.write_bytes(kind.content.encode() if isinstance(kind.content, str) else kind.content)
    page.goto(f"/studies/tone/texts/import/?target={target}")
    done.do(lambda: page.get_by_label("File").set_input_files(file))
    with page.expect_navigation():
        done.do(lambda: page.get_by_role("button", name="Check the file").click())
    for name, value in settings.items():
        done.choose(lambda: page.locator(f'[name="set-{name}"]').select_option(value))  # noqa: B023
    asked = list[str]()
    while waiting := [one for one in open_questions(page) if one not in asked]:
        name, answer = waiting[0], kind.answers.get(waiting[0], "")
        assert answer, page.locator(f"#q-{name}").inner_text()
        if (choice := page.locator(f'select[name="answer-{name}"]')).count():
            done.choose(partial(choice.select_option, answer))
        else:
            done.choose(page.locator(f'input[name="answer-{name}"][value="{answer}"]').check)
        asked.append(waiting[0])
    with page.expect_navigation():
        done.do(lambda: page.get_by_role("button", name="Import").click())
    assert sorted(asked) == sorted(kind.answers)
    return done


def open_questions(page: Page) -> list[str]:
    """The questions without an answer, in the order of the page."""
    found: list[str] = page.locator('[id^="q-"]').evaluate_all(
        "all => all.filter(one => !one.querySelector(':checked')?.value).map(one => one.id.slice(2))"
    )
    return found


def downloaded(page: Page, address: str, label: str) -> list[dict[str, str]]:
    """The rows of a table that the page's menu gives."""
    page.goto(f"/studies/tone/{address}")
    page.get_by_role("main").locator("summary", has_text="Download").click()
    with page.expect_download() as held:
        page.get_by_role("link", name=label).click()
    text = held.value.path().read_text(encoding="utf-8-sig")
    if label.endswith("(JSONL)"):
        return [json.loads(line) for line in text.split("\n") if line]
    rows = csv.DictReader(text.splitlines(), delimiter="\t" if label.endswith("(TSV)") else ",")
    return [{name: cell[1:] if cell[:2] in ("'=", "'@") else cell for name, cell in row.items()} for row in rows]


@pytest.mark.parametrize("name", cases(TEXTS))
def test_a_kind_of_table(page: Page, study: Study, tmp_path: Path, name: str) -> None:
    kind = TEXTS[name]
    done = brought_in(page, tmp_path, kind, "texts", {})
    expect(page.get_by_role("heading", name="Sources", level=1)).to_be_visible()
    assert stored_texts(study) == (kind.sources, kind.references, kind.outputs)
    assert done.count <= MOST_ACTIONS
    form = ("CSV", "TSV", "JSONL")[list(TEXTS).index(name) % 3]
    if kind.references:
        rows = downloaded(page, "texts/", f"References ({form})")
        sets = [name for name in rows[0] if name.startswith("reference")]
        assert [{row["source"]: row[one] for row in rows if row[one]} for one in sets] == kind.references
    elif not kind.outputs:
        assert [row["source"] for row in downloaded(page, "texts/", f"Sources ({form})")] == kind.sources
    if kind.outputs:
        found: dict[str, dict[str, str]] = {}
        for row in downloaded(page, "systems/", f"Outputs ({form})"):
            found.setdefault(row["system"], {})[row["source"]] = row["text"]
        assert found == kind.outputs


@pytest.mark.parametrize("name", cases(JUDGEMENTS))
def test_a_kind_of_table_of_judgements(page: Page, study: Study, tmp_path: Path, name: str) -> None:
    kind, direction = JUDGEMENTS[name], study.directions.get()
    add_sources(direction=direction, texts=list(SYSTEMS["Rules"]))
    for system, texts in SYSTEMS.items():
        add_system(study=study, name=system, outputs={direction: list(texts.values())}, origin="made")
    done = brought_in(page, tmp_path, kind, "judgements", kind.settings)
    expect(page.get_by_role("heading", name="Imported judgements", level=1)).to_be_visible()
    assert stored_judgements(study) == kind.judged
    assert done.count <= MOST_ACTIONS
    form = ("CSV", "TSV", "JSONL")[list(JUDGEMENTS).index(name) % 3]
    assert {
        (row["rater"], int(row["number"]), row["text"], row["criterion"]): float(row["value"])
        for row in downloaded(page, "report/ratings/", f"Judgements ({form})")
    } == kind.judged
