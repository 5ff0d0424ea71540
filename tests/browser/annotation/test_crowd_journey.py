"""Somebody from a crowd site, in a real browser, from the link to the code; and the researcher who lets them in."""

import re

import pytest
from playwright.sync_api import expect
from support import axe, crowd
from support import campaigns as make
from support.demo_site import sign_in
from support.screenshots import shoot

from annotation.models import CrowdParticipant

PID = "5f0c1a2b3c4d5e6f7a8b9c0d"


@pytest.fixture
def recruitment_link(web_server):
    study = make.study(items=2)
    pay = {"currency": "GBP", "item": 0.2, "hour": 9}
    return crowd.recruitment_link(study, training=True, tries=1, guideline="Write it as in a letter.", pay=pay)


def hand_in(page, *texts):
    for text in texts:
        work = page.locator("#work")
        assignment = work.get_attribute("data-slot") or ""
        page.locator("textarea").fill(text)
        page.keyboard.press("Control+Enter")
        expect(work).not_to_have_attribute("data-slot", assignment)  # the next item is in its place, or the feedback
        following = page.get_by_role("link", name="Next item")
        if following.count():
            expect(following).to_be_focused()
            page.keyboard.press("Enter")
            expect(work.locator("textarea")).to_be_visible()


def test_from_the_link_to_the_code(page, new_page, recruitment_link):
    link = f"/enter/{recruitment_link.secret}/?PROLIFIC_PID={PID}&STUDY_ID=s&SESSION_ID=t"
    page.goto(link)
    expect(page.get_by_text("You may leave at any time.")).to_be_visible()
    expect(page.locator("[aria-current=step]")).to_have_text("Consent")
    page.get_by_role("button", name="I agree and take part").click()
    expect(page.locator("[aria-current=step]")).to_have_text("Training")
    hand_in(page, "Mine.", "Mine too.")
    expect(page.get_by_text("Expected 2.")).to_be_visible()  # the feedback on the last item
    assert axe.faults(page) == []
    page.get_by_role("link", name="Continue").click()
    expect(page.locator("[aria-current=step]")).to_have_text("Qualification")
    hand_in(page, "Expected 1.", "Expected 2.")
    page.get_by_role("link", name="Continue").click()
    expect(page.locator("[aria-current=step]")).to_have_text("Work")
    page.get_by_role("button", name="I have read the guideline").click()
    expect(page.get_by_role("button", name="Finish and get your code")).to_be_visible()
    hand_in(page, "I must see it.", "I must see it too.")
    page.get_by_role("button", name="Finish and get your code").click()
    expect(page.get_by_role("heading", name="Thank you for your work")).to_be_visible()
    code = page.locator("#crowd-code").inner_text().strip()
    assert code == CrowdParticipant.objects.get().code
    back = page.get_by_role("link", name="Back to Prolific")
    expect(back).to_have_attribute("href", f"https://app.prolific.com/submissions/complete?cc={code}")
    assert axe.faults(page) == []
    page.goto(link)
    expect(page.locator("#crowd-code")).to_contain_text(code)

    other = new_page()
    assert other.goto(link).status == 409
    expect(other.get_by_role("heading", level=1)).to_contain_text("another browser")
    assert code not in other.content()
    assert axe.faults(other) == []


@pytest.mark.soak
def test_who_is_screened_out_is_told_what_happened_and_which_code_to_return(page, web_server):
    link = crowd.recruitment_link(make.study(items=2), training=True, tries=1, codes=("DONE-1", "OUT-1"))
    page.goto(f"/enter/{link.secret}/?PROLIFIC_PID={PID}")
    page.get_by_role("button", name="I agree and take part").click()
    hand_in(page, "Expected 1.", "Expected 2.")
    page.get_by_role("link", name="Continue").click()
    hand_in(page, "Expected 1.", "Wrong.")
    page.get_by_role("link", name="Continue").click()
    expect(page.get_by_role("heading", name="This work ends here for you")).to_be_visible()
    expect(page.get_by_text("You answered 50% of the qualification")).to_be_visible()
    expect(page.locator(".crowd-steps .done")).to_have_count(2)
    expect(page.locator(".crowd-steps .stopped")).to_contain_text("Qualification")
    expect(page.locator("#crowd-code")).to_have_text("OUT-1")
    expect(page.get_by_role("link", name="Back to Prolific")).to_have_attribute("href", re.compile("cc=OUT-1$"))
    assert axe.faults(page) == []
    shoot(page, "screened-out")


def test_the_researcher_opens_an_entrance_and_reads_the_ledger(page, new_page, recruitment_link, web_server):
    campaign, visitor = recruitment_link.campaign, new_page()
    visitor.goto(f"/enter/{recruitment_link.secret}/?PROLIFIC_PID={PID}")
    new_page().goto(f"/enter/{recruitment_link.secret}/?PROLIFIC_PID={PID}")
    sign_in(page, make.person("researcher", campaign.study), web_server.url)
    page.goto(f"/studies/{campaign.study.slug}/campaigns/{campaign.slug}/")
    page.get_by_role("link", name="Recruitment links").click()
    page.get_by_role("combobox", name="Site").select_option("mturk")
    page.get_by_label("Consent").fill("You rewrite sentences.")
    page.get_by_label("Completion code").fill("C1")
    page.get_by_label("Screen-out code").fill("C2")
    page.get_by_role("button", name="Open the link").click()
    expect(page.locator("pre", has_text="window.location.search")).to_be_visible()
    expect(page.locator("tbody tr")).to_contain_text([PID])
    expect(page.locator("td[data-label='Refused attempts']")).to_have_text("1")
    page.get_by_role("button", name=f"Let {PID} use another browser").click()
    page.get_by_role("button", name="Let them", exact=True).click()
    expect(page.get_by_text("waits for a browser")).to_be_visible()
    newer = new_page()
    newer.goto(f"/enter/{recruitment_link.secret}/?PROLIFIC_PID={PID}")
    expect(newer.get_by_role("heading", name="Before you begin")).to_be_visible()
    visitor.reload()
    expect(visitor.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    page.get_by_role("link", name="Ledger").click()
    expect(page.get_by_role("heading", name="Ledger")).to_be_visible()
    expect(page.locator("tbody tr")).to_contain_text([PID])
