"""A wrong key, a wrong window, a lost network: nothing that somebody wrote is lost in a real browser."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect
from support import axe, stage_items
from support import campaigns as make
from support.demo_site import sign_in

from annotation.actions.read_guideline import read_guideline
from annotation.blinding import Kind, handle_of
from annotation.models import Answer, Draft

FIELD = "textarea[name=text]"
SAVED = "[data-saved]"


@pytest.fixture
def campaign(web_server):
    return make.campaign(make.study(items=4), prefetch=0)


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


def of_answer(campaign, who, answer):
    handle = handle_of(Kind.ANSWER, answer, who.pk)
    return reverse("campaign_revise", args=[campaign.study.slug, campaign.slug, handle])


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
    assert axe.faults(worker) == []
    worker.get_by_role("button", name="Clear the report").click()
    expect(worker.get_by_label("Comment")).to_have_value("")
    worker.locator(FIELD).press("Control+Enter")
    item(worker, 2)
    assert Answer.objects.get().outcome == "answered"
    a_report_that_was_begun_is_not_overtaken(worker)


def a_report_that_was_begun_is_not_overtaken(worker):
    worker.get_by_text("Report a problem").click()
    worker.get_by_label("It holds personal data").check()
    worker.get_by_label("Comment").fill("It names somebody")
    worker.locator(FIELD).fill("I must")
    press(worker, "Control+Enter")
    expect(worker.locator("#toast")).to_contain_text("You have begun a report")
    expect(worker.get_by_label("Comment")).to_be_focused()
    press(worker, "Control+Enter")
    item(worker, 3)
    reported = Answer.objects.latest("pk")
    assert (reported.outcome, reported.content["comment"]) == ("reported", "It names somebody")


def test_a_skip_is_undone_and_what_was_typed_is_there(worker):
    write(worker, "I must")
    worker.get_by_role("button", name="Skip").click()  # the button is meant, even where a key is not
    item(worker, 2)
    expect(worker.get_by_text("It keeps what you typed.")).to_be_visible()
    assert axe.faults(worker) == []
    worker.get_by_role("button", name="Undo", exact=True).click()
    item(worker, 1)
    expect(worker.locator(FIELD)).to_have_value("I must")
    assert not Answer.objects.exists()
    worker.locator(FIELD).press("Control+Enter")
    item(worker, 2)
    assert Answer.objects.get().content == {"text": "I must"}
    a_report_is_undone_by_one_key_from_an_empty_item_and_not_from_one_that_was_begun(worker)


def a_report_is_undone_by_one_key_from_an_empty_item_and_not_from_one_that_was_begun(worker):
    worker.get_by_text("Report a problem").click()
    worker.get_by_label("It is harmful").check()
    worker.get_by_role("button", name="Send the report").click()
    item(worker, 3)
    write(worker, "Begun")
    leave_the_field(worker)
    press(worker, "z")
    expect(worker.locator("#toast")).to_contain_text("its keys do not leave it")
    worker.get_by_role("button", name="Undo", exact=True).click()
    expect(worker.get_by_role("alert")).to_contain_text("You have begun the next item")
    write(worker, "")
    leave_the_field(worker)
    press(worker, "z")
    item(worker, 2)
    assert [one.outcome for one in Answer.objects.all()] == ["answered"]


def test_one_key_takes_the_last_answer_back_into_the_form(worker):
    write(worker, "I must")
    press(worker, "Control+Enter")
    item(worker, 2)
    leave_the_field(worker)
    press(worker, "z")
    item_1 = worker.get_by_role("heading", name="Change your answer to item 1")
    expect(item_1).to_be_visible()
    expect(worker.locator(FIELD)).to_have_value("I must")
    assert axe.faults(worker) == []
    worker.locator(FIELD).fill("I have to")
    expect(worker.locator(SAVED)).to_have_text("Saved")
    worker.get_by_role("link", name="Next item").click()
    item(worker, 2)
    leave_the_field(worker)
    press(worker, "z")
    expect(worker.get_by_text("You had begun to change this answer.")).to_be_visible()
    expect(worker.locator(FIELD)).to_have_value("I have to")
    worker.locator(FIELD).press("Control+Enter")
    item(worker, 2)
    assert list(Answer.objects.order_by("revision").values_list("content__text", flat=True)) == ["I must", "I have to"]
    assert not Draft.objects.exists()


def test_the_page_of_a_revision_keeps_a_draft(worker, campaign, who):
    made = make.hand_in(campaign, who, make.held(campaign, who))
    worker.goto(of_answer(campaign, who, made.answer))
    worker.locator(FIELD).fill("Half a change")
    worker.reload()
    expect(worker.locator(FIELD)).to_have_value("Half a change")
    expect(worker.locator(SAVED)).to_have_text("Saved")
    worker.goto(at(campaign))
    item(worker, 2)
    worker.goto(of_answer(campaign, who, made.answer))
    expect(worker.get_by_text("You had begun to change this answer.")).to_be_visible()
    expect(worker.locator(FIELD)).to_have_value("Half a change")
    assert axe.faults(worker) == []
    worker.get_by_role("link", name="Begin from the submitted answer").click()
    expect(worker.locator(FIELD)).to_have_value("I have to see number 1.")
    worker.locator(FIELD).fill("")
    worker.locator(FIELD).press("Control+Enter")
    expect(worker.locator("#refusal")).to_have_text("The rewrite is empty.")
    worker.context.set_offline(True)
    worker.locator(FIELD).fill("Without a network")
    worker.locator(FIELD).press("Control+Enter")
    expect(worker.locator("#toast")).not_to_be_empty()
    expect(worker.locator(SAVED)).to_have_attribute("data-state", "offline")
    expect(worker.locator(FIELD)).to_have_value("Without a network")
    worker.context.set_offline(False)
    worker.locator(FIELD).press("Control+Enter")
    expect(worker.get_by_text("Your change is saved.")).to_be_visible()
    assert Answer.objects.latest("revision").content == {"text": "Without a network"}
    assert worker.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('restyle-draft-'))") == []


def test_a_page_that_comes_back_says_that_it_was_handed_in(worker, campaign, who):
    """Chromium keeps pages for Back and Forward, and Playwright turns that off: the page is told that it was kept."""
    made = make.hand_in(campaign, who, make.held(campaign, who))
    worker.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(worker.get_by_role("heading", name="You submitted this item")).to_be_focused()
    assert axe.faults(worker) == []
    worker.get_by_role("link", name="Change it").click()
    expect(worker.locator(FIELD)).to_have_value("I have to see number 1.")
    worker.get_by_role("link", name="Next item").click()
    item(worker, 2)
    worker.go_back()
    worker.go_forward()
    item(worker, 2)
    assert Answer.objects.get().pk == made.answer


def test_what_is_handed_in_from_an_old_page_stands_beside_what_is_there(worker, campaign, who):
    """It was thrown away, and said to be stored."""
    key = worker.locator("form[data-work] [name=key]").input_value()
    make.hand_in(campaign, who, make.held(campaign, who), key=key)
    worker.locator(FIELD).fill("Said otherwise")
    press(worker, "Control+Enter")
    expect(worker.get_by_role("alert")).to_contain_text("You already submitted a different answer")
    expect(worker.get_by_text("I have to see number 1.")).to_be_visible()
    expect(worker.locator(FIELD)).to_have_value("Said otherwise")
    assert axe.faults(worker) == []
    worker.get_by_role("button", name="Replace it with this answer").click()
    item(worker, 2)
    said = list(Answer.objects.order_by("revision").values_list("content__text", flat=True))
    assert said == ["I have to see number 1.", "Said otherwise"]


@pytest.mark.parametrize("mine", [True, pytest.param(False, marks=pytest.mark.soak)])
def test_two_windows_show_both_texts_and_one_is_chosen(worker, mine):
    other = worker.context.new_page()
    other.goto(worker.url)
    write(worker, "In the first window")
    with other.expect_response("**/draft/") as newer:
        other.locator(FIELD).fill("In the second window")
    assert newer.value.status == 409
    assert Draft.objects.get().content == {"text": "In the first window"}
    panel = other.get_by_role("alert", name="You changed this item in another window too")
    expect(panel).to_contain_text("In the first window")
    expect(panel).to_contain_text("In the second window")
    if mine:
        assert axe.faults(other) == []
    with other.expect_response("**/work/submit/") as refused:
        other.locator(FIELD).press("Control+Enter")  # asked again: nothing is overtaken
    assert refused.value.status == 409
    expect(other.locator(".htmx-request")).to_have_count(0)
    expect(panel).to_contain_text("In the first window")
    assert not Answer.objects.exists()
    other.get_by_role("button", name="Keep this version" if mine else "Use the other version").click()
    expect(panel).to_have_count(0)
    chosen = "In the second window" if mine else "In the first window"
    expect(other.locator(FIELD)).to_have_value(chosen)
    other.locator(FIELD).press("Control+Enter")
    item(other, 2)
    assert Answer.objects.get().content == {"text": chosen}


def test_a_reload_while_typing_loses_nothing_and_asks_nothing(worker):
    """The draft that was on its way made the page's own next one look like another window's."""
    for number in range(3):
        with worker.expect_request(lambda request: request.url.endswith("/draft/")):
            worker.locator(FIELD).fill(f"Typed {number}")
        worker.locator(FIELD).press_sequentially(" and on")
        worker.reload()
        expect(worker.locator(FIELD)).to_have_value(f"Typed {number} and on")
        expect(worker.locator(SAVED)).to_have_text("Saved")
    expect(worker.get_by_role("alert")).to_have_count(0)
    assert Draft.objects.get().content == {"text": "Typed 2 and on"}


def test_a_page_that_was_drawn_before_the_draft_came_in_has_what_was_typed(worker, campaign):
    drafts = []

    def draw_then_let_the_draft_in(route):
        drawn = route.fetch()
        for draft in drafts:
            draft.fulfill(response=draft.fetch())
        route.fulfill(response=drawn)

    write(worker, "I must")
    worker.route(f"**{at(campaign, 'campaign_draft')}", lambda route: drafts.append(route))
    with worker.expect_request(f"**{at(campaign, 'campaign_draft')}"):
        worker.locator(FIELD).fill("I must see it")
    worker.route(f"**{at(campaign)}", draw_then_let_the_draft_in, times=1)
    worker.reload()
    worker.unroute(f"**{at(campaign, 'campaign_draft')}")
    expect(worker.locator(FIELD)).to_have_value("I must see it")
    expect(worker.locator(SAVED)).to_have_text("Saved")


@pytest.mark.soak
def test_without_a_network_and_with_it_again_an_answer_is_there_once(worker):
    worker.context.set_offline(True)
    worker.locator(FIELD).fill("Typed in a tunnel")
    press(worker, "Control+Enter")
    expect(worker.locator("#toast")).to_contain_text("cannot be reached")
    expect(worker.locator(SAVED)).to_have_text("Kept in this browser")
    worker.context.set_offline(False)
    expect(worker.locator(SAVED)).to_have_text("Saved")
    with worker.expect_response("**/work/submit/"):
        worker.locator(FIELD).press("Control+Enter")
    item(worker, 2)
    assert Answer.objects.get().content == {"text": "Typed in a tunnel"}


def test_on_a_phone_nothing_sticks_out_and_nothing_is_lost(worker):
    worker.set_viewport_size(axe.PHONE)
    write(worker, "I must")
    worker.get_by_role("button", name="Skip").click()
    item(worker, 2)
    assert worker.evaluate("document.documentElement.scrollWidth <= innerWidth")
    worker.goto("/work/")
    worker.go_back()
    item(worker, 2)
    worker.get_by_role("button", name="Undo last").click()
    item(worker, 1)
    expect(worker.locator(FIELD)).to_have_value("I must")


def test_no_kind_of_work_takes_an_untouched_item_for_begun(page, web_server):
    study = make.study(items=2, systems=3, references=1)
    who = make.person("expert_annotator", study)
    sign_in(page, who, web_server.url)
    contents = {
        "label": {"source": "gotta go", "text": "I have to go."}, "verify": stage_items.rewrite_to_check(),
        "align": stage_items.group(), "rephrase_simplify": {"source": "Pt with SOB .", "split": "test"},
    }  # fmt: skip
    campaigns = [make.campaign(study, task_type) for task_type in ("rate", "rank", "best_worst")]
    for task_type, content in contents.items():
        more = {"labels": ["Paraphrase"]} if task_type == "label" else {}
        campaigns.append(stage_items.campaign_of(study, task_type, [content] * 2, **more))
    for campaign in campaigns:
        read_guideline(campaign=campaign, person=who, version=1)
        page.goto(at(campaign))
        item(page, 1)
        press(page, "s")
        item(page, 2)
        assert not Draft.objects.exists(), campaign.task_type
