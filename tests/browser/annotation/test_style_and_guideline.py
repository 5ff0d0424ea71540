"""The target style on the page of the work, and the guideline with its examples beside it."""

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect
from support import axe
from support import campaigns as make

from annotation.actions.read_guideline import read_guideline
from corpora.actions.add_direction import add_direction
from corpora.actions.add_sources import add_sources
from corpora.actions.edit_study import edit_study

GUIDELINE = "# How to write\n\n* Write **whole** sentences.\n* No <b>slang</b>.\n\n[More](javascript:alert)"
EXAMPLES = [{"about": "meaning", "good": "He left early.", "bad": "He is gone forever.", "why": "Nothing is added."}]
TARGET = ".target"


@pytest.fixture
def study(web_server):
    made = make.study(items=2, systems=2)
    return edit_study(study=made, style_descriptions={"formal": "as in a letter to somebody one does not know"})


@pytest.fixture
def work_at(page, study):
    """Open the work page of a campaign as an annotator who has read its guideline."""

    def open_page(campaign):
        client, who = Client(), make.person("expert_annotator", study)
        read_guideline(campaign=campaign, person=who, version=1)
        client.force_login(who)
        cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "domain": "127.0.0.1", "path": "/"}
        page.context.add_cookies([cookie])
        page.goto(reverse("campaign_work", args=[study.slug, campaign.slug]))

    return open_page


def test_the_style_is_named_in_each_direction(page, study, work_at):
    back = add_direction(study=study, source_style="formal", target_style="informal")
    add_sources(direction=back, texts=["I must leave."])
    work_at(make.campaign(study))
    expect(page.locator(TARGET)).to_contain_text("Rewrite this in the style formal")
    expect(page.locator(TARGET)).to_contain_text("as in a letter")
    for number in (2, 3):
        page.locator("#text").fill("Something else.")
        page.locator("#text").press("Control+Enter")
        expect(page.locator("#work")).to_have_attribute("data-say", f"Item {number}")
    expect(page.locator(TARGET)).to_contain_text("Rewrite this in the style informal")
    expect(page.locator(".target-description")).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Undo last").click()
    expect(page.locator(TARGET)).to_contain_text("Rewrite this in the style formal")


def test_raters_who_say_the_style_themselves_are_not_told(page, study, work_at):
    work_at(make.campaign(study, "rank"))
    expect(page.locator(TARGET)).to_contain_text("The text should be in the style formal")
    work_at(make.campaign(study, "rate"))
    expect(page.locator("fieldset.scale").first).to_be_visible()
    expect(page.locator(TARGET)).to_have_count(0)


def test_the_guideline_stands_beside_the_work_and_is_hidden_by_a_key(page, study, work_at):
    work_at(make.campaign(study, "rank", guideline=GUIDELINE, examples=EXAMPLES))
    guideline = page.get_by_role("complementary", name="Guideline")
    expect(guideline.get_by_role("heading", name="How to write")).to_be_visible()
    expect(guideline.locator("li strong")).to_have_text("whole")
    expect(guideline).to_contain_text("<b>slang</b>")  # raw HTML is text
    expect(guideline.get_by_role("link")).to_have_count(0)
    expect(guideline.locator(".good")).to_contain_text("He left early.")
    expect(guideline.locator(".bad")).to_contain_text("He is gone forever.")
    assert axe.faults(page) == []
    page.keyboard.press("1")
    focused = page.evaluate("document.activeElement.name")
    page.keyboard.press("g")
    expect(guideline).to_be_hidden()
    assert page.evaluate("document.activeElement.name") == focused
    page.reload()
    expect(page.locator("fieldset.scale").first).to_be_visible()
    expect(guideline).to_be_hidden()
    page.keyboard.press("g")
    expect(guideline).to_be_visible()


def test_on_a_phone_the_guideline_is_a_sheet(page, study, work_at):
    page.set_viewport_size(axe.PHONE)
    work_at(make.campaign(study, "rank", guideline=GUIDELINE, examples=EXAMPLES))
    guideline = page.get_by_role("complementary", name="Guideline")
    expect(guideline).to_be_hidden()
    page.get_by_role("button", name="Guideline").click()
    expect(guideline).to_be_visible()
    page.keyboard.press("Escape")
    expect(guideline).to_be_hidden()
    page.keyboard.press("g")
    expect(guideline).to_be_visible()
    page.keyboard.press("g")
    expect(guideline).to_be_hidden()
