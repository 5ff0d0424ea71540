"""An annotator's day in a real browser: signing in, going on, the line of progress, a goal, the way back."""

import re

import pytest
from playwright.sync_api import expect
from support import axe
from support import campaigns as make
from support.demo_site import sign_in
from support.screenshots import PHONE, shoot

from accounts.permissions import Role
from annotation.actions.review_answer import review_answer
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.actions.set_expected import set_expected
from annotation.models import Answer, CampaignMembership


@pytest.fixture
def study(web_server):
    made = make.study(items=40, systems=2)
    make.person(Role.RESEARCHER, made, name="Ada Lead")
    return made


@pytest.fixture
def person(study):
    return make.person(study=study, name="Noor")


def hand_in(page, text):
    assignment = page.locator("#work").get_attribute("data-slot") or ""
    page.locator("textarea").fill(text)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#work")).not_to_have_attribute("data-slot", assignment)


def lay_out(study, person):
    """A campaign of each need, with some work done in one."""
    campaign = make.campaign(study, name="Formal letters", pay={"currency": "GBP", "item": 0.2})
    for number in range(6):
        make.hand_in(campaign, person, make.held(campaign, person), seconds=40 + number)
    answer = Answer.objects.filter(campaign=campaign).first()
    review_answer(answer=answer, verdict="rejected", comment="Too long.", by=make.person(Role.REVIEWER, study))
    make.campaign(study, "rate", name="Rate what systems wrote")
    make.campaign(study, name="كتابة رسائل رسمية إلى المرضى وأسرهم")
    make.campaign(study, name="For doctors", eligibility={"credentials": ["md"]})
    training = make.campaign(study, name="How we write", purpose="training", state="draft")
    set_expected(item=training.items.get(number=1), content={"text": "Expected."}, by=None)
    set_campaign_state(campaign=training, state="open", by=None)
    return campaign


def test_from_signing_in_to_the_item_that_one_left(page, study, person, web_server):
    lay_out(study, person)
    sign_in(page, person, web_server.url)
    page.goto("/")
    expect(page).to_have_url(re.compile(r"/work/$"))
    expect(page.get_by_role("heading", name="My work")).to_be_visible()
    cards = page.locator(".work-cards > article")
    expect(cards.locator("h2")).to_have_text(
        ["Formal letters", "How we write", "Rate what systems wrote", re.compile("كتابة"), "For doctors"]
    )
    expect(cards.first).to_contain_text("6 done")
    expect(cards.first).to_contain_text("1.00 GBP due")
    shoot(page, "my-work")
    page.evaluate("document.documentElement.dir = 'rtl'")
    shoot(page, "my-work-rtl")
    page.evaluate("document.documentElement.dir = 'ltr'")
    page.keyboard.press("g")
    expect(page.get_by_role("heading", level=1)).to_have_text("Formal letters")
    line = page.locator("#work-progress")
    expect(line).to_contain_text("34 left")
    expect(line).to_contain_text("at your pace")
    page.set_viewport_size({"width": 360, "height": 640})
    expect(line.get_by_text("1.00 GBP due")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="My work")).to_be_visible()


def test_the_line_follows_each_answer_and_a_goal_is_kept(page, study, person, web_server):
    campaign = lay_out(study, person)
    sign_in(page, person, web_server.url)
    page.goto("/")
    page.get_by_role("link", name="Continue").click()
    line = page.locator("#work-progress")
    line.get_by_text("Set a goal for today").click()
    line.get_by_label("Items per day").fill("0")
    page.keyboard.press("Enter")
    expect(line.get_by_role("alert")).to_contain_text("from 1")
    line.get_by_label("Items per day").fill("7")
    page.keyboard.press("Enter")
    expect(line).to_contain_text("6 of 7 today")
    expect(line.get_by_label("Items per day")).to_be_hidden()
    hand_in(page, "I have to see it.")
    expect(line).to_contain_text("7 of 7 today")
    expect(line).to_contain_text("33 left")
    expect(line.locator(".reached")).to_have_count(1)
    assert CampaignMembership.objects.get(campaign=campaign, person=person).goal == 7
    shoot(page, "work-progress")
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_without_work_one_reads_whom_to_ask(page, study, person, web_server):
    sign_in(page, person, web_server.url)
    page.goto("/")
    expect(page.get_by_role("heading", name="No work now")).to_be_visible()
    expect(page.get_by_text("Ada Lead")).to_be_visible()
    expect(page.get_by_role("navigation", name="Study")).to_have_count(0)
    shoot(page, "no-work")


def test_a_training_tells_hit_or_miss_in_the_scales_words_before_the_next_item(page, study, person, web_server):
    training = make.campaign(study, "rate", name="How we rate", purpose="training", state="draft")
    for item in training.items.filter(number__lte=2):
        ratings = [{"formality": 2, "fluency": 5, "meaning": 6} for _ in item.content["candidates"]]
        why = "It says “should”, as a letter does.\n\nNothing of the source is lost."
        set_expected(item=item, content={"ratings": ratings}, by=None, explanation=why)
    set_campaign_state(campaign=training, state="open", by=None)
    sign_in(page, person, web_server.url)
    page.goto(f"/studies/{study.slug}/campaigns/{training.slug}/work/")
    assert "as a letter does" not in page.content()
    for place in range(page.locator("[name$=-formality][value='2']").count()):
        page.locator(f"[name=rating-{place}-formality][value='{2 if place else -3}']").evaluate(
            "radio => radio.click()"
        )
        page.locator(f"[name=rating-{place}-fluency][value='5']").evaluate("radio => radio.click()")
        page.locator(f"[name=rating-{place}-meaning][value='6']").evaluate("radio => radio.click()")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Partly as expected")).to_be_visible()
    expect(page.locator(".feedback")).to_contain_text("Very Informal (-3)")
    expect(page.locator(".feedback")).to_contain_text("as a letter does")
    expect(page.locator(".feedback .badge.rejected")).to_have_count(1)
    expect(page.locator("[data-work]")).to_have_count(0)
    expect(page.get_by_role("link", name="Next item")).to_be_focused()
    assert axe.faults(page) == []
    shoot(page, "feedback")
    page.keyboard.press("Enter")
    expect(page.locator("[data-work]")).to_be_visible()
    expect(page.locator(".feedback")).to_have_count(0)
