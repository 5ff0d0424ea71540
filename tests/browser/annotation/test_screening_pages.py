"""Screening a question and its abstracts in a real browser, by keyboard alone."""

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect
from support import abstracts
from support import campaigns as make

from annotation.models import Answer, Draft
from corpora.models import Document


@pytest.fixture
def work_at(page, web_server):
    """Open the work page of a campaign as an annotator."""

    def open_page(campaign):
        who = make.person("expert_annotator", campaign.study)
        client = Client()
        client.force_login(who)
        cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "domain": "127.0.0.1", "path": "/"}
        page.context.add_cookies([cookie])
        page.goto(reverse("campaign_work", args=[campaign.study.slug, campaign.slug]))
        return who

    return open_page


@pytest.fixture
def campaign(web_server):
    return abstracts.campaign(abstracts.study(abstracts.ASPIRIN, abstracts.ARABIC, abstracts.ASPIRIN), "screen")


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def chosen(page):
    return page.locator("[data-chosen]")


def test_a_question_is_screened_by_keyboard_alone(page, campaign, work_at):
    work_at(campaign)
    expect(page.get_by_role("button", name="Choose it")).to_be_focused()
    press(page, "y")
    expect(page.get_by_label("Focus")).to_be_focused()
    page.keyboard.type("heart attack")
    press(page, "Tab")
    page.keyboard.type("treat")
    expect(page.get_by_label("Kind")).to_have_value("treatment")
    press(page, "Escape", "c")
    abstract = page.get_by_text("Most people got well within a week.").first
    expect(abstract).to_be_hidden()
    press(page, "j", "k", "e")
    expect(abstract).to_be_visible()
    press(page, "e")
    expect(abstract).to_be_hidden()
    press(page, "i", "o")
    expect(chosen(page)).to_have_text("1 of 10 chosen")
    press(page, "Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text("Abstract 3 is not decided yet")
    expect(page.get_by_role("article", name="Abstract 3")).to_be_focused()
    press(page, "i", "Control+Enter")
    expect(page.get_by_role("heading", name="done")).to_be_focused()
    keys = [str(pk) for pk in Document.objects.order_by("number").values_list("pk", flat=True)]
    assert Answer.objects.get().content == {
        "chosen": True, "focus": "heart attack", "kind": "treatment", "type": "C",
        "documents": dict(zip(keys, (True, False, True), strict=True)),
    }  # fmt: skip


def test_a_question_is_left_out_at_once(page, campaign, work_at):
    work_at(campaign)
    press(page, "n", "Control+Enter")
    expect(page.get_by_role("heading", name="done")).to_be_focused()
    assert Answer.objects.get().content["chosen"] is False


def test_undo_redo_and_a_draft_that_outlives_a_reload(page, campaign, work_at):
    work_at(campaign)
    press(page, "y", "Escape", "i", "i")
    expect(chosen(page)).to_have_text("2 of 10 chosen")
    press(page, "Control+z")
    expect(chosen(page)).to_have_text("1 of 10 chosen")
    press(page, "Control+y")
    expect(chosen(page)).to_have_text("2 of 10 chosen")
    press(page, "f")
    page.keyboard.type("heart")
    press(page, "Escape")
    expect(page.locator("[data-saved]")).to_have_text("Saved")
    assert Draft.objects.get().content["focus"] == "heart"
    page.reload()
    expect(chosen(page)).to_have_text("2 of 10 chosen")
    expect(page.get_by_label("Focus")).to_have_value("heart")
    expect(page.get_by_role("article", name="Abstract 3")).to_be_focused()
    press(page, "ArrowUp", "e")
    shown = page.get_by_text(abstracts.ARABIC[0])
    expect(shown).to_be_visible()
    assert shown.evaluate("(text) => getComputedStyle(text).direction") == "rtl"
