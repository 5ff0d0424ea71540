"""A study from a template and its crew, each in a browser of their own, and what they do on the way."""

import itertools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import Credential, Person
from accounts.permissions import Role
from corpora.models import Membership, Study

NUMBERS = itertools.count(1)


class Crew:
    """The people of one study. `lead` is the researcher's page; `join` brings the others."""

    def __init__(
        self, new_page: Callable[..., Page], url: str, template: str, title: str, credentials: tuple[str, ...] = ()
    ) -> None:
        self.new_page, self.url = new_page, url
        self.people: list[Person] = []
        self.lead = self._sit("Robin Lead", Role.RESEARCHER, credentials)
        self._begin(template, title)
        self.study = Study.objects.get(template=template)
        self.home = f"/studies/{self.study.slug}/"
        if self.study.terms_version:
            self.accept_terms(self.lead)
        self.expect_next("Import the texts")

    def _sit(self, name: str, role: str, credentials: tuple[str, ...] = (), **profile: Any) -> Page:
        email = f"{name.split()[0].lower()}{next(NUMBERS)}@example.org"
        person = Person.objects.create_user(email, "a long enough password", name=name, role=role, **profile)
        for credential in credentials:
            Credential.objects.create(person=person, name=credential, verified_at=timezone.now())
        self.people.append(person)
        client = Client()
        client.force_login(person)
        page = self.new_page()
        page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": self.url}])
        return page

    def _begin(self, template: str, title: str) -> None:
        page = self.lead
        page.goto("/studies/new/template/")
        page.locator(f"#template-{template}").check()
        page.get_by_label("Title").fill(title)
        page.get_by_role("button", name="Create study").click()
        expect(page.locator("#messages")).to_contain_text("with its stages planned")

    def accept_terms(self, page: Page) -> None:
        """The terms stand before everything else."""
        page.goto(self.home)
        page.get_by_role("button", name="I accept these terms").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(self.study.title)

    def join(self, name: str, role: str = Role.EXPERT_ANNOTATOR, **profile: Any) -> Page:
        """A new member's page; `credentials` are verified already, the rest is their profile."""
        page = self._sit(name, role, **profile)
        Membership.objects.create(study=self.study, person=self.people[-1], role=role)
        return page

    # what the researcher does

    def expect_next(self, title: str) -> None:
        """The overview says that this is the next step."""
        self.lead.goto(self.home)
        expect(self.lead.locator("section[aria-labelledby=next-tasks] [aria-current=step] h3")).to_contain_text(title)

    def import_documents(self, file: Path, form: str, said: str, style: str = "", **fields: str) -> None:
        page = self.lead
        page.goto(f"{self.home}texts/documents/new/")
        page.get_by_label("File", exact=True).set_input_files(file)
        page.locator("#id_format").select_option(form)
        if style:
            page.locator("#id_style").select_option(style)
        for name, value in fields.items():
            page.locator(f"#id_{name}").fill(value)
        page.get_by_role("button", name="Import").click()
        expect(page.get_by_text(said).first).to_be_visible()

    def decide_flags(self, *keys: str) -> None:
        """A key for each sentence that is held back: c clear, m mask, d drop."""
        page = self.lead
        page.goto(f"{self.home}texts/flags/")
        for number, key in enumerate(keys):
            expect(page.locator(".flagged > li")).to_have_count(len(keys) - number)
            page.keyboard.press(key)
        expect(page.get_by_role("heading", name="Nothing to decide")).to_be_visible()

    def link_and_draw(self, elements: dict[str, str], groups: int) -> None:
        """Map the sections, as usual and as `elements` says by label, link the versions, and draw all groups."""
        page = self.lead
        page.goto(f"{self.home}texts/sections/")
        with page.expect_navigation():
            page.get_by_role("button", name="Fill in the usual elements").click()
        for label, element in elements.items():
            page.get_by_label(f"Element of {label}").fill(element)
        with page.expect_navigation():
            page.get_by_role("button", name="Save").click()
        page.goto(f"{self.home}texts/groups/")
        page.get_by_role("button", name="Link", exact=True).click()
        expect(page.locator("#messages")).to_contain_text("links made")
        page.get_by_role("button", name="Create groups").click()
        expect(page.locator("#messages")).to_contain_text("groups made")
        page.get_by_label("Number of groups").fill(str(groups))
        page.get_by_role("button", name="Sample", exact=True).click()
        expect(page.locator("#messages")).to_contain_text(f"{groups} groups are sampled")

    def select(self, rule: str, direction: str, split: str, sample: int | None = None) -> None:
        page = self.lead
        page.goto(f"{self.home}texts/select/?rule={rule}")
        page.locator("#id_direction").select_option(label=direction)
        page.locator("#id_split").select_option(split)
        page.locator("#id_sample").fill(str(sample or ""))
        page.get_by_role("button", name="Preview").click()
        page.get_by_role("button", name="Select sources").click()
        expect(page.locator("#messages")).to_contain_text("sentences are sources now")

    def split(self, rule: str, train: int, tune: int, test: int, seed: int = 1) -> None:
        page = self.lead
        page.goto(f"{self.home}texts/splits/")
        page.locator(f"input[name=rule][value={rule}]").check()
        for name, share in {"train": train, "tune": tune, "test": test, "seed": seed}.items():
            page.locator(f"#id_{name}").fill(str(share))
        page.get_by_role("button", name="Split again").click()
        expect(page.locator("#messages")).to_contain_text("The texts are split.")

    def open(self, *stages: str) -> None:
        for stage in stages:
            self.lead.goto(f"{self.home}campaigns/{stage}/")
            self.lead.get_by_role("button", name="Open", exact=True).click()
            expect(self.lead.locator("h1 + p .badge")).to_have_text("Open")

    def press_on_campaign(self, stage: str, button: str, yes: str) -> None:
        """A button of a campaign's page that asks first."""
        self.lead.goto(f"{self.home}campaigns/{stage}/")
        self.lead.get_by_role("button", name=button).click()
        self.lead.get_by_role("dialog").get_by_role("button", name=yes).click()
        expect(self.lead.locator("#messages .message.success")).to_be_visible()

    def release(self, *forms: str, alone: bool = False) -> dict[str, bytes]:
        """Make a release in these forms and download its files, by name; nobody's name or address is in them."""
        page = self.lead
        page.goto(f"{self.home}gold/releases/new/")
        boxes = {box.get_attribute("value"): box for box in page.locator("input[name=forms]").all()}
        assert boxes.keys() >= set(forms)
        for value, box in boxes.items():
            box.set_checked(value in forms)
        if alone:
            page.locator("#id_alone").check()
        page.get_by_role("button", name="Create release").click()
        expect(page.locator("#job-state .badge")).to_have_text("Done")
        page.goto(f"{self.home}gold/releases/1/")
        files = {name: self._downloaded(name) for name in page.locator("a[download]").all_inner_texts()}
        for person in self.people:
            told = [
                name for name, data in files.items() if person.name.encode() in data or person.email.encode() in data
            ]
            assert told == [], person
        return files

    def _downloaded(self, name: str) -> bytes:
        with self.lead.expect_download() as started:
            self.lead.get_by_role("link", name=name, exact=True).click()
        return Path(started.value.path()).read_bytes()

    # what annotators do

    def sit_down(self, page: Page, stage: str, guideline: str) -> None:
        """Go to the work of a stage and read its guideline, of which these are words."""
        page.goto(f"{self.home}campaigns/{stage}/work/")
        expect(page.locator(".guideline-text")).to_contain_text(guideline)
        page.get_by_role("button", name="I have read the guideline").click()
        expect(page.locator("#work")).to_have_attribute("data-say", re.compile("Item"))

    def refused(self, page: Page, stage: str, said: str) -> None:
        """The stage has nothing for this person, and says why."""
        page.goto(f"{self.home}campaigns/{stage}/work/")
        expect(page.locator("main")).to_contain_text(said)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def hand_in(page: Page) -> None:
    """Ctrl+Enter; it is taken, and the next item or the end is there."""
    with page.expect_response(re.compile("/work/submit/")) as answered:
        page.keyboard.press("Control+Enter")
    assert answered.value.status == 200, page.locator("[role=alert]").all_inner_texts()
    answered.value.finished()
    expect(page.locator(".htmx-request")).to_have_count(0)


def ended(page: Page) -> None:
    """There is no further item at the moment."""
    expect(page.locator("[data-reason]")).to_be_visible()
