"""Twelve wrong or odd files in a real browser: each ends in the right data, or in one sentence."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from support import axe
from support.workbooks import workbook, zipped

from accounts.models import Person
from accounts.permissions import Role
from corpora.actions.add_direction import add_direction
from corpora.actions.create_study import create_study
from corpora.models import Output, Reference, Sentence, Study, Upload

WORDS = "word " * 20_000
SIX = "id\tinformal\tformal\tref2\tRules\tNoisy\n1\tu r late\tYou are late.\tYou're late.\tyou late\tu r\n" \
      "2\tbrb now\tI will be back.\tBack soon.\tback now\tbrb\n"  # fmt: skip
PAIRS = [{"source": "u r late", "reference": "You are late."}, {"source": "brb now", "reference": "I will be back."}]
COMMAS = "source,reference\nu r late,You are late.\nbrb now,I will be back.\n"
AT_LENGTH = pytest.mark.soak  # each form of file has its tests without a browser
BOTH = {"u r late": ["You are late."], "brb now": ["I will be back."]}


@pytest.fixture
def lead(web_server: Any) -> Person:
    return Person.objects.create_user("lead@example.org", "seven-Wet-otters", role=Role.RESEARCHER, name="Lee Example")


@pytest.fixture
def study(lead: Person) -> Study:
    made = create_study(slug="tone", title="Tone of messages", styles=["informal", "formal"], by=lead)
    add_direction(study=made, source_style="informal", target_style="formal")
    return made


@pytest.fixture
def page(new_page: Any, web_server: Any, lead: Person, study: Study) -> Page:
    made: Page = new_page()
    client = Client()
    client.force_login(lead)
    cookie = client.cookies["sessionid"]
    made.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": web_server.url}])
    return made


def send(page: Page, folder: Path, name: str, content: str | bytes) -> None:
    file = folder / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    page.goto("/studies/tone/texts/import/")
    page.get_by_label("File").set_input_files(file)
    with page.expect_navigation():  # what is seen next is its answer, on whatever page that is
        page.get_by_role("button", name="Check the file").click()


def answer(page: Page, *words: str) -> None:
    """Choose each answer; the page looks again by itself."""
    for word in words:
        with page.expect_response(lambda response: response.request.method == "POST"):
            page.get_by_label(word).check()
        expect(page.get_by_label(word)).to_be_checked()


def bring(page: Page) -> None:
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("heading", name="Sources", level=1)).to_be_visible()


def stored() -> dict[str, list[str]]:
    """The references of each source."""
    found: dict[str, list[str]] = {text: [] for text in Sentence.objects.values_list("text", flat=True)}
    for source, text in Reference.objects.order_by("set__number").values_list("sentence__text", "text"):
        found[source].append(text)
    return found


@pytest.mark.parametrize(("name", "content"), [
    ("sheet.xlsx", workbook({"Texts": [("source", "reference"), *(tuple(pair.values()) for pair in PAIRS)]})),
    pytest.param("semicolons.csv", COMMAS.replace(",", ";"), marks=AT_LENGTH),
    pytest.param("list.json", json.dumps(PAIRS, indent=1), marks=AT_LENGTH),
    pytest.param("wide.csv", COMMAS.encode("utf-16"), marks=AT_LENGTH),
    pytest.param("several.zip", zipped({"1.csv": "source,reference\nu r late,You are late.\n",
                                        "2.csv": "source,reference\nbrb now,I will be back.\n"}), marks=AT_LENGTH),
])  # fmt: skip
def test_odd_files_end_in_the_right_data(page: Page, tmp_path: Path, name: str, content: str | bytes) -> None:
    send(page, tmp_path, name, content)
    expect(page.get_by_role("heading", name="Effect of the import")).to_be_visible()
    assert not Sentence.objects.exists()
    bring(page)
    assert stored() == BOTH


def test_six_columns(page: Page, tmp_path: Path) -> None:
    send(page, tmp_path, "six.tsv", SIX)
    expect(page.get_by_label("informal", exact=True)).to_have_value("source")
    expect(page.get_by_label("Rules", exact=True)).to_have_value("output")
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.get_by_label("Noisy", exact=True).select_option("Output of a system")
    expect(page.get_by_label("Name of Noisy")).to_have_value("Noisy")
    assert axe.faults(page) == []
    bring(page)
    assert stored() == {"u r late": ["You are late.", "You're late."], "brb now": ["I will be back.", "Back soon."]}
    assert set(Output.objects.values_list("system__name", "text")) == {
        ("Rules", "you late"), ("Rules", "back now"), ("Noisy", "u r"), ("Noisy", "brb"),
    }  # fmt: skip


def test_wrong_files_and_ragged_rows_are_named_and_rows_left_out_when_that_is_said(page: Page, tmp_path: Path) -> None:
    wrong_files_end_in_one_sentence(page, tmp_path)
    send(page, tmp_path, "ragged.csv", COMMAS + "gtg\nu ok?,Are you?,More.\n")
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("alert")).to_contain_text("more or fewer cells than the table has columns (line 4, 5)")
    assert axe.faults(page) == []
    assert not Sentence.objects.exists()
    answer(page, "Leave these rows out")
    bring(page)
    assert stored() == BOTH


@pytest.mark.soak
def test_doubled_lines_are_asked_about(page: Page, tmp_path: Path) -> None:
    send(page, tmp_path, "doubled.csv", COMMAS + "u r late,You are late.\n")
    expect(page.get_by_text("1 row has the source of an earlier row.")).to_be_visible()
    answer(page, "Take each source once")
    bring(page)
    assert stored() == BOTH


def test_a_line_of_20_000_words(page: Page, tmp_path: Path) -> None:
    send(page, tmp_path, "long.txt", f"u r late\n{WORDS}\n")
    assert axe.faults(page) == []
    bring(page)
    assert list(Sentence.objects.order_by("number").values_list("text", flat=True)) == ["u r late", WORDS]


def wrong_files_end_in_one_sentence(page: Page, tmp_path: Path) -> None:
    for name, content, sentence in (
        ("page.csv", "<!doctype html><html><body>u r late</body></html>", "this is an HTML page"),
        ("header.csv", "source,reference\n", "the table has a header and no row below it."),
        ("empty.csv", "", "the file is empty."),
    ):
        send(page, tmp_path, name, content)
        expect(page.locator(".errorlist li")).to_have_count(1)
        expect(page.locator(".errorlist li")).to_contain_text(f"{name}: {sentence}")
        assert not Sentence.objects.exists(), name
        assert not Upload.objects.exists(), name


@pytest.mark.soak
def test_lines_that_are_there_already_are_asked_about(page: Page, tmp_path: Path) -> None:
    for _ in range(2):
        send(page, tmp_path, "texts.csv", COMMAS)
        if Sentence.objects.exists():
            expect(page.get_by_text("2 sources are there already.")).to_be_visible()
            answer(page, "Their references and outputs go to the sources that are there", "Leave them out")
            expect(page.get_by_text("Nothing in the table is new")).to_be_visible()
        else:
            bring(page)
    assert stored() == BOTH


def test_what_is_typed_while_the_page_looks_again_stays(page: Page, study: Study, tmp_path: Path) -> None:
    """The answer to an earlier choice took a name away that was being typed."""
    send(page, tmp_path, "six.tsv", SIX)
    held: list[Any] = []
    name = page.get_by_label("Name of formal")
    expect(name).to_have_value("formal")
    page.route("**/texts/import/*/", lambda route: held.append(route), times=1)
    with page.expect_request(lambda request: request.method == "POST"):
        page.get_by_label("Noisy", exact=True).select_option("Output of a system")
    name.fill("Gold")
    held[0].continue_()
    expect(page.get_by_label("Name of Noisy")).to_be_visible()
    expect(name).to_have_value("Gold")
    page.get_by_role("button", name="Import").click()
    expect(page.locator("#messages")).to_contain_text("2 references, Gold")


def test_an_unfolded_part_stays_open_while_the_columns_are_looked_at_again(page: Page) -> None:
    nested = [
        {"informal": "u r late", "log": [{"at": 1}, {"at": 2}], "about": "music", **{f"key{n}": n for n in range(7)}}
    ]
    page.goto("/studies/tone/texts/import/?target=texts")
    page.get_by_label("Or paste the rows").fill(json.dumps(nested))
    page.get_by_role("button", name="Check the file").click()
    expect(page.get_by_text("log[1–2].at")).to_be_hidden()
    page.locator("#left-out summary").click()
    expect(page.get_by_label("log[1–2].at")).to_be_visible()
    choice = page.get_by_label("about", exact=True)
    choice.focus()
    choice.select_option("domain")
    expect(page.locator("#left-out summary")).to_have_text("9 columns are left out")
    expect(page.get_by_label("log[1–2].at")).to_be_visible()
    expect(choice).to_be_focused()
