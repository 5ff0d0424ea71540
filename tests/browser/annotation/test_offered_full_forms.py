"""Full forms chosen before come first, one goes to every place of its abbreviation, and characters are counted."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect
from support import axe, stage_items
from support import campaigns as make
from support.demo_site import sign_in
from support.screenshots import shoot

from annotation.actions.read_guideline import read_guideline

SOURCES = ["Pt with CAD on 2L NC .", "CAD stable , NC off ; CAD to be followed , CAD clinic in 2 weeks ."]
FULL = "coronary artery disease"


@pytest.fixture
def campaign(page, web_server):
    study = make.study(items=1)
    contents = [{"source": text, "split": "test"} for text in SOURCES]
    made = stage_items.campaign_of(study, "rephrase_simplify", contents, addressed=False)
    who = make.person("expert_annotator", study)
    read_guideline(campaign=made, person=who, version=1)
    start = SOURCES[0].index("CAD")
    content = {"spans": [{"start": start, "end": start + 3, "full": FULL}], "simplified": "Heart disease."}
    make.hand_in(made, who, make.held(made, who), content=content)
    sign_in(page, who, web_server.url)
    page.goto(reverse("campaign_work", args=[study.slug, made.slug]))
    return made


def forms(page):
    return [mark.get_attribute("data-full") for mark in page.locator(".rephrase-span").all()]


def test_by_keys_the_usual_form_is_taken_and_written_out_everywhere(page, campaign):
    expect(page.locator("[data-marking]")).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    first = page.locator("[data-marks] li").first
    expect(first.get_by_role("button", name=f"{FULL}, for CAD")).to_be_visible()
    expect(first.locator("input")).to_have_attribute("placeholder", FULL)
    page.keyboard.press("Enter")
    expect(page.locator("[data-marking]")).to_be_focused()
    assert forms(page) == [FULL]
    everywhere = first.get_by_role("button", name="Write out all 3 of CAD")
    everywhere.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".rephrase-span")).to_have_count(3)
    assert forms(page) == [FULL] * 3
    expect(first.get_by_role("button", name="Write out all")).to_have_count(0)
    expect(page.locator("[data-written]")).to_have_text(SOURCES[1].replace("CAD", FULL))
    assert axe.faults(page) == []
    shoot(page, "full-forms")


def test_another_form_is_typed_and_the_earlier_one_still_offered(page, campaign):
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")  # an empty form is unmarked as before
    expect(page.locator(".rephrase-span")).to_have_count(0)
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.keyboard.type("heart disease")
    first = page.locator("[data-marks] li").first
    first.get_by_role("button", name=FULL).click()
    expect(first.locator("input")).to_have_value(FULL)
    expect(first.locator("input")).to_be_focused()
    page.keyboard.press("Control+z")
    expect(first.locator("input")).to_have_value("heart disease")


def test_without_the_network_nothing_is_offered_and_one_writes_all_the_same(page, campaign):
    page.route("**/work/forms/**", lambda route: route.abort())
    page.reload()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.keyboard.type("heart disease")
    assert forms(page) == ["heart disease"]


def test_characters_are_counted_as_one_types(page, campaign):
    text = page.locator("#simplified")
    text.fill("قلب 🫀 ok")
    expect(page.locator("[data-characters]")).to_have_text("8 of 2,000 characters")
    expect(page.locator("[data-readability]")).to_contain_text("Grade")
    text.fill("")
    expect(page.locator("[data-characters]")).to_have_text("0 of 2,000 characters")
