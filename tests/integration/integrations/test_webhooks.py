"""Webhooks: signed, sent by a real worker, tried again, switched off, sent again by a press."""

import base64
import hashlib
import hmac
import json
import threading
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from support import campaigns as make
from support.clients import as_person, with_token
from support.receivers import receiver

from accounts.models import AuditEntry
from accounts.permissions import Role
from annotation.actions.set_campaign_state import set_campaign_state
from foundation.errors import UserError
from integrations.events.publishing import publish
from integrations.webhooks.actions.create_webhook import create_webhook
from integrations.webhooks.actions.replay_delivery import replay_delivery
from integrations.webhooks.delivery import deliver, due_deliveries
from integrations.webhooks.models import Delivery, Webhook

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def private(settings):
    settings.OUTGOING_PRIVATE = True


@pytest.fixture
def served():
    with receiver() as served:
        yield served


def send_due():
    for key in due_deliveries():
        deliver(key)


def make_due():
    Delivery.objects.filter(state="queued").update(next_at=timezone.now())


def is_signed(came, secret):
    """Whether a receiver that follows the specification takes it."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{came.headers['webhook-id']}.{came.headers['webhook-timestamp']}.".encode() + came.body
    made = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return hmac.compare_digest(made, came.headers["webhook-signature"])


def test_a_webhook_gets_the_events_of_its_study_and_kinds_signed(served):
    study, other = make.study(items=2), make.study(items=2)
    lead, admin = make.person(Role.RESEARCHER, study), make.person(Role.ADMIN)
    hook, secret = create_webhook(study=study, by=lead, url=served.url, kinds=["campaign.opened"])
    create_webhook(study=None, by=admin, url=served.url + "&site=1")
    set_campaign_state(campaign=make.campaign(study, name="Letters"), state="closed", by=lead)
    make.campaign(other)
    publish()
    publish()
    send_due()
    own = [came for came in served.requests if "site" not in came.path]
    assert len(own) == 1
    assert is_signed(own[0], secret)
    told = json.loads(own[0].body)
    assert (told["type"], told["data"]["study"], told["data"]["campaign"]) == ("campaign.opened", study.slug, "letters")
    assert len(served.requests) == 4
    delivery = hook.deliveries.get()
    assert (delivery.state, delivery.status, delivery.attempts) == ("done", 204, 1)
    send_due()
    assert len(served.requests) == 4
    entry = AuditEntry.objects.filter(action="create_webhook").first()
    assert served.url not in str(entry.__dict__)
    assert secret not in str(Webhook.objects.filter(pk=hook.pk).values())


def test_a_failure_is_tried_again_under_the_same_id_until_it_is_taken(served):
    study = make.study(items=2)
    hook, _ = create_webhook(study=study, by=None, url=served.url)
    served.behave = lambda to, came: to.reply(503, b"Later.", Retry_After="7200")
    make.campaign(study)
    publish()
    send_due()
    delivery = hook.deliveries.get()
    assert (delivery.state, delivery.status, delivery.response) == ("queued", 503, "Later.")
    assert delivery.next_at - timezone.now() > timedelta(minutes=110)
    assert due_deliveries() == []
    served.behave = None
    make_due()
    send_due()
    delivery.refresh_from_db()
    assert (delivery.state, delivery.attempts) == ("done", 2)
    assert len({came.headers["webhook-id"] for came in served.requests}) == 1
    replay_delivery(webhook=hook, delivery=delivery, by=None)
    send_due()
    assert len({came.headers["webhook-id"] for came in served.requests}) == 1
    assert len(served.requests) == 3
    assert Webhook.objects.get().failing_since is None


def test_a_redirect_is_told_and_not_followed_and_a_slow_receiver_is_asked_again(served, monkeypatch):
    monkeypatch.setattr("integrations.webhooks.delivery.SECONDS", 0.3)
    study, over = make.study(items=2), threading.Event()
    hook, _ = create_webhook(study=study, by=None, url=served.url)
    served.behave = lambda to, came: to.reply(308, Location=f"{served.url}&moved=1")
    make.campaign(study)
    publish()
    send_due()
    delivery = hook.deliveries.get()
    assert (delivery.state, delivery.status, len(served.requests)) == ("queued", 308, 1)
    assert delivery.error.startswith("The receiver sends on to another address")
    served.behave = lambda to, came: over.wait(5)
    make_due()
    send_due()
    over.set()
    delivery.refresh_from_db()
    assert (delivery.state, delivery.status, delivery.attempts) == ("queued", None, 2)
    assert "did not answer within" in delivery.error


def test_the_tries_end_and_an_address_that_is_gone_or_fails_for_days_is_switched_off(served):
    study = make.study(items=2)
    hook, _ = create_webhook(study=study, by=None, url=served.url)
    served.behave = lambda to, came: to.reply(500)
    make.campaign(study)
    publish()
    for _ in range(12):
        make_due()
        send_due()
    assert (hook.deliveries.get().state, hook.deliveries.get().attempts) == ("failed", 10)
    Webhook.objects.update(failing_since=timezone.now() - timedelta(days=6))
    make.campaign(study, name="Another")
    publish()
    send_due()
    hook.refresh_from_db()
    assert (hook.is_on, hook.why) == (False, "Nothing was delivered for days.")
    make_due()
    assert due_deliveries() == []
    gone, _ = create_webhook(study=study, by=None, url=served.url)
    served.behave = lambda to, came: to.reply(410)
    make.campaign(study, name="A third")
    publish()
    send_due()
    gone.refresh_from_db()
    assert not gone.is_on


def test_an_address_that_leads_inside_by_now_is_given_up_at_once(served, settings):
    study = make.study(items=2)
    hook, _ = create_webhook(study=study, by=None, url=served.url)
    settings.OUTGOING_PRIVATE = False
    make.campaign(study)
    publish()
    send_due()
    delivery = hook.deliveries.get()
    assert (delivery.state, served.requests) == ("failed", [])
    with pytest.raises(UserError, match="https"):
        create_webhook(study=study, by=None, url=served.url)
    with pytest.raises(UserError, match="private network"):
        create_webhook(study=study, by=None, url="https://192.168.1.1/hook")


def test_a_secret_that_another_key_sealed_says_what_can_be_done(served, settings):
    """After a restoration without the key: the site drew the secret, so nobody has it to enter."""
    study = make.study(items=2)
    hook, _ = create_webhook(study=study, by=None, url=served.url)
    make.campaign(study)
    publish()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", []
    send_due()
    delivery = hook.deliveries.get()
    assert (delivery.state, served.requests) == ("failed", [])
    assert "remove the webhook, create it again, and give its new secret to the receiver" in delivery.error


def test_a_real_worker_sends_what_a_program_asked_for(served, celery_workers):
    study = make.study(items=2)
    lead = make.person(Role.RESEARCHER, study)
    client = with_token(lead)
    made = client.post(f"/api/studies/{study.slug}/webhooks/", {"url": served.url}, "application/json")
    assert made.status_code == 201, made.content
    assert made.json()["secret"].startswith("whsec_")
    one = f"/api/studies/{study.slug}/webhooks/{made.json()['id']}/"
    assert client.post(f"{one}deliveries/").status_code == 201
    from support.processes import wait_until

    wait_until(lambda: Delivery.objects.get().state == "done", lambda: str(Delivery.objects.values()))
    assert is_signed(served.requests[0], made.json()["secret"])
    told = client.get(f"{one}deliveries/").json()["results"][0]
    assert (told["kind"], told["event"], told["attempts"]) == ("webhook.test", None, 1)
    assert client.patch(one, {"is_on": False}, "application/json").json()["is_on"] is False
    assert client.post(f"{one}deliveries/{told['id']}/replay/").status_code == 400
    assert "secret" not in client.get(f"/api/studies/{study.slug}/webhooks/").json()["results"][0]
    assert client.delete(one).status_code == 204


def test_pages_make_try_repeat_and_remove(served):
    study = make.study(items=2)
    lead, stranger = make.person(Role.RESEARCHER, study), make.person(Role.RESEARCHER, make.study(items=1))
    browser = as_person(lead)
    page = browser.post(reverse("study_webhooks", args=[study.slug]), {"url": served.url, "kinds": ["report.ready"]})
    assert b"whsec_" in page.content
    hook = Webhook.objects.get()
    assert b"whsec_" not in browser.get(reverse("study_webhooks", args=[study.slug])).content
    refused = browser.post(reverse("study_webhooks", args=[study.slug]), {"url": "file:///etc/passwd"})
    assert (refused.status_code, Webhook.objects.count()) == (422, 1)
    act = reverse("study_webhook_act", args=[study.slug, hook.pk])
    browser.post(act, {"do": "try"})
    served.behave = lambda to, came: to.reply(400, b"<script>alert(1)</script>")
    send_due()
    shown = browser.get(reverse("study_webhook", args=[study.slug, hook.pk])).content.decode()
    assert "A test" in shown
    assert "&lt;script&gt;alert(1)" in shown
    served.behave = None
    browser.post(reverse("study_webhook_replay", args=[study.slug, hook.pk, Delivery.objects.get().pk]))
    send_due()
    assert Delivery.objects.get().state == "done"
    browser.post(act, {"do": "off"})
    assert not Webhook.objects.get().is_on
    elsewhere = reverse("study_webhook", args=[stranger.memberships.get().study.slug, hook.pk])
    assert as_person(stranger).get(elsewhere).status_code == 404
    assert Client().get(elsewhere).status_code == 302
    browser.post(act, {"do": "remove"})
    assert not Webhook.objects.exists()
