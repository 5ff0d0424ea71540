"""Aligning, verifying and labelling in a real browser, by keyboard alone."""

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect
from support import axe
from support import campaigns as make
from support import stage_items as items

from annotation.actions.read_guideline import read_guideline
from annotation.models import Answer, Draft

LABELS = ["Paraphrase", "Punctuation", "Capitalization"]


@pytest.fixture
def study(web_server):
    return make.study(items=1)


@pytest.fixture
def work_at(page, study):
    """Open the work page of a campaign of these items as an annotator."""

    def open_page(task_type, contents, **settings):
        campaign = items.campaign_of(study, task_type, contents, **settings)
        client = Client()
        who = make.person("expert_annotator", study)
        read_guideline(campaign=campaign, person=who, version=1)
        client.force_login(who)
        cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "domain": "127.0.0.1", "path": "/"}
        page.context.add_cookies([cookie])
        page.goto(reverse("campaign_work", args=[study.slug, campaign.slug]))
        return campaign

    return open_page


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def saved(page):
    expect(page.locator("[data-saved]")).to_have_text("Saved")


def box(page, side, number):
    return page.locator(f"#align-{side}-{number - 1}")


def pairs(page):
    return page.locator("[data-pair]")


def test_a_group_is_aligned_by_keyboard_alone(page, work_at):
    work_at("align", [items.group(), items.group(items.HEBREW, items.LAYMAN)])
    expect(box(page, "source", 1)).to_be_focused()
    press(page, "Space", "ArrowRight")
    expect(box(page, "target", 1)).to_be_focused()
    press(page, "Space", "ArrowDown", "Space", "Enter")  # one expert sentence, two for laymen
    expect(pairs(page)).to_have_count(1)
    expect(box(page, "source", 2)).to_be_focused()  # where the next pair begins
    press(page, "ArrowUp", "Space")  # it stands in a pair
    expect(box(page, "source", 1)).not_to_be_checked()
    press(page, "ArrowDown", "Space", "ArrowRight", "End", "Space", "Enter")
    expect(pairs(page)).to_have_count(2)
    expect(pairs(page).nth(1)).to_contain_text("dullness to percussion")
    expect(page.locator("#align-none")).to_be_disabled()
    saved(page)
    press(page, "Control+Enter")
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 2")
    expect(box(page, "source", 1)).to_be_focused()
    expected = [{"source": [0], "target": [0, 1]}, {"source": [1], "target": [3]}]
    assert Answer.objects.get().content == {"pairs": expected, "none": False}
    press(page, "n", "Control+Enter")
    expect(page.get_by_role("heading", name="done")).to_be_focused()
    assert Answer.objects.latest("pk").content == {"pairs": [], "none": True}


