"""What stops a submission is named where it is missing, is scrolled to and has the focus, in each kind of work."""

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect
from support import abstracts, axe
from support import campaigns as make
from support import stage_items as items

from annotation.actions.read_guideline import read_guideline
from annotation.models import Answer

STAGES = {
    "formality": {"scale": "formality_7", "beside": "nothing"},
    "meaning": {"scale": "meaning_6", "beside": "source"},
}
LABELLED = {"source": "gotta go , u know", "text": "I have to go, you know."}
MARKED = "Pt was admitted with NSTEMI and was placed on 2L NC for his SOB ."


@pytest.fixture
def work_at(page, web_server):
    """Open the work page of a campaign as an annotator."""

    def open_page(campaign):
        client, who = Client(), make.person("expert_annotator", campaign.study)
        read_guideline(campaign=campaign, person=who, version=1)
        client.force_login(who)
        cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "domain": "127.0.0.1", "path": "/"}
        page.context.add_cookies([cookie])
        page.goto(reverse("campaign_work", args=[campaign.study.slug, campaign.slug]))

    return open_page


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def refused(page, sentence, field):
    """Hand in: the sentence is there, and so is the focus, both on the screen; nothing is stored."""
    press(page, "Control+Enter")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text(sentence)
    expect(field).to_be_focused()
    expect(alert).to_be_in_viewport()
    expect(field).to_be_in_viewport()
    assert not Answer.objects.exists()


def of(task_type, contents, **settings):
    return items.campaign_of(make.study(items=1), task_type, contents, **settings)


def radio(page, name, value):
    return page.locator(f"[name='{name}'][value='{value}']")


def rating_never_speaks_of_a_stage_that_is_closed(page, work_at):
    page.set_viewport_size(axe.PHONE)
    work_at(make.campaign(make.study(items=2, systems=3), "rate", settings={"criteria": STAGES}))
    radio(page, "rating-0-formality", 1).check()
    refused(page, "Text 2: Formality is not rated yet.", radio(page, "rating-1-formality", -3))
    radio(page, "rating-1-formality", 1).check()
    expect(page.get_by_role("alert")).to_have_count(0)
    radio(page, "rating-2-formality", 1).check()
    radio(page, "rating-0-meaning", 6).check()
    refused(page, "Text 2: Meaning is not rated yet.", radio(page, "rating-1-meaning", 1))


def ranks(page, work_at):
    page.set_viewport_size(axe.PHONE)
    work_at(make.campaign(make.study(items=2, systems=3), "rank"))
    radio(page, "rank-0", 1).check()
    refused(page, "Text 2 has no rank yet.", radio(page, "rank-1", 1))


def the_best_and_the_worst(page, work_at):
    page.set_viewport_size(axe.PHONE)
    work_at(make.campaign(make.study(items=2, systems=3), "best_worst"))
    radio(page, "best", 3).check()
    refused(page, "No text is chosen as the worst yet.", radio(page, "worst", 1))


def a_rewrite(page, work_at):
    work_at(make.campaign(make.study(items=2)))
    refused(page, "is empty", page.locator("#text"))


def a_verdict_and_its_reason(page, work_at):
    work_at(of("verify", [items.rewrite_to_check()], reasons=["Wrong meaning", "Not fluent"]))
    refused(page, "Accept it, reject it or do it again.", radio(page, "verify-verdict", "accept"))
    press(page, "r")
    refused(page, "Choose the reason", radio(page, "verify-reason", "Wrong meaning"))


def labels(page, work_at):
    work_at(of("label", [LABELLED], labels=["Paraphrase", "Punctuation"]))
    refused(page, "none of these", page.locator("[data-label]").first)


def pairs(page, work_at):
    work_at(of("align", [items.group()]))
    refused(page, "nothing here is parallel", page.locator("#align-source-0"))


def a_full_form_and_plain_words(page, work_at):
    work_at(of("rephrase_simplify", [{"source": MARKED, "split": "test"}]))
    refused(page, "is empty", page.locator("#simplified"))
    page.locator("[data-marking]").focus()
    press(page, "Home", "Enter")
    refused(page, "The full form of “Pt”", page.locator("[data-marks] input"))


def an_undecided_sentence(page, work_at):
    work_at(abstracts.campaign(abstracts.study(), "adapt"))
    press(page, "c")
    refused(page, "Sentence 2: it is not decided yet", page.locator("[data-sentence='2']"))


def a_screening(page, work_at):
    work_at(abstracts.campaign(abstracts.study(abstracts.ASPIRIN, abstracts.ARABIC), "screen"))
    refused(page, "First decide whether the question is chosen.", page.get_by_role("button", name="Choose it"))
    press(page, "y")
    refused(page, "Write the question's focus", page.get_by_label("Focus"))
    page.keyboard.type("heart attack")
    press(page, "Enter")
    refused(page, "Choose the kind of the question.", page.get_by_label("Kind"))
    page.keyboard.type("treat")
    press(page, "Enter")
    refused(page, "Choose the type of the question.", page.locator("[data-type]").first)
    press(page, "c", "i")
    refused(page, "Abstract 2 is not decided yet", page.get_by_role("article", name="Abstract 2"))


def test_what_stops_a_submission_is_named_in_each_kind_of_work(page, work_at):
    for kind in (
        rating_never_speaks_of_a_stage_that_is_closed,
        ranks,
        the_best_and_the_worst,
        a_rewrite,
        a_verdict_and_its_reason,
        labels,
        pairs,
        a_full_form_and_plain_words,
        an_undecided_sentence,
        a_screening,
    ):
        page.set_viewport_size(axe.WIDE)
        kind(page, work_at)
