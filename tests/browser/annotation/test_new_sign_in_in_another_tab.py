"""A tab that was open while its person signed in again in another one: what it sends is taken, however it is sent."""

from django.urls import reverse
from playwright.sync_api import expect
from support import campaigns as make
from support.demo_site import sign_in_by_form

from annotation.models import Answer, Draft


def test_what_an_older_tab_sends_after_a_new_sign_in_is_taken(page, web_server):
    study = make.study(items=3)
    campaign, who = make.campaign(study), make.person(study=study)
    sign_in_by_form(page, who.email)
    page.goto(reverse("campaign_work", args=[study.slug, campaign.slug]))
    page.context.clear_cookies()
    other = page.context.new_page()
    sign_in_by_form(other, who.email)
    page.bring_to_front()
    page.locator("#text").fill("Typed in the older tab")
    expect(page.locator("[data-saved]")).to_have_text("Saved")  # by fetch
    assert Draft.objects.get().content == {"text": "Typed in the older tab"}
    page.locator("#text").press("Control+Enter")  # by htmx
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 2")
    assert Answer.objects.get().content == {"text": "Typed in the older tab"}
    with page.expect_navigation():  # by the browser itself
        page.locator("form:has([name=language]) button[value=fr]").dispatch_event("click")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
