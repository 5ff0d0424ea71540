"""An item handed in with its last answer, where campaign or person say so; and what Enter does in a rewrite."""

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect
from support import campaigns as make
from support import stage_items as items

from annotation.actions.edit_campaign import edit_campaign
from annotation.actions.read_guideline import read_guideline
from annotation.models import Answer

LABELLED = {"source": "gotta go , u know", "text": "I have to go, you know."}
STAGES = {
    "formality": {"scale": "formality_7", "beside": "nothing"},
    "meaning": {"scale": "meaning_6", "beside": "source"},
}


@pytest.fixture
def work_at(page, web_server):
    """Open the work page of a campaign, which submits at once unless said otherwise, as an annotator."""

    def open_page(campaign, *, at_once=True):
        edit_campaign(campaign=campaign, submits_at_once=at_once, by=None)
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


def at_item(page, number):
    expect(page.locator("#work")).to_have_attribute("data-say", f"Item {number}")


def where_it_is(page, choice):
    """The middle of a choice. `check()` would press the next item's too, once the first is gone."""
    box = page.locator(choice).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def answers():
    return list(Answer.objects.order_by("pk").values_list("content", flat=True))


def of(task_type, contents, **settings):
    return items.campaign_of(make.study(items=1), task_type, contents, **settings)


PRESS = """(key) => (document.activeElement ?? document.body).dispatchEvent(
  new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...key }))"""


def test_keys_are_found_on_keyboards_of_other_layouts(page, work_at):
    """Digits as AZERTY and Arabic keyboards say them."""
    work_at(make.campaign(make.study(items=2, systems=1), "rate", settings={"criteria": STAGES}), at_once=False)
    first, second = (page.locator("#work [data-key-scope]").nth(place).locator("input") for place in (0, 1))
    page.evaluate(PRESS, {"key": "2", "code": "Digit2"})
    expect(first.nth(5)).to_be_checked()
    page.evaluate(PRESS, {"key": '"', "code": "Digit3"})
    expect(second.nth(2)).to_be_checked()
    first.nth(5).focus()
    page.evaluate(PRESS, {"key": "\u0661", "code": "Digit1"})
    expect(first.nth(4)).to_be_checked()
    first.nth(4).focus()
    page.evaluate(PRESS, {"key": "#", "code": "Digit3", "shiftKey": True})
    page.evaluate(
        PRESS, {"key": "3", "code": "Digit3", "keyCode": 229}
    )  # the end of a word that an input method writes
    expect(first.nth(4)).to_be_checked()


def test_each_level_is_chosen_by_the_number_that_is_read_there(page, work_at):
    own = "mood | ordinal | -1 Sad | 0 | 1 Glad"
    criteria = {
        "formality": {"scale": "formality_7", "beside": "nothing"},
        "mood": {"scale": own, "beside": "nothing"},
        "likeness": {"scale": "similarity_3", "beside": "nothing"},
        "part": {"scale": "part | ordinal | 10 Some | 20 More | 30 All", "beside": "nothing"},
    }
    work_at(make.campaign(make.study(items=1, systems=1), "rate", settings={"criteria": criteria}), at_once=False)
    for name in criteria:
        scale = page.locator(f"fieldset:has([name='rating-0-{name}'])")
        for number in range(scale.locator("label").count()):
            level = scale.locator("label").nth(number)
            scale.locator("input").first.focus()
            hint = level.locator("kbd, b").last.inner_text()
            press(page, *hint)
            expect(level.locator("input")).to_be_checked()
            if name != "part":
                assert level.locator("input").input_value() == hint
    formality, likeness = (page.locator(f"[name='rating-0-{name}']") for name in ("formality", "likeness"))
    formality.first.focus()
    press(page, "-", "2")
    expect(formality.and_(page.locator("[value='-2']"))).to_be_checked()
    likeness.first.focus()
    press(page, "1", "3")
    expect(likeness.and_(page.locator("[value='1']"))).to_be_checked()
    expect(formality.and_(page.locator("[value='-2']"))).to_be_checked()  # 3 is not on the scale in focus


def test_a_verdict_is_given_on_a_cyrillic_keyboard(page, work_at):
    work_at(of("verify", [items.rewrite_to_check()] * 2, reasons=["Wrong meaning"]), at_once=False)
    page.evaluate(PRESS, {"key": "\u0444", "code": "KeyA"})
    expect(page.locator("[data-key=a]")).to_be_checked()


def test_a_verdict_is_one_key_and_undone_by_another(page, work_at):
    work_at(of("verify", [items.rewrite_to_check()] * 4, reasons=["Wrong meaning", "Not fluent"]))
    press(page, "a")
    at_item(page, 2)
    press(page, "r")
    expect(page.get_by_role("group", name="Why?")).to_be_visible()
    assert len(answers()) == 1  # the reason is asked for
    press(page, "2")
    at_item(page, 3)
    press(page, "e")
    expect(page.locator("textarea[name=text]")).to_be_focused()
    page.reload()
    expect(page.locator("textarea[name=text]")).to_be_visible()
    assert [answer["verdict"] for answer in answers()] == ["accept", "reject"]
    page.mouse.click(*where_it_is(page, "[value=accept]"))
    at_item(page, 4)
    page.mouse.move(*where_it_is(page, "[value=accept]"))
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)  # of the item before
    expect(page.locator("[value=accept]")).not_to_be_checked()
    press(page, "z")
    expect(page.get_by_role("heading", name="Change your answer to item 3")).to_be_visible()
    page.locator("[value=reject]").check()
    page.locator("[name=verify-reason]").first.check()
    expect(page.get_by_role("heading", name="Change your answer to item 3")).to_be_visible()
    assert len(answers()) == 3  # a change is handed in where somebody says so