def test_half_a_pair_is_not_taken(page, work_at):
    work_at("align", [items.group()])
    press(page, "Space", "Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text("chosen but not paired")
    expect(box(page, "source", 1)).to_be_checked()
    assert not Answer.objects.exists()


def test_pairs_are_removed_undone_and_outlive_a_reload(page, work_at):
    work_at("align", [items.group()])
    press(page, "Space", "ArrowRight", "Space", "Enter")
    expect(pairs(page)).to_have_count(1)
    press(page, "ArrowUp", "Delete")
    expect(pairs(page)).to_have_count(0)
    press(page, "Control+z")
    expect(pairs(page)).to_have_count(1)
    press(page, "Control+z")
    expect(pairs(page)).to_have_count(0)
    expect(box(page, "source", 1)).to_be_checked()
    press(page, "Control+y")
    expect(pairs(page)).to_have_count(1)
    press(page, "ArrowDown", "ArrowRight", "Space")
    saved(page)
    page.reload()
    expect(pairs(page)).to_have_count(1)
    expect(page.locator("[data-column=target] input:checked")).to_have_count(1)
    assert Draft.objects.get().content["pairs"] == [{"source": [0], "target": [0]}]
    pairs(page).get_by_role("button", name="Remove pair A").press("Enter")
    expect(pairs(page)).to_have_count(0)
    expect(page.locator("#align-none")).to_be_focused()


def test_a_translation_is_shown_and_hidden_and_a_concept_explains_itself(page, work_at):
    work_at("align", [items.group()], highlight_concepts=True)
    translation, note = page.locator(".translation"), page.get_by_role("tooltip")
    expect(translation).to_be_visible()
    press(page, "t")
    expect(translation).to_be_hidden()
    page.reload()
    expect(translation).to_be_hidden()
    expect(note).to_be_hidden()
    page.locator("mark.concept").focus()
    expect(note).to_have_text(items.DEFINITION)
    expect(note).to_be_visible()
    press(page, "Escape")
    expect(note).to_be_hidden()


def test_on_a_phone_a_switch_shows_the_other_text(page, work_at):
    page.set_viewport_size(axe.PHONE)
    work_at("align", [items.group()])
    expect(box(page, "source", 1)).to_be_visible()
    expect(box(page, "target", 1)).to_be_hidden()
    box(page, "source", 1).focus()  # a phone goes to the item itself, not into a choice
    press(page, "Space", "ArrowRight")
    expect(box(page, "target", 1)).to_be_focused()
    expect(box(page, "source", 1)).to_be_hidden()
    page.get_by_role("button", name="expert").click()
    expect(box(page, "source", 1)).to_be_checked()


def test_in_a_page_from_right_to_left_the_arrows_follow_the_eye(page, work_at):
    work_at("align", [items.group(items.HEBREW, items.LAYMAN)])
    assert page.evaluate("getComputedStyle(document.querySelector('[data-text]')).unicodeBidi") == "plaintext"
    page.evaluate("document.documentElement.dir = 'rtl'")
    left, right = box(page, "target", 1).bounding_box(), box(page, "source", 1).bounding_box()
    assert left["x"] < right["x"]
    press(page, "ArrowLeft")
    expect(box(page, "target", 1)).to_be_focused()
    press(page, "ArrowRight")
    expect(box(page, "source", 1)).to_be_focused()


def test_a_rewrite_is_accepted_rejected_and_done_again_by_keyboard(page, work_at):
    work_at("verify", [items.rewrite_to_check()] * 3, reasons=["Wrong meaning", "Not fluent"])
    expect(page.locator(".product-diff del").first).to_contain_text("gotta")
    press(page, "a", "Control+Enter")
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 2")
    press(page, "r", "Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text("Choose the reason")
    press(page, "2", "Control+Enter")
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 3")
    press(page, "e")
    expect(page.locator("textarea[name=text]")).to_be_focused()
    expect(page.locator("textarea[name=text]")).to_have_value("I have to go, you know.")
    press(page, "Control+a")
    page.keyboard.type("I must leave, are we clear")  # a, r and e are keys, but not while one types
    saved(page)
    page.reload()
    expect(page.locator("textarea[name=text]")).to_have_value("I must leave, are we clear")
    page.locator("textarea[name=text]").press("Control+Enter")
    expect(page.get_by_role("heading", name="done")).to_be_focused()
    assert list(Answer.objects.order_by("pk").values_list("content", flat=True)) == [
        {"verdict": "accept", "reason": "", "note": ""},
        {"verdict": "reject", "reason": "Not fluent", "note": ""},
        {"verdict": "redo", "reason": "", "note": "", "answer": {"text": "I must leave, are we clear"}},
    ]


def test_a_pair_is_done_again_in_the_editor_that_made_it(page, work_at):
    work_at("verify", [items.pair_to_check()])
    press(page, "e")
    expect(box(page, "source", 1)).to_be_focused()
    expect(pairs(page)).to_have_count(1)
    press(page, "Delete", "Space", "ArrowDown", "ArrowRight", "Space", "Enter")
    expect(pairs(page)).to_have_count(1)
    press(page, "Control+z", "Control+y")
    saved(page)
    press(page, "Control+Enter")
    expect(page.get_by_role("heading", name="done")).to_be_focused()
    answer = Answer.objects.get().content
    assert answer["answer"]["pairs"][0]["source"] == [0]
    assert answer["answer"]["pairs"] != [{"source": [0], "target": [0, 1]}]


def test_a_text_is_labelled_by_the_number_keys(page, work_at):
    content = {"source": "gotta go , u know", "text": "I have to go, you know."}
    work_at("label", [content, content], labels=LABELS)
    chosen = page.locator("[data-label]:checked")
    press(page, "Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text("none of these")
    press(page, "1", "3")
    expect(chosen).to_have_count(2)
    press(page, "n")
    expect(chosen).to_have_count(0)
    expect(page.locator("[data-none]")).to_be_checked()
    press(page, "Control+z")
    expect(chosen).to_have_count(2)
    press(page, "1", "Control+z", "Control+y")
    page.get_by_label("Note").press_sequentially("1 is not a key here")
    saved(page)
    page.reload()
    expect(chosen).to_have_count(1)
    press(page, "Control+Enter")
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 2")
    made = {"labels": ["Capitalization"], "none": False, "note": "1 is not a key here"}
    assert Answer.objects.get().content == made
    page.set_viewport_size({"width": 360, "height": 740})  # labels in other languages have long words
    longest = "all => all.map(b => { b.textContent = 'Zeichensetzungsregelverletzung'; return b.parentElement })"
    wide = f"all => ({longest})(all).filter(one => one.scrollWidth > one.clientWidth).length"
    assert page.locator(".labels .choice b").evaluate_all(wide) == 0
    assert page.locator("kbd").first.evaluate("kbd => getComputedStyle(kbd).whiteSpace") == "nowrap"  # Ctr-l
