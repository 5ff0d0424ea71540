"""From the page of a campaign to a paid bonus at a Prolific of this machine, by presses in a real browser."""

from playwright.sync_api import expect
from support import axe
from support import campaigns as make
from support.demo_site import sign_in
from support.prolific_server import TOKEN, prolific
from support.recruiting_pages import tick

from accounts.permissions import Role
from annotation.actions.answer_consent import answer_consent
from annotation.actions.enter_crowd import enter_crowd
from integrations.recruiting.models import Recruitment

ASK_ANEW = """() => {
    const part = document.getElementById("recruitment");
    part.setAttribute("hx-trigger", "every 2s");
    return htmx.ajax("GET", location.href, { source: part, target: part, swap: "outerHTML" });
}"""


def test_a_study_is_drafted_published_approved_and_paid_by_presses(page, web_server, celery_workers):
    study = make.study(items=3)
    lead = make.person(Role.RESEARCHER, study)
    campaign = make.campaign(study, pay={"item": 1.25, "currency": "GBP"}, roles=["crowd_annotator"])
    sign_in(page, lead, web_server.url)
    with prolific(shared=True) as site:
        page.goto(f"/studies/{study.slug}/campaigns/{campaign.slug}/recruiting/")
        page.get_by_label("Token").fill(TOKEN)
        page.get_by_label("For trying out").uncheck()
        page.get_by_role("button", name="Connect").click()
        expect(page.get_by_label("People", exact=True)).to_have_value("1")
        page.get_by_label("Title").fill("Rewrite sentences")
        page.get_by_label("Description").fill("Make them formal.")
        page.get_by_label("Reward for a person").fill("2.50")
        page.get_by_label("Consent").fill("Agree?")
        assert axe.faults(page) == []
        page.get_by_role("button", name="Put up the draft").click()
        expect(page.locator("#publish")).to_be_visible()
        expect(page.get_by_text("UNPUBLISHED")).to_be_visible()
        page.locator("#publish").click()
        expect(page.get_by_text("This costs 2.50 GBP")).to_be_visible()
        assert not any(one["status"] == "ACTIVE" for one in site.studies.values())
        page.locator("#order-confirm").click()
        expect(page.get_by_text("ACTIVE", exact=True)).to_be_visible()

        made = Recruitment.objects.get()
        key = site.comes(made.external_id, "p1", "AWAITING REVIEW")
        came = enter_crowd(
            recruitment_link=made.recruitment_link, external_id="p1", session_id=key, browser="b"
        ).participant
        answer_consent(participant=came, agrees=True)
        for _ in range(3):
            make.hand_in(campaign, came.person, make.held(campaign, came.person))
        page.locator("#refresh").click()
        person = page.get_by_role("row").filter(has_text="p1")
        for verb, cost, state in (("Approve", "2.50", "Approved"), ("Pay bonuses", "1.25", "3.75")):
            expect(person).to_be_visible()
            tick(page, person)
            page.evaluate(ASK_ANEW)  # as it does while an order is under way
            expect(person.get_by_role("checkbox")).to_be_checked()
            page.get_by_role("button", name=verb, exact=True).click()
            expect(page.get_by_text(f"This costs {cost} GBP")).to_be_visible()
            page.locator("#order-confirm").click()
            expect(person).to_contain_text(state)
        expect(page.get_by_role("row").filter(has_text="Pay bonuses: 1.25 GBP")).to_contain_text("Done")
        assert site.paid == {key: 125}
        assert axe.faults(page) == []
