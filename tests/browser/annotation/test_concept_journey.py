"""Concepts from the texts to the work: linked on their page, explained on focus, missed quietly, never in the way."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect
from support import axe, campaigns
from support.demo_site import sign_in

from accounts.permissions import Role
from annotation.models import Answer
from corpora.actions.add_direction import add_direction
from corpora.actions.add_sources import add_sources
from corpora.actions.create_study import create_study
from corpora.models import Sentence
from corpora.tasks import link_concepts
from jobs.models import Job

SOURCES = ["Effusions may cause dyspnea and headaches.", "Some need thoracentesis at once."]
QUIET = "[data-vanished]"


@pytest.fixture
def study(web_server):
    made = create_study(slug="manuals", title="Manuals", styles=["expert", "lay"])
    direction = add_direction(study=made, source_style="expert", target_style="lay")
    add_sources(direction=direction, texts=SOURCES)
    return made


def test_from_linking_to_a_rewrite(new_page, web_server, study):
    lead = campaigns.person(Role.RESEARCHER, study)
    page = new_page()
    sign_in(page, lead, web_server.url)
    page.goto("/studies/manuals/texts/")
    page.get_by_role("navigation", name="Texts").get_by_role("link", name="Concepts").click()
    expect(page.get_by_text("The lexicon links them; it has 499 concepts.")).to_be_visible()
    page.get_by_role("button", name="Link concepts").click()
    expect(page.locator("#job-state .badge")).to_have_text("Queued")
    link_concepts(Job.objects.get().pk)  # as a worker does; the page asks by itself
    expect(page.get_by_text("By lexicon.").first).to_be_attached()
    expect(page.get_by_text("Done.").first).to_be_attached()
    page.goto("/studies/manuals/texts/concepts/")
    expect(page.get_by_role("region", name="Most frequent concepts")).to_contain_text("thoracentesis")

    campaign = campaigns.campaign(study, settings={"highlight_concepts": True})
    who = campaigns.person(study=study)
    page = new_page()
    sign_in(page, who, web_server.url)
    page.goto(reverse("campaign_work", args=[study.slug, campaign.slug]))
    mark = page.locator("mark.concept").first
    note = page.get_by_role("tooltip", name="", include_hidden=True).first
    for size in (axe.PHONE, axe.WIDE):
        page.set_viewport_size(size)
        expect(note).to_be_hidden()
        mark.focus()
        expect(note).to_be_visible()
        expect(note).to_have_text("The feeling of not getting enough air.")
        box = note.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size["width"]
        mark.blur()
    mark.focus()
    expect(note).to_be_visible()
    assert axe.faults(page) == []
    page.keyboard.press("Escape")
    expect(note).to_be_hidden()

    page.locator("#text").focus()
    page.keyboard.type("They can make it hard to breathe and give a headache")
    expect(page.locator(QUIET)).to_be_empty()
    page.locator("#text").fill("They are bad.")
    expect(page.locator(QUIET)).to_have_text("Not in your text: dyspnea, headaches")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 2")
    expect(page.locator("mark.concept")).to_contain_text("thoracentesis")
    assert Answer.objects.get().content == {"text": "They are bad."}


def test_a_plural_of_a_name_is_the_concept(page, web_server, study):
    one = {"start": 32, "end": 41, "term": "headache", "cui": "R1", "names": ["headache"], "definition": "Pain."}
    Sentence.objects.filter(text=SOURCES[0]).update(concepts=[one])
    campaign = campaigns.campaign(study, settings={"highlight_concepts": True})
    sign_in(page, campaigns.person(study=study), web_server.url)
    page.goto(reverse("campaign_work", args=[study.slug, campaign.slug]))
    page.locator("#text").fill("Aches.")
    expect(page.locator(QUIET)).to_have_text("Not in your text: headache")
    page.locator("#text").fill("They give headaches.")
    expect(page.locator(QUIET)).to_be_empty()
