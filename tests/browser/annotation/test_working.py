"""People at work in a real browser, by keyboard alone."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from factories.handles import handle
from playwright.sync_api import expect
from support import campaigns as make

from annotation.models import Answer, Draft

SAVED = "[data-saved]"


@pytest.fixture
def study(web_server):
    return make.study(items=3, systems=3, references=1)


@pytest.fixture
def work_at(page, study):
    """Open a page as an annotator of the study, who is signed in."""

    def open_page(campaign, name="campaign_work", role="crowd_annotator", query=""):
        who = make.person(role, study)
        client = Client()
        client.force_login(who)
        cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "domain": "127.0.0.1", "path": "/"}
        page.context.add_cookies([cookie])
        page.goto(reverse(name, args=[study.slug, *([campaign.slug] if campaign else [])]) + query)
        return who

    return open_page


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def sign_in(page, who):
    page.get_by_label("Email").fill(who.email)
    page.get_by_label("Password", exact=True).fill(make.PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def test_rewriting_by_keyboard(page, study, work_at):
    campaign = make.campaign(study, guideline="Write it as in a letter.")
    work_at(campaign)
    expect(page.get_by_text("Write it as in a letter.")).to_be_visible()
    expect(page.get_by_label("Rewrite in the other style")).to_have_count(0)
    press(page, "Control+Enter")
    expect(page.get_by_label("Rewrite in the other style")).to_be_focused()
    page.keyboard.type("I must see number 1, you know s p")  # s and p are keys, but not while one types
    expect(page.locator("[data-diff-shown] del").first).to_have_text("gotta")
    expect(page.locator("[data-diff-shown] ins").first).to_contain_text("I")
    expect(page.locator(SAVED)).to_have_text("Saved")
    press(page, "Control+Enter")
    expect(page.locator("[data-diff-source]")).to_have_text("gotta see number 2 , u know")
    expect(page.get_by_label("Rewrite in the other style")).to_be_focused()
    answer = Answer.objects.get()
    assert answer.content == {"text": "I must see number 1, you know s p"}
    assert answer.seconds is not None
    assert not Draft.objects.exists()


def test_a_text_that_is_too_long_is_never_cut_and_says_how_much_of_it_is_too_much(page, study, work_at):
    campaign = make.campaign(study)
    work_at(campaign)
    long = "word " * 1_000 + "end"
    page.locator("textarea[name=text]").focus()
    page.keyboard.insert_text(long)  # as a paste
    said = page.locator("[data-too-long]")
    expect(said).to_have_text("Too long: 5,003 characters, 2,000 at most, so 3,003 too many.")
    expect(page.locator("[data-saved]")).to_have_text("Saved")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#refusal")).to_have_text("The rewrite has 5003 characters; at most 2000 are allowed.")
    expect(page.locator("textarea[name=text]")).to_have_value(long)
    page.reload()
    expect(page.locator("textarea[name=text]")).to_have_value(long)
    expect(said).to_contain_text("3,003 too many")
    page.locator("textarea[name=text]").fill("I must see number 1.")
    expect(said).to_be_empty()
    page.keyboard.press("Control+Enter")
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 2")
    assert Answer.objects.get().content == {"text": "I must see number 1."}


def test_an_error_is_read_and_what_was_typed_stays(page, study, work_at):
    work_at(make.campaign(study))
    page.keyboard.type("gotta see number 1 , u know")
    press(page, "Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text("same as the source")
    expect(page.get_by_label("Rewrite in the other style")).to_have_value("gotta see number 1 , u know")
    page.get_by_label("It needs no change").press("Space")
    press(page, "Control+Enter")
    expect(page.locator("[data-diff-source]")).to_have_text("gotta see number 2 , u know")
    assert Answer.objects.get().content == {"text": "gotta see number 1 , u know", "unchanged": True}


def test_a_draft_outlives_a_reload_and_a_lost_network(page, study, work_at):
    work_at(make.campaign(study))
    page.keyboard.type("I must")
    expect(page.locator(SAVED)).to_have_text("Saved")
    page.reload()
    expect(page.locator("textarea")).to_have_value("I must")
    page.context.set_offline(True)
    page.locator("textarea").press_sequentially(" see it")
    expect(page.locator(SAVED)).to_have_text("Kept in this browser")
    press(page, "Control+Enter")
    expect(page.locator("#toast")).to_contain_text("cannot be reached")
    page.context.set_offline(False)
    expect(page.locator("#toast")).to_be_empty(timeout=3000)  # by itself it would stay for six seconds
    expect(page.locator(SAVED)).to_have_text("Saved")
    assert Draft.objects.get().content == {"text": "I must see it"}


def test_what_was_kept_in_the_browser_comes_back(page, study, work_at):
    work_at(make.campaign(study))
    page.context.set_offline(True)
    page.keyboard.type("Typed without a network")
    expect(page.locator(SAVED)).to_have_text("Kept in this browser")
    page.goto("about:blank")
    page.context.set_offline(False)
    page.go_back()
    expect(page.locator("textarea")).to_have_value("Typed without a network")
    expect(page.locator(SAVED)).to_have_text("Saved")


def test_what_is_typed_outlives_the_end_of_a_session(page, study, work_at):
    campaign = make.campaign(study)
    who = work_at(campaign)
    page.keyboard.type("Typed by")
    expect(page.locator(SAVED)).to_have_text("Saved")
    page.context.clear_cookies(name="sessionid")
    page.keyboard.type(" somebody signed out")
    expect(page.locator(SAVED)).to_contain_text("Kept in this browser; sign in again")
    press(page, "Control+Enter")
    expect(page.get_by_text("what you had begun to write is kept")).to_be_visible()
    sign_in(page, who)
    expect(page.locator("textarea")).to_have_value("Typed by somebody signed out")
    expect(page.locator("#messages li")).to_have_count(0)  # nothing that moves the work down
    page.locator("textarea").press("Control+Enter")
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 2")
    assert Answer.objects.get().content == {"text": "Typed by somebody signed out"}
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('restyle-draft'))") == []


@pytest.mark.soak
def test_a_change_of_an_answer_outlives_the_end_of_a_session(page, study, work_at):
    campaign = make.campaign(study)
    who = work_at(campaign)
    made = make.hand_in(campaign, who, make.held(campaign, who))
    page.goto(reverse("campaign_revise", args=[study.slug, campaign.slug, handle("answer", made.answer, who)]))
    page.context.clear_cookies(name="sessionid")
    page.locator("textarea").fill("Changed while signed out")
    press(page, "Control+Enter")
    sign_in(page, who)
    expect(page.locator("textarea")).to_have_value("Changed while signed out")
    page.locator("textarea").press("Control+Enter")
    expect(page.get_by_text("Your change is saved.")).to_be_visible()
    assert Answer.objects.get(revision=2).content == {"text": "Changed while signed out"}
    page.goto(reverse("campaign_revise", args=[study.slug, campaign.slug, handle("answer", made.answer, who)]))
    expect(page.locator("textarea")).to_have_value("Changed while signed out")


def test_rating_by_keyboard_shows_the_source_only_after_the_first_criteria(page, study, work_at):
    campaign = make.campaign(study, "rate", settings={"outputs_per_item": 1})
    work_at(campaign)
    source = page.get_by_text("gotta see number 1 , u know")
    expect(source).to_be_hidden()
    fluency = page.get_by_role("group", name="Fluency")
    expect(fluency.get_by_role("radio", name="4 Comprehensible", exact=True)).to_have_count(1)
    page.locator("summary", has_text="Now with the source").click()
    expect(source).to_be_hidden()
    press(page, "3", "4")  # formality +3, fluency 4
    expect(source).to_be_visible()
    press(page, "6")  # meaning
    press(page, "Control+Enter")
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 2")
    expect(source).to_be_hidden()
    assert Answer.objects.get().content == {"ratings": [{"formality": 3, "fluency": 4, "meaning": 6}]}


def test_skipping_reporting_ranking_with_a_tie_and_the_end_of_the_queue(page, study, work_at):
    work_at(make.campaign(study, "rank"))
    press(page, "s")
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 2")
    press(page, "p")
    page.get_by_label("It is harmful").press("Space")
    page.get_by_role("button", name="Send the report").press("Enter")
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 3")
    press(page, "2", "1", "2", "Control+Enter")
    expect(page.get_by_role("heading", name=re.compile("done all items that you can"))).to_be_focused()
    answer = Answer.objects.get(outcome="answered")
    assert sorted(answer.content["ranks"]) == [1, 2, 2]
    assert answer.content["ranks"][answer.order[1]] == 1


def test_what_does_not_change_between_items_is_sent_once(page, study, work_at):
    campaign = make.campaign(study, "rate", settings={"outputs_per_item": 1})
    campaign.items.update(content={**campaign.items.first().content, "source": "<i>gotta</i> \"see\" & 'be'"})
    work_at(campaign)
    sizes = []
    for done in range(3):
        press(page, "1", "1", "1")
        with page.expect_response(lambda answer: answer.url.endswith("/submit/")) as came:
            press(page, "Control+Enter")
        sizes.append(len(came.value.body()))
        expect(page.locator("#work")).to_have_attribute("data-done", str(done + 1))
        if done < 2:
            expect(page.locator(".source .text")).to_have_text("<i>gotta</i> \"see\" & 'be'")
            expect(page.locator("input[type=radio][name^=rating]:checked")).to_have_count(0)
    assert sizes[1] < 2_000 < sizes[0], sizes
    assert Answer.objects.filter(campaign=campaign).count() == 3


COUNTED = "Number(document.querySelector('[name=seconds]').value)"


def test_active_seconds_outlive_a_reload(page, study, work_at):
    work_at(make.campaign(study))
    page.mouse.move(10, 10)
    expect(page.locator("[name=seconds]")).to_have_value(re.compile(r"0\.[6-9]|[1-9]\."))
    page.reload()
    assert page.evaluate(COUNTED) > 0.6


def test_what_is_kept_in_the_browser_is_said_only_where_it_can_be_read_back(page, study, work_at):
    page.add_init_script("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }")
    work_at(make.campaign(study))
    page.context.set_offline(True)
    page.get_by_label("Rewrite in the other style").fill("Where is it kept?")
    expect(page.locator("[data-saved]")).to_contain_text("Not saved: the storage of this browser is full.")
    page.context.set_offline(False)
    expect(page.locator("[data-saved]")).to_have_text("Saved")


def test_what_is_handed_in_at_once_has_seconds(page, study, work_at):
    """No tick of the clock passed: NULL would say that nobody counted."""
    page.add_init_script("window.setInterval = () => 0")
    work_at(make.campaign(study))
    page.get_by_label("Rewrite in the other style").fill("I must see number 1.")
    press(page, "Control+Enter")
    expect(page.locator("[data-diff-source]")).to_have_text("gotta see number 2 , u know")
    assert Answer.objects.get().seconds >= 0
