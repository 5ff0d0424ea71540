"""From the page of a campaign to a paid bonus at a Mechanical Turk of this machine, by presses in a real browser."""

import pytest
from playwright.sync_api import expect
from support import axe
from support import campaigns as make
from support.demo_site import sign_in
from support.mturk_server import TOKEN, mechanical_turk
from support.recruiting_pages import tick

from accounts.permissions import Role
from annotation.actions.answer_consent import answer_consent
from annotation.actions.enter_crowd import enter_crowd
from integrations.recruiting.models import Recruitment


@pytest.mark.soak
def test_a_task_is_drafted_published_decided_and_paid_by_presses(page, web_server, celery_workers):
    study = make.study(items=3)
    lead = make.person(Role.RESEARCHER, study)
    campaign = make.campaign(study, pay={"item": 1.25, "currency": "USD"}, overlap=2, roles=["crowd_annotator"])
    sign_in(page, lead, web_server.url)
    with mechanical_turk(shared=True) as site:
        page.goto(f"/studies/{study.slug}/campaigns/{campaign.slug}/recruiting/")
        page.get_by_label("Site").select_option(label="Mechanical Turk")
        page.get_by_label("Token").fill("one word")
        page.get_by_role("button", name="Connect").click()
        expect(page.get_by_text("access key").first).to_be_visible()
        page.get_by_label("Site").select_option(label="Mechanical Turk")
        page.get_by_label("Token").fill(TOKEN)
        page.get_by_label("For trying out").uncheck()
        page.get_by_role("button", name="Connect").click()
        page.get_by_label("Title").fill("Rewrite sentences")
        page.get_by_label("Description").fill("Make them formal.")
        page.get_by_label("People", exact=True).fill("2")
        page.get_by_label("Reward for a person").fill("2.50")
        page.get_by_label("Consent").fill("Agree?")
        page.get_by_role("button", name="Put up the draft").click()
        expect(page.locator("#publish")).to_be_visible()
        assert site.hits == {}, "nobody at the site sees a draft"
        page.locator("#publish").click()
        expect(page.get_by_text("This costs 5.00 USD")).to_be_visible()
        page.locator("#order-confirm").click()
        expect(page.get_by_text("Assignable", exact=True)).to_be_visible()
        ((hit, _),) = site.hits.items()

        made = Recruitment.objects.get()
        keys = {}
        for worker, answers in (("W1", 3), ("W2", 1)):
            came = enter_crowd(recruitment_link=made.recruitment_link, external_id=worker, browser=worker).participant
            answer_consent(participant=came, agrees=True)
            for _ in range(answers):
                make.hand_in(campaign, came.person, make.held(campaign, came.person))
            keys[worker] = site.submits(hit, worker)
        page.locator("#refresh").click()
        first, second = (page.get_by_role("row").filter(has_text=worker) for worker in keys)
        expect(second).to_be_visible()
        tick(page, second)
        page.get_by_role("button", name="Reject", exact=True).click()
        page.get_by_label("Reason").fill("The texts were copied.")
        page.locator("#order-confirm").click()
        expect(second).to_contain_text("Rejected")
        for verb, cost, state in (("Approve", "2.50", "Approved"), ("Pay bonuses", "1.25", "3.75")):
            tick(page, first)
            page.get_by_role("button", name=verb, exact=True).click()
            expect(page.get_by_text(f"This costs {cost} USD")).to_be_visible()
            page.locator("#order-confirm").click()
            expect(first).to_contain_text(state)
        expect(page.get_by_role("row").filter(has_text="Pay bonuses: 1.25 USD")).to_contain_text("Done")
        assert site.paid == {keys["W1"]: 125}
        assert site.assignments[keys["W2"]]["AssignmentStatus"] == "Rejected"
        assert axe.faults(page) == []
