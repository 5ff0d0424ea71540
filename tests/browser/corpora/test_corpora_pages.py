"""The pages of studies, texts and systems in a real browser: wide and on a phone, light and dark, under axe-core."""

from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from support import axe
from support.campaigns import campaign

from accounts.models import Person
from accounts.permissions import Role
from corpora.actions.add_direction import add_direction
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.models import Membership, Study, System

TEXTS = ["gotta see both sides of the story, ya know??", "u ok?", "أين أنت يا صديقي؟", "<b>bold</b> & on " + "x" * 90]


@pytest.fixture
def lead(web_server: Any) -> Person:
    return Person.objects.create_user("lead@example.org", "seven-Wet-otters", role=Role.RESEARCHER, name="Lee Example")


@pytest.fixture
def study(lead: Person) -> Study:
    made = create_study(slug="tone", title="Tone of messages", styles=["informal", "formal"], license="CC0", by=lead)
    direction = add_direction(study=made, source_style="informal", target_style="formal")
    add_direction(study=made, source_style="formal", target_style="informal")
    add_sources(direction=direction, texts=TEXTS * 8, split="train", domain="music")
    add_references(direction=direction, texts=[f"{text} Please." for text in TEXTS * 8], origin="formal.ref0")
    for name in ("Rules", "A system with rather a long name"):
        outputs = [f"{name}: {text}" for text in TEXTS * 7] + [None] * 4
        add_system(study=made, name=name, outputs={direction: outputs}, origin="out.txt", allows_missing=True)
    return made


@pytest.fixture
def empty(lead: Person) -> Study:
    return create_study(slug="empty", title="Nothing here yet", styles=["rude", "polite"], by=lead)


def enter(page: Page, person: Person, url: str) -> None:
    """Sign in without the form: accounts' tests go through it."""
    client = Client()
    client.force_login(person)
    cookie = client.cookies["sessionid"]
    page.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": url}])


def check(page: Page) -> None:
    """axe-core finds nothing and nothing sticks out of the screen."""
    assert axe.faults_in_two_states(page) == [], page.url


def test_every_page_is_for_everybody(new_page, web_server, lead, study, empty) -> None:
    page = new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    enter(page, lead, web_server.url)
    system = System.objects.first()
    assert system is not None
    own = ["", "edit/", "texts/", "texts/?page=2", "texts/?direction=2", "texts/new/", "texts/1/sources/",
           "texts/1/references/", "texts/import/", "systems/", "systems/new/", f"systems/{system.pk}/"]  # fmt: skip
    addresses = ["/", "/studies/new/", "/studies/new/file/", *[f"/studies/tone/{one}" for one in own]]
    for address in [*addresses, *[f"/studies/empty/{one}" for one in ("", "texts/", "systems/")]]:
        assert page.goto(address).status == 200
        check(page)
    assert faults == []


def test_an_annotator_finds_the_work(new_page, web_server, study) -> None:
    made = campaign(study, name="Make it formal")
    person = Person.objects.create_user("crowd@example.org", "seven-Wet-otters", role=Role.CROWD_ANNOTATOR)
    Membership.objects.create(study=study, person=person, role=Role.CROWD_ANNOTATOR)
    page = new_page(viewport={"width": 360, "height": 800})
    enter(page, person, web_server.url)
    page.goto("/studies/tone/")
    check(page)
    page.get_by_role("link", name="Make it formal").click()
    page.wait_for_url(f"**/studies/tone/campaigns/{made.slug}/work/")


def test_from_nothing_to_a_system_with_files(new_page, web_server, lead, tmp_path) -> None:
    """A newcomer follows the next step each time; a wrong file is said at its field, and the right one goes in."""
    page = new_page()
    enter(page, lead, web_server.url)
    page.goto("/studies/new/")
    page.get_by_label("Title").fill("Rude and polite")
    page.get_by_label("Styles").fill("rude, polite")
    page.get_by_role("button", name="Create study").click()
    page.get_by_role("link", name="Add texts").click()
    page.get_by_role("link", name="Add a direction").click()
    page.get_by_role("button", name="Add the direction").click()
    page.get_by_label("Or paste the rows").fill("shut up\nno way")
    page.get_by_role("button", name="Check the file").click()
    page.get_by_role("button", name="Import").click()
    expect(page.locator("#messages")).to_contain_text("2 new sources")
    page.get_by_role("link", name="Models", exact=True).first.click()
    page.get_by_role("link", name="Systems", exact=True).click()
    page.get_by_role("link", name="Import a table").click()
    file = tmp_path / "rules.txt"
    for text in ("Please be quiet.\nI may not.\nNo, thank you.\n", "Please be quiet.\nI am afraid not.\n"):
        file.write_text(text, encoding="utf-8")
        page.goto("/studies/rude-and-polite/texts/import/")
        page.get_by_label("File").set_input_files(file)
        page.get_by_role("button", name="Check the file").click()
        with page.expect_response(lambda response: response.request.method == "POST"):
            page.get_by_label("Column 1", exact=True).select_option("Output of a system")
        if text.count("\n") == 3:
            expect(page.get_by_text("The table has 3 rows and rude-polite 2 sources")).to_be_visible()
            check(page)
    page.get_by_label("Name of Column 1").fill("Rules")
    page.get_by_role("button", name="Import").click()
    expect(page.locator("#messages")).to_contain_text("2 outputs of Rules")
    page.goto(f"/studies/rude-and-polite/systems/{System.objects.get().pk}/")
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.locator("#messages")).to_contain_text("Removed: Rules.")
    assert not System.objects.exists()
