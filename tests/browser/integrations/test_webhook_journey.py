"""A webhook by page, in a real browser: made, tried, sent again, and seen to fail, with a receiver of this machine."""

from playwright.sync_api import expect
from support import axe
from support import campaigns as make
from support.demo_site import sign_in
from support.processes import wait_until
from support.receivers import receiver

from accounts.permissions import Role
from annotation.actions.set_campaign_state import set_campaign_state


def test_a_webhook_is_made_tried_and_its_message_sent_again(page, web_server, celery_workers):
    study = make.study(items=2)
    lead = make.person(Role.RESEARCHER, study)
    sign_in(page, lead, web_server.url)
    with receiver() as served:
        page.goto(f"/studies/{study.slug}/webhooks/")
        page.get_by_label("Address").fill(served.url)
        page.get_by_label("A campaign was closed").check()
        page.keyboard.press("Enter")
        expect(page.locator("#secret")).to_contain_text("whsec_")
        assert axe.faults(page) == []
        page.get_by_role("link", name="127.0.0.1").click()
        page.get_by_role("button", name="Send a test").click()
        served.behave = lambda to, came: to.reply(500, b"Out of order.")
        set_campaign_state(campaign=make.campaign(study), state="closed", by=None)

        def shows(text):
            page.reload()
            return page.get_by_role("row").filter(has_text="A campaign was closed").filter(has_text=text).count()

        wait_until(lambda: shows("500"), "The page did not say that the receiver took nothing")
        row = page.get_by_role("row").filter(has_text="A campaign was closed")
        expect(row).to_contain_text("The receiver did not take it.")
        assert axe.faults(page) == []
        served.behave = None
        row.get_by_role("button", name="Send again").click()
        wait_until(lambda: shows("Delivered"), "The page did not say that the message was delivered")
        expect(row).to_contain_text("204")
    assert served.requests[-1].headers["webhook-id"] in {one.headers["webhook-id"] for one in served.requests[:-1]}