def test_a_single_label_is_one_key_and_several_are_not(page, work_at):
    work_at(of("label", [LABELLED] * 2, labels=["Paraphrase", "Punctuation"], single=True))
    press(page, "2")
    at_item(page, 2)
    assert answers()[0]["labels"] == ["Punctuation"]
    work_at(of("label", [LABELLED] * 2, labels=["Paraphrase", "Punctuation"]))
    press(page, "1", "2")
    expect(page.locator("[data-label]:checked")).to_have_count(2)
    press(page, "Control+Enter")
    at_item(page, 2)
    assert answers()[1]["labels"] == ["Paraphrase", "Punctuation"]


def test_the_best_and_the_worst_are_two_keys(page, work_at):
    work_at(make.campaign(make.study(items=2, systems=3), "best_worst"))
    press(page, "2", "1")
    at_item(page, 2)
    assert sorted(answers()[0]) == ["best", "worst"]


def test_a_ranking_waits_for_a_word_on_the_last_text(page, work_at):
    work_at(make.campaign(make.study(items=3, systems=3), "rank"))
    press(page, "2", "1")
    expect(page.locator("[name='rank-2'][value='3']")).to_be_checked()
    expect(page.locator("[name='rank-2'][value='3']")).to_be_focused()
    expect(page.locator("[data-saved]")).to_have_text("Saved")
    assert answers() == []  # it may still share a place
    press(page, "3")
    at_item(page, 2)
    press(page, "1", "2", "2")
    at_item(page, 3)
    assert [sorted(answer["ranks"]) for answer in answers()] == [[1, 2, 3], [1, 2, 2]]
    for place in (3, 1):
        page.locator(f"[data-text='{place}'] .text").click()
    expect(page.locator("[name='rank-1'][value='3']")).to_be_checked()
    assert len(answers()) == 2
    page.locator("[data-text='2'] .text").click()
    expect(page.get_by_role("heading", name="All items are done")).to_be_visible()
    assert sorted(answers()[2]["ranks"]) == [1, 2, 3]


def test_an_arrow_key_hands_nothing_in(page, work_at):
    criteria = {"formality": {"scale": "formality_7", "beside": "nothing"}}
    work_at(make.campaign(make.study(items=2, systems=1), "rate", settings={"criteria": criteria}))
    press(page, "ArrowRight", "ArrowRight")
    expect(page.locator("[name=rating-0-formality][value='-1']")).to_be_checked()
    expect(page.locator("[data-saved]")).to_have_text("Saved")
    assert answers() == []
    press(page, "Control+Enter")
    at_item(page, 2)
    press(page, "2")
    expect(page.get_by_role("heading", name="All items are done")).to_be_visible()
    assert [answer["ratings"][0]["formality"] for answer in answers()] == [-1, 2]


def test_ratings_wait_for_every_stage(page, work_at):
    work_at(make.campaign(make.study(items=2, systems=1), "rate", settings={"criteria": STAGES}))
    press(page, "3")
    expect(page.locator("[name=rating-0-meaning]").first).to_be_visible()
    press(page, "6")
    at_item(page, 2)
    assert answers() == [{"ratings": [{"formality": 3, "meaning": 6}]}]


def test_a_person_chooses_otherwise_and_it_is_kept(page, work_at):
    work_at(of("verify", [items.rewrite_to_check()] * 3))
    choice = page.get_by_label("Submit on the last answer")
    expect(choice).to_be_checked()
    choice.uncheck()
    page.reload()
    expect(choice).not_to_be_checked()
    press(page, "a")
    expect(page.locator("[data-saved]")).to_have_text("Saved")
    assert answers() == []
    choice.check()
    page.locator("[value=accept]").press("Control+Enter")
    at_item(page, 2)
    press(page, "a")
    at_item(page, 3)


def test_the_choice_stands_below_the_buttons_of_a_phone(page, work_at):
    page.set_viewport_size({"width": 390, "height": 844})
    work_at(make.campaign(make.study(items=2, systems=3), "best_worst"), at_once=False)
    page.get_by_label("Submit on the last answer").check()
    page.locator("[name=best][value='1']").check()
    page.locator("[name=worst][value='3']").click()
    at_item(page, 2)
    assert len(answers()) == 1
    bar, choice = (page.locator(part).bounding_box() for part in (".workbar", "[data-at-once-choice]"))
    assert choice["y"] >= bar["y"] + bar["height"]


def test_enter_in_a_rewrite_submits_or_does_nothing(page, work_at):
    study = make.study(items=3)
    campaign = make.campaign(study)
    work_at(campaign, at_once=False)
    page.keyboard.type("I must see it")
    press(page, "Enter", "Shift+Enter")
    expect(page.locator("#text")).to_have_value("I must see it")
    expect(page.locator("[data-saved]")).to_have_text("Saved")
    assert answers() == []
    page.get_by_label("Enter submits").check()
    page.locator("#text").press("Enter")
    at_item(page, 2)
    assert answers() == [{"text": "I must see it"}]
