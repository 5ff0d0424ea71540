"""PostgreSQL starts again while somebody works: the page waits, goes on by itself, and what was typed is there."""

from django.db import connection
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect
from support import campaigns as make
from support.connections import refusing

from annotation.models import Answer


def test_an_answer_handed_in_meanwhile_arrives_once(page, web_server):
    study = make.study(items=2)
    campaign = make.campaign(study)
    client = Client()
    client.force_login(make.person(study=study))
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "domain": "127.0.0.1", "path": "/"}
    page.context.add_cookies([cookie])
    page.goto(reverse("campaign_work", args=[study.slug, campaign.slug]))
    field = page.get_by_label("Rewrite in the other style")
    expect(field).to_be_focused()
    field.fill("I have to see the first one.")
    with refusing(connection):
        page.keyboard.press("Control+Enter")
        expect(page.locator("#toast")).to_have_text(
            "The site is restarting, which takes some seconds. Your text is kept."
        )
        expect(field).to_have_value("I have to see the first one.")
        field.fill("I have to see number 1.")
    expect(page.locator("[data-diff-source]")).to_have_text("gotta see number 2 , u know")
    assert [answer.content for answer in Answer.objects.all()] == [{"text": "I have to see number 1."}]
