"""Marking spans in a real browser: by keys alone, by touch, and in Arabic."""

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect
from support import axe
from support import campaigns as make
from support import stage_items as items
from support.effort import PHONE

from annotation.actions.read_guideline import read_guideline
from annotation.models import Answer

ENGLISH = ("The pt has HTN.", "The patient has high blood pressure now, doctor said.")
ARABIC = ("المريض يعاني من ارتفاع ضغط الدم.", "عند المريض ضغط مرتفع في الدم اليوم.")


@pytest.fixture
def work_at(web_server, new_page):
    """Open the work page of a campaign of these pairs of texts, and its first answer."""

    def open_page(*pairs, screen=None, **settings):
        study = make.study(items=1)
        contents = [{"source": source, "references": [], "candidates": [text], "turn": 0} for source, text in pairs]
        campaign = items.campaign_of(study, "spans", contents, **settings)
        client, who = Client(), make.person("expert_annotator", study)
        read_guideline(campaign=campaign, person=who, version=1)
        client.force_login(who)
        page = new_page(**(screen or {}))
        cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "domain": "127.0.0.1", "path": "/"}
        page.context.add_cookies([cookie])
        page.goto(reverse("campaign_work", args=[study.slug, campaign.slug]))
        return page, campaign

    return open_page


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def marked(page, side="output"):
    """The marked pieces of a text, joined."""
    return "".join(page.locator(f"[data-marking={side}] [data-step]").all_text_contents())


def submitted(page, campaign):
    page.keyboard.press("Control+Enter")
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 2")
    return Answer.objects.get(campaign=campaign).content


def test_a_text_is_marked_and_scored_by_keys_alone(work_at):
    page, campaign = work_at(ENGLISH, ENGLISH)
    box = page.locator("[data-marking=output]")
    expect(box).to_be_focused()
    press(page, "ArrowRight", "2")  # patient
    press(page, "ArrowRight", "ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "1")  # high blood pressure
    assert marked(page) == "patienthigh blood pressure"
    press(page, "Control+ArrowLeft", "1")  # a letter less is another span
    expect(page.locator("[data-marks] li")).to_have_count(3)
    press(page, "Control+z")
    expect(page.locator("[data-marks] li")).to_have_count(2)
    press(page, "Home", "ArrowRight", "1")  # the same span again: another severity
    expect(page.locator("[data-severity]").first).to_have_value("Minor")
    press(page, "Shift+Tab")
    expect(page.locator("[data-marking=source]")).to_be_focused()
    press(page, "End", "2", "Backspace", "2")
    assert marked(page, "source") == "HTN"
    assert axe.faults(page) == []
    expect(page.locator("[data-saved]")).to_have_text("Saved")
    page.reload()  # the draft has it all
    expect(page.locator("[data-marks] li")).to_have_count(3)
    box.focus()
    press(page, "Enter")
    page.keyboard.type("65")
    answer = submitted(page, campaign)
    assert [(mark["side"], mark["start"], mark["end"], mark["severity"]) for mark in answer["marks"]] == [
        ("source", 11, 14, "Major"), ("output", 4, 11, "Minor"), ("output", 16, 35, "Minor"),
    ]  # fmt: skip
    assert answer["ratings"] == [{"score": 65}]


def test_kinds_and_reasons_are_asked_of_each_mark(work_at):
    page, campaign = work_at(ENGLISH, ENGLISH, taxonomy="mqm", score=False, ask_reasons=True)
    press(page, "End", "3")
    kind = page.locator("[data-kind]")
    expect(kind).to_be_focused()
    press(page, "Control+Enter")
    expect(page.locator("[data-wrong=marks]")).to_contain_text("Choose what kind")
    kind.select_option("Accuracy/Addition")
    expect(page.locator("[data-wrong=marks]")).to_have_count(0)
    kind.press("Enter")
    expect(page.locator("[data-marking=output]")).to_be_focused()
    press(page, "Enter")
    page.keyboard.type("Nobody said so.")
    (mark,) = submitted(page, campaign)["marks"]
    assert (mark["kind"], mark["reason"], mark["severity"]) == ("Accuracy/Addition", "Nobody said so.", "Major")


def test_in_arabic_arrows_follow_the_reading_and_touch_marks_up_to_a_second_word(work_at):
    page, campaign = work_at(ARABIC, ARABIC, screen=PHONE)
    chosen = page.locator("[data-marking] [aria-selected=true]")
    expect(chosen).to_have_count(0)
    page.locator("[data-choice][data-value=Minor]").tap()  # before a word: it marks none, and says so
    expect(page.locator("#toast")).to_have_text("First choose words of a text.")
    expect(page.locator("[data-marking] [data-step]")).to_have_count(0)
    page.locator("[data-marking=output] [role=option]").first.tap()
    expect(chosen).to_have_count(1)
    press(page, "ArrowLeft")  # the second word, which stands left of the first
    page.locator("[data-choice][data-value=Minor]").tap()
    assert marked(page) == "المريض"
    words = page.locator("[data-marking=output] [role=option]")
    words.filter(has_text="ضغط").tap()
    words.filter(has_text="الدم").tap()
    page.locator("[data-choice][data-value=Major]").tap()
    page.locator("input[name='rating-0-score']").fill("40")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".workbar [data-key='Ctrl+Enter']:not(.danger)").tap()
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 2")
    answer = Answer.objects.get(campaign=campaign).content
    assert [ARABIC[1][mark["start"] : mark["end"]] for mark in answer["marks"]] == ["المريض", "ضغط مرتفع في الدم"]


def test_on_a_phone_one_scale_is_open_and_an_answer_folds_it(work_at):
    criteria = [{"name": name, "scale": "fluency_5"} for name in ("fluency", "style", "meaning")]
    page, campaign = work_at(ENGLISH, ENGLISH, screen=PHONE, criteria=criteria)
    shown = """(names) => names.map((name) => [...document.querySelectorAll(`[name=${name}]`)]
      .filter((one) => one.closest("label").offsetHeight > 9).length)"""
    names = [f"rating-0-{one['name']}" for one in criteria]
    assert page.evaluate(shown, names) == [5, 0, 0]
    assert page.evaluate("document.documentElement.scrollHeight") < 1_250
    page.locator(f"[name={names[0]}][value='4']").tap()
    assert page.evaluate(shown, names) == [1, 5, 0]
    page.locator(f"[name={names[0]}][value='4']").tap()  # to change it
    assert page.evaluate(shown, names) == [5, 5, 0]
    page.locator(f"[name={names[0]}][value='3']").tap()
    page.locator("fieldset.scale >> nth=2").locator("legend").tap()
    assert page.evaluate(shown, names) == [1, 5, 5]
    page.locator(f"[name={names[2]}][value='2']").tap()
    page.locator(f"[name={names[1]}][value='5']").focus()
    press(page, "ArrowUp")  # a key keeps its scale open
    assert page.evaluate(shown, names) == [1, 5, 1]
    assert axe.faults(page) == []
    assert submitted(page, campaign)["ratings"] == [{"fluency": 3, "style": 4, "meaning": 2}]
