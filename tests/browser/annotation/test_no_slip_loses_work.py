"""A wrong key, a wrong window, a lost network: nothing that somebody wrote is lost in a real browser."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect
from support import axe, stage_items
from support import campaigns as make
from support.demo_site import sign_in

from annotation.actions.read_guideline import read_guideline
from annotation.models import Answer, Draft

FIELD = "textarea[name=text]"
SAVED = "[data-saved]"


@pytest.fixture
def campaign(web_server):
    return make.campaign(make.study(items=4))


@pytest.fixture
def who(campaign):
    return make.person(study=campaign.study)


@pytest.fixture
def worker(page, campaign, who, web_server):
    """The page of an annotator at the first item."""
    sign_in(page, who, web_server.url)
    page.goto(at(campaign))
    return page


def at(campaign, name="campaign_work"):
    return reverse(name, args=[campaign.study.slug, campaign.slug])


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def item(page, number):
    expect(page.locator("#work")).to_have_attribute("data-say", f"Item {number}")


def write(page, text):
    page.locator(FIELD).fill(text)
    expect(page.locator(SAVED)).to_have_text("Saved")


def leave_the_field(page):
    page.locator("h1").click()
    expect(page.locator(FIELD)).not_to_be_focused()


def test_a_stray_key_leaves_no_item_that_was_begun(worker):
    write(worker, "I must")
    leave_the_field(worker)
    press(worker, "s")
    expect(worker.locator("#toast")).to_contain_text("its keys do not leave it")
    item(worker, 1)
    expect(worker.locator(FIELD)).to_have_value("I must")
    worker.reload()
    leave_the_field(worker)
    press(worker, "s")
    expect(worker.locator("#toast")).to_contain_text("its keys do not leave it")
    write(worker, "")
    worker.reload()
    leave_the_field(worker)
    press(worker, "s")
    item(worker, 2)


def test_enter_in_a_report_sends_the_report(worker):
    write(worker, "I must")
    worker.get_by_text("Report a problem").click()
    worker.get_by_label("Comment").fill("It names somebody")
    press(worker, "Enter")
    expect(worker.get_by_role("alert")).to_contain_text("Say what is wrong")
    expect(worker.get_by_label("Comment")).to_have_value("It names somebody")
    expect(worker.locator(FIELD)).to_have_value("I must")
    assert axe.faults_in_two_states(worker) == []
    worker.get_by_role("button", name="Empty it").click()
    expect(worker.get_by_label("Comment")).to_have_value("")
    worker.locator(FIELD).press("Control+Enter")
    item(worker, 2)
    assert Answer.objects.get().outcome == "answered"


def test_a_report_that_was_begun_is_not_overtaken(worker):
    worker.get_by_text("Report a problem").click()
    worker.get_by_label("It holds personal data").check()
    worker.get_by_label("Comment").fill("It names somebody")
    worker.locator(FIELD).fill("I must")
    press(worker, "Control+Enter")
    expect(worker.locator("#toast")).to_contain_text("You have begun a report")
    expect(worker.get_by_label("Comment")).to_be_focused()
    press(worker, "Control+Enter")
    item(worker, 2)
    reported = Answer.objects.get()
    assert (reported.outcome, reported.content["comment"]) == ("reported", "It names somebody")


@pytest.mark.parametrize("task_type", ["rate", "rank", "best_worst", "label", "verify", "align", "rephrase_simplify"])
def test_no_kind_of_work_takes_an_untouched_item_for_begun(page, web_server, task_type):
    study = make.study(items=2, systems=3, references=1)
    contents = {
        "label": {"source": "gotta go", "text": "I have to go."}, "verify": stage_items.rewrite_to_check(),
        "align": stage_items.group(), "rephrase_simplify": {"source": "Pt with SOB .", "split": "test"},
    }  # fmt: skip
    if task_type in contents:
        more = {"labels": ["Paraphrase"]} if task_type == "label" else {}
        campaign = stage_items.campaign_of(study, task_type, [contents[task_type]] * 2, **more)
    else:
        campaign = make.campaign(study, task_type)
    who = make.person("expert_annotator", study)
    read_guideline(campaign=campaign, person=who, version=1)
    sign_in(page, who, web_server.url)
    page.goto(at(campaign))
    item(page, 1)
    press(page, "s")
    item(page, 2)
    assert not Draft.objects.exists()
