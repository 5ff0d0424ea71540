"""From a file to sources: import, decide the flags by key, map, link, group, draw, select and split, in a browser."""

import json
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from support import axe

from accounts.models import Person
from accounts.permissions import Role
from corpora.actions.add_direction import add_direction
from corpora.actions.create_study import create_study
from corpora.models import DocumentSentence, Sentence, Study
from corpora.tasks import import_documents
from jobs.models import Job

PAGES = [
    "", "documents/", "documents/new/", "questions/", "flags/", "flags/?kind=name", "sections/", "groups/", "select/",
    "select/?rule=gyafc", "splits/",
]  # fmt: skip


@pytest.fixture
def lead(web_server: Any) -> Person:
    return Person.objects.create_user("lead@example.org", "seven-Wet-otters", role=Role.RESEARCHER)


@pytest.fixture
def study(lead: Person) -> Study:
    made = create_study(slug="msd", title="Expertise", styles=["expert", "lay"], by=lead)
    add_direction(study=made, source_style="expert", target_style="lay")
    return made


def enter(page: Page, person: Person, url: str) -> None:
    client = Client()
    client.force_login(person)
    cookie = client.cookies["sessionid"]
    page.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": url}])


def check(page: Page) -> None:
    """axe-core finds nothing and nothing sticks out of the screen."""
    page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true })")
    assert axe.faults_in_two_states(page) == [], page.url


@pytest.mark.soak
def test_every_page_of_documents_without_any(new_page, web_server, lead, study) -> None:
    page = new_page()
    enter(page, lead, web_server.url)
    for address in PAGES:
        assert page.goto(f"/studies/msd/texts/{address}").status == 200
        check(page)


def manual(title: str, style: str, sections: dict[str, str]) -> dict[str, Any]:
    parts = [{"title": name, "text": text} for name, text in sections.items()]
    return {"title": title, "style": style, "codes": ["511.9"], "sections": parts}


def test_from_a_file_to_sources(new_page, web_server, lead, study, tmp_path) -> None:
    flagged = "Many cause dyspnea, chest pain, or both. Dr. Karen Smith saw it on 12/03/2019."
    treatment = "Some need thoracentesis at once. Call 555-123-4567 about it."
    expert = manual("Effusion", "", {"Symptoms and Signs": flagged, "Treatment": treatment})
    lay = manual("effusion", "lay", {"Symptoms": "People are short of breath.", "Treatment": "A needle helps."})
    file = tmp_path / "manuals.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in (expert, lay)), encoding="utf-8")
    page = new_page()
    enter(page, lead, web_server.url)

    page.goto("/studies/msd/texts/documents/")
    page.get_by_role("link", name="Import documents").click()
    page.get_by_text("Documents in other formats").click()
    page.get_by_role("link", name="Import documents").click()
    page.get_by_label("File", exact=True).set_input_files(file)
    page.locator("#id_format").select_option("documents_jsonl")
    page.locator("#id_style").select_option("expert")
    page.get_by_role("button", name="Import").click()
    expect(page.locator("#job-state .badge")).to_have_text("Queued")
    import_documents(Job.objects.get().pk)  # as a worker does; the page asks by itself
    expect(page.get_by_text("2 documents with 6 sentences are in").first).to_be_visible()

    page.goto("/studies/msd/texts/flags/")
    expect(page.locator("mark.flag").first).to_contain_text("Karen")
    page.keyboard.press("m")
    expect(page.locator("#messages")).to_contain_text("1 sentence is decided.")
    page.keyboard.press("d")
    expect(page.get_by_role("heading", name="Nothing to decide")).to_be_visible()
    assert DocumentSentence.objects.filter(dropped=True).count() == 1

    page.get_by_role("link", name="Sections").click()
    page.get_by_role("button", name="Fill in the usual elements").click()
    expect(page.get_by_label("Element of Symptoms and Signs, expert")).to_have_value("Symptoms")
    page.get_by_role("link", name="Groups").click()
    page.get_by_role("button", name="Link", exact=True).click()
    expect(page.locator("#messages")).to_contain_text("1 links made")
    page.get_by_role("button", name="Create groups").click()
    expect(page.locator("#messages")).to_contain_text("2 groups made")
    page.get_by_label("Number of groups").fill("1")
    page.get_by_role("button", name="Sample", exact=True).click()
    expect(page.locator("#messages")).to_contain_text("1 groups are sampled")

    page.get_by_role("link", name="Select sources").click()
    page.get_by_role("link", name="GYAFC", exact=True).click()
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name="3 sentences of 4 would be selected")).to_be_visible()
    page.locator("#id_split").select_option("train")
    page.get_by_role("button", name="Select sources").click()
    expect(page.locator("#messages")).to_contain_text("3 sentences are sources now; 1 were left out.")
    assert not Sentence.objects.filter(text__contains="Karen").exists()

    page.get_by_role("link", name="Splits").click()
    page.get_by_role("button", name="Split again").click()
    expect(page.locator("#messages")).to_contain_text("The texts are split.")
    study.refresh_from_db()
    assert study.documents.exclude(split="").count() == 2
