"""Terms replaced in a real browser: the first sentence by keys alone, the second one, in Arabic, by touch."""

from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect
from support import axe
from support import campaigns as make
from support import stage_items as items
from support.effort import PHONE

from annotation.actions.read_guideline import read_guideline
from annotation.models import Answer

ENGLISH = "The pt has HTN."
ARABIC = "المريض يعاني من ارتفاع ضغط الدم."


def test_terms_are_marked_and_replaced_by_keys_and_by_touch(web_server, new_page):
    study = make.study(items=1)
    campaign = items.campaign_of(study, "terms", [{"source": text} for text in (ENGLISH, ARABIC, ENGLISH)])
    client, who = Client(), make.person("expert_annotator", study)
    read_guideline(campaign=campaign, person=who, version=1)
    client.force_login(who)
    page = new_page(**PHONE)
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "domain": "127.0.0.1", "path": "/"}
    page.context.add_cookies([cookie])
    page.goto(reverse("campaign_work", args=[study.slug, campaign.slug]))
    expect(page.locator("[data-marking=source]")).to_be_focused()
    for key in ("ArrowRight", "1"):  # the second word is substituted
        page.keyboard.press(key)
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-wrong=marks]")).to_contain_text("Write what replaces “pt”")
    page.locator("[data-marking=source]").focus()
    for key in ("Home", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("[data-reason]")).to_be_focused()
    page.keyboard.type("patient")
    assert axe.faults(page) == []
    page.keyboard.press("Control+Enter")
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 2")
    page.locator("[data-marking=source] [role=option]").filter(has_text="ارتفاع").tap()
    page.locator("[data-marking=source] [role=option]").filter(has_text="الدم").tap()
    page.locator("[data-choice][data-value=Explain]").tap()
    page.locator("[data-reason]").fill("ضغط عال")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".workbar [data-key='Ctrl+Enter']:not(.danger)").tap()
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 3")
    texts = [answer.content["text"] for answer in Answer.objects.filter(campaign=campaign).order_by("pk")]
    assert texts == ["The patient has HTN.", "المريض يعاني من ارتفاع ضغط الدم (ضغط عال)."]
