"""A reviewer decides by keyboard alone, and the author reads it and answers."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect
from support import campaigns as make
from support.demo_site import sign_in

from accounts.permissions import Role
from annotation.models import Answer, Review

REASONS = ["Not formal", "Meaning changed"]


@pytest.fixture
def campaign(web_server):
    return make.campaign(make.study(items=3), needs_review=True, reasons=REASONS)


def at(name, campaign, query=""):
    return reverse(name, args=[campaign.study.slug, campaign.slug]) + query


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def test_accept_fix_and_reject_by_keyboard(new_page, web_server, campaign):
    author = make.person(study=campaign.study, name="Ada")
    for text in ("I have to see it.", "I has to see it.", "gotta see it"):
        make.hand_in(campaign, author, make.held(campaign, author), content={"text": text})
    page = new_page()
    sign_in(page, make.person(Role.REVIEWER, campaign.study), web_server.url)
    page.goto(at("campaign_review", campaign))
    press(page, "o")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Item 1")
    expect(page.locator(".product ins").first).to_contain_text("I")
    press(page, "a")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Item 2")
    press(page, "f")
    editor = page.get_by_label("Rewrite in the other style")
    expect(editor).to_have_value("I has to see it.")
    editor.fill("I have to see it, too.")
    press(page, "Control+Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Item 3")
    press(page, "r", "2")
    expect(page.get_by_label("Meaning changed")).to_be_checked()
    press(page, "Escape", "c")
    expect(page.get_by_label("Comment")).to_be_focused()
    page.keyboard.type("Look at the guideline, please")
    press(page, "Control+Enter")
    expect(page.get_by_text("All answers are decided")).to_be_visible()
    said = [(review.verdict, review.reason, review.comment) for review in Review.objects.order_by("pk")]
    assert said == [
        ("accepted", "", ""), ("fixed", "", ""), ("rejected", "Meaning changed", "Look at the guideline, please"),
    ]  # fmt: skip
    assert Review.objects.get(verdict="fixed").content == {"text": "I have to see it, too."}


def test_no_key_and_no_link_drops_what_a_reviewer_wrote(new_page, web_server, campaign):
    author = make.person(study=campaign.study)
    for text in ("I have to see it.", "I has to see it."):
        make.hand_in(campaign, author, make.held(campaign, author), content={"text": text})
    page = new_page()
    sign_in(page, make.person(Role.REVIEWER, campaign.study), web_server.url)
    page.goto(at("campaign_review", campaign, "?view=one"))
    page.get_by_label("Comment").fill("x" * 2003)
    expect(page.get_by_text("Too long: 2,003 characters, 2,000 at most, so 3 too many.")).to_be_visible()
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_label("Comment")).to_be_focused()
    assert not Review.objects.exists(), "nothing is cut, and nothing is sent to be refused"
    page.get_by_label("Comment").fill("Look at the guideline, please")
    expect(page.get_by_text("Too long")).to_have_count(0)
    page.locator("h1").click()
    for key in ("j", "f"):
        press(page, key)
        expect(page.locator("#toast")).to_contain_text("keys do not leave this page")
    page.once("dialog", lambda asked: asked.dismiss())
    page.get_by_role("link", name="Correct").click(no_wait_after=True)
    expect(page.get_by_label("Comment")).to_have_value("Look at the guideline, please")
    press(page, "a")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Item 2")
    assert Review.objects.get().comment == "Look at the guideline, please"


def test_the_author_reads_why_and_answers(new_page, web_server, campaign):
    author, reviewer = make.person(study=campaign.study), make.person(Role.REVIEWER, campaign.study)
    work = make.held(campaign, author)
    answer = Answer.objects.get(pk=make.hand_in(campaign, author, work, content={"text": "gotta"}).answer)
    Review.objects.create(answer=answer, verdict="rejected", reason=REASONS[0], comment="Again.", reviewer=reviewer)
    page = new_page()
    sign_in(page, author, web_server.url)
    page.goto(reverse("my_work"))
    page.get_by_role("link", name="1 rejected").click()
    expect(page.get_by_text("Not formal")).to_be_visible()
    page.get_by_text("Reply to the reviewer").click()
    page.get_by_label("Your reply").fill("It is a quote.")
    page.get_by_role("button", name="Send the reply").click()
    expect(page.get_by_text("Your reply is with the reviewers.")).to_be_visible()
    expect(page.locator(".reply")).to_contain_text("It is a quote.")
    page.get_by_role("link", name="Change").click()
    expect(page.get_by_text("Again.")).to_be_visible()
    page.get_by_label("Rewrite in the other style").fill("I have to see it.")
    press(page, "Control+Enter")
    expect(page.get_by_text("Your change is saved.")).to_be_visible()
    assert Answer.objects.get(revision=2).content["text"] == "I have to see it."
    page.goto(reverse("my_work"))
    expect(page.get_by_text("1 rejected")).to_have_count(0)
