"""Rating on a slider, and choosing the best and the worst, by keyboard alone; one page load for what can share one."""

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect
from support import axe
from support import campaigns as make

from annotation.models import Answer, Draft

CRITERIA = {"fluency": {"scale": "slider_100"}, "content": {"scale": "content_5"}}


@pytest.fixture
def work_at(page, web_server):
    """Open the work page of a campaign as an annotator who is signed in."""

    def open_page(campaign):
        client = Client()
        client.force_login(make.person(study=campaign.study))
        cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "domain": "127.0.0.1", "path": "/"}
        page.context.add_cookies([cookie])
        page.goto(reverse("campaign_work", args=[campaign.study.slug, campaign.slug]))

    return open_page


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def test_a_slider_by_keyboard_says_nothing_until_it_is_moved(page, work_at):
    study = make.study(items=2, systems=1, references=1)
    work_at(make.campaign(study, "rate", settings={"criteria": CRITERIA}))
    slider, number = page.get_by_role("slider", name="Fluency"), page.get_by_role("spinbutton")
    reference = page.get_by_text("Reference 0 of sentence 1.")
    expect(slider).to_be_focused()
    expect(slider).to_have_attribute("aria-valuetext", "not rated yet")
    press(page, "Control+Enter")
    expect(page.get_by_role("alert")).to_have_text("Fluency is not rated yet.")
    expect(reference).to_be_hidden()
    slider.focus()
    for key, value in {"Home": 0, "ArrowRight": 1, "PageUp": 11, "ArrowLeft": 10, "End": 100, "PageDown": 90}.items():
        press(page, key)
        expect(number).to_have_value(str(value))
    expect(reference).to_be_visible()
    press(page, "7", "3")
    expect(number).to_be_focused()
    press(page, "PageDown")
    expect(slider).to_have_value("63")
    expect(page.locator("[data-saved]")).to_have_text("Saved")
    assert Draft.objects.get().content == {"ratings": [{"fluency": 63}]}
    page.reload()
    assert axe.faults(page) == []
    expect(number).to_have_value("63")
    expect(slider).not_to_have_attribute("aria-valuetext", "not rated yet")
    press(page, "4", "Control+Enter")
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 2")
    assert Answer.objects.get().content == {"ratings": [{"fluency": 63, "content": 4}]}
    expect(number).to_have_value("")
    slider.click()  # where the thumb would be: it moves nothing, and is an answer
    expect(number).to_have_value("50")
    number.fill("101")
    expect(number).to_have_attribute("aria-invalid", "true")
    expect(slider).to_have_attribute("aria-valuetext", "not rated yet")


def test_the_best_and_the_worst_by_keyboard(page, work_at):
    work_at(make.campaign(make.study(items=2, systems=3, references=1), "best_worst"))
    chosen = page.locator(".extremes input:checked")
    press(page, "2", "2")
    expect(chosen).to_have_attribute("name", "worst")  # no text is both: the later choice takes the earlier one back
    press(page, "3", "1")
    assert [one.get_attribute("name") + one.get_attribute("value") for one in chosen.all()] == ["best1", "worst2"]
    expect(page.locator("[data-saved]")).to_have_text("Saved")
    page.reload()
    expect(chosen).to_have_count(2)
    press(page, "?")
    expect(page.get_by_role("dialog")).to_contain_text("Best, Worst")
    press(page, "Escape", "Control+Enter")
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 2")
    answer = Answer.objects.get()
    assert answer.content == {"best": answer.order[0] + 1, "worst": answer.order[1] + 1}
