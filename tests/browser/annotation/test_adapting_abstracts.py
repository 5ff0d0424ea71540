"""Adapting abstracts in a real browser, by keyboard alone."""

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect
from support import abstracts, axe
from support import campaigns as make

from annotation.models import Answer, Draft

LONG = tuple(f"Sentence {n} of a long abstract, in which something was found and is told." for n in range(1, 31))


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


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def sentence(page, number):
    return page.locator(f"[data-sentence='{number}']")


def progress(page):
    return page.locator("[data-decided]")


def saved(page):
    expect(page.locator("[data-saved]")).to_have_text("Saved")


def test_an_abstract_is_adapted_by_keyboard_alone(page, work_at):
    work_at(abstracts.campaign(abstracts.study(), "adapt"))
    expect(sentence(page, 1)).to_be_focused()
    expect(page.get_by_text("What helps after a heart attack?")).to_be_visible()
    press(page, "w")
    expect(page.get_by_label("Sentence 1, target 1")).to_have_value(abstracts.ASPIRIN[0])
    press(page, "Control+a")
    page.keyboard.type("Heart attacks kill. s p g j k c")  # these are keys, but not while one types
    expect(sentence(page, 1).locator("ins").first).to_contain_text("Heart")
    press(page, "Alt+ArrowDown", "t")
    expect(page.get_by_label("Sentence 2, target 1")).to_be_focused()
    press(page, "Control+a")
    page.keyboard.type("412 people took aspirin. It thins the blood.")
    for _ in "It thins the blood.":
        press(page, "ArrowLeft")
    press(page, "Enter")  # splits at the cursor, and the empty second target takes what follows
    expect(page.get_by_label("Sentence 2, target 1")).to_have_value("412 people took aspirin.")
    expect(page.get_by_label("Sentence 2, target 2")).to_have_value("It thins the blood.")
    expect(page.get_by_label("Sentence 2, target 2")).to_be_focused()
    press(page, "Escape", "j", "c")
    expect(progress(page)).to_have_text("3 of 4 decided")
    expect(sentence(page, 4)).to_be_focused()
    press(page, "d", "2")
    expect(progress(page)).to_have_text("4 of 4 decided")
    saved(page)
    press(page, "Control+Enter")
    expect(page.get_by_role("heading", name="done")).to_be_focused()
    decided = Answer.objects.get().content["sentences"]
    assert [(one["number"], one["operation"], one["targets"], one["reason"]) for one in decided] == [
        (1, "rewritten", ["Heart attacks kill. s p g j k c"], ""),
        (2, "split", ["412 people took aspirin.", "It thins the blood."], ""),
        (3, "kept", [abstracts.ASPIRIN[2]], ""),
        (4, "dropped", [], "Only statistics"),
    ]


def test_undo_and_redo_and_a_draft_that_outlives_a_reload(page, work_at):
    work_at(abstracts.campaign(abstracts.study(), "adapt"))
    press(page, "c", "w")
    page.keyboard.type(" Indeed.")
    press(page, "Escape", "Control+z")
    expect(page.get_by_label("Sentence 2, target 1")).to_have_value(abstracts.ASPIRIN[1])
    press(page, "Control+y")
    expect(page.get_by_label("Sentence 2, target 1")).to_have_value(abstracts.ASPIRIN[1] + " Indeed.")
    press(page, "Control+z", "Control+z", "Control+z")
    expect(progress(page)).to_have_text("0 of 4 decided")
    expect(page.locator("[data-undo]")).to_be_disabled()
    press(page, "Control+Shift+z", "Control+y", "Control+y")
    expect(progress(page)).to_have_text("2 of 4 decided")
    saved(page)
    assert Draft.objects.get().content["sentences"][1]["targets"] == [abstracts.ASPIRIN[1] + " Indeed."]
    page.reload()
    expect(progress(page)).to_have_text("2 of 4 decided")
    expect(sentence(page, 2)).to_contain_text("Indeed.")
    expect(sentence(page, 3)).to_be_focused()


def test_targets_are_added_moved_joined_and_removed(page, work_at):
    work_at(abstracts.campaign(abstracts.study(), "adapt"))
    press(page, "w", "Control+a")
    page.keyboard.type("One.")
    press(page, "Enter")
    page.keyboard.type("Two.")
    first, second = page.get_by_label("Sentence 1, target 1"), page.get_by_label("Sentence 1, target 2")
    expect(second).to_have_value("Two.")
    sentence(page, 1).get_by_role("button", name="Move up").nth(1).press("Enter")
    expect(first).to_have_value("Two.")
    expect(first).to_be_focused()
    sentence(page, 1).get_by_role("button", name="Add a sentence").press("Enter")
    page.keyboard.type("Three.")
    sentence(page, 1).get_by_role("button", name="Remove").nth(2).press("Enter")
    expect(page.get_by_label("Sentence 1, target 3")).to_have_count(0)
    second.focus()
    press(page, "Home", "Backspace")
    expect(first).to_have_value("Two. One.")
    expect(sentence(page, 1).locator("[data-told]")).to_contain_text("Rewritten")
    press(page, "Escape", "v")
    expect(page.locator("[data-running]")).to_contain_text("Two. One. [sentence 2 is not decided]")


def test_an_earlier_adaptation_stands_beside(page, work_at):
    campaign = abstracts.campaign(abstracts.study(), "adapt")
    item = campaign.items.get()
    earlier = [{"number": 1, "operation": "rewritten", "targets": ["Hearts stop."], "reason": ""}]
    campaign.items.filter(pk=item.pk).update(content={**item.content, "earlier": earlier})
    work_at(campaign)
    expect(sentence(page, 1)).to_contain_text("Hearts stop.")
    press(page, "u")
    expect(page.get_by_label("Sentence 1, target 1")).to_have_value("Hearts stop.")
    expect(progress(page)).to_have_text("1 of 4 decided")


def test_a_long_abstract_and_one_from_right_to_left(page, work_at):
    work_at(abstracts.campaign(abstracts.study(LONG, abstracts.ARABIC), "adapt"))
    page.set_viewport_size(axe.PHONE)
    press(page, *["c"] * 29)
    expect(sentence(page, 30)).to_be_focused()
    expect(sentence(page, 30)).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    press(page, "ArrowUp", "ArrowDown", "d", "1", "Control+Enter")
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 2")
    press(page, "w")
    target = page.get_by_label("Sentence 1, target 1")
    expect(target).to_have_value(abstracts.ARABIC[0])
    assert target.evaluate("(field) => getComputedStyle(field).direction") == "rtl"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
