"""Prolific, held to a fake of it: nothing is paid without a press, and nothing is paid twice."""

import json
import time
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from support import campaigns as make
from support.clients import with_token
from support.prolific_server import TOKEN, prolific

from accounts.actions.erase_person import erase_person
from accounts.models import AuditEntry
from accounts.permissions import Role
from annotation.actions.answer_consent import answer_consent
from annotation.actions.enter_crowd import enter_crowd
from annotation.models import Assignment
from foundation.errors import UserError
from integrations.prolific.hooks import hook_handle
from integrations.recruiting.actions.connect_account import connect_account
from integrations.recruiting.actions.draft_recruitment import draft_recruitment
from integrations.recruiting.actions.order_recruitment import order_recruitment
from integrations.recruiting.actions.settle_order import settle_order
from integrations.recruiting.execution import do_order, due_orders
from integrations.recruiting.models import Account, Order, Submission
from integrations.recruiting.watching import look_at_open

pytestmark = pytest.mark.django_db(transaction=True)
REASON = (
    "The rewrites repeat their sources word by word, although the guideline asks for formal sentences; see section 2."
)
ASKED = {
    "site": "prolific", "name": "Rewrite sentences", "description": "Make them formal.", "places": 3, "minutes": 10,
    "reward": 2.5, "screen_out_reward": 0.2, "consent": "Agree?",
}  # fmt: skip


@pytest.fixture
def site(settings):
    with prolific() as site:
        settings.PROLIFIC_URL, settings.SITE_URL = site.url, "https://lab.example"
        yield site


@pytest.fixture
def campaign():
    pay = {"item": 1.25, "currency": "GBP"}
    study = make.study(items=6)
    make.person(Role.RESEARCHER, study)
    return make.campaign(study, pay=pay, overlap=2, roles=["crowd_annotator", "expert_annotator"])


def work():
    """What the worker does, and what the clock does later."""
    for _ in range(3):
        for key in due_orders():
            do_order(key)


def draft(campaign, *, sandbox=False, **asked):
    connect_account(study=campaign.study, by=None, site="prolific", token=TOKEN, sandbox=sandbox)
    work()
    made = draft_recruitment(campaign=campaign, by=None, **{**ASKED, **asked})
    work()
    made.refresh_from_db()
    return made


def order(recruitment, kind, total=0, submissions=(), **words):
    here = recruitment.recruitment_link.campaign
    made = order_recruitment(
        campaign=here, recruitment=recruitment, by=None, order=kind, total=total, submissions=submissions, **words
    )
    work()
    made.refresh_from_db()
    return made


def worker(recruitment, site, person, answers=2):
    """Somebody comes from the site, works, and has their submission there."""
    key = site.comes(recruitment.external_id, person)
    link = recruitment.recruitment_link
    came = enter_crowd(recruitment_link=link, external_id=person, session_id=key, browser=f"b {person}").participant
    answer_consent(participant=came, agrees=True)
    for _ in range(answers):
        make.hand_in(link.campaign, came.person, make.held(link.campaign, came.person))
    return key, came


def test_a_draft_is_put_up_and_published_by_a_press_that_names_the_cost(site, campaign):
    made = draft(campaign)
    (study,) = site.studies.values()
    assert (made.external_id, made.status) == (study["id"], "UNPUBLISHED")
    assert (
        study["external_study_url"].startswith("https://lab.example/enter/")
        or "PROLIFIC_PID={{%" in study["external_study_url"]
    )
    assert (study["reward"], study["total_available_places"], study["estimated_completion_time"]) == (250, 3, 10)
    actors = [
        (code["code_type"], code["actions"][0]["action"], code.get("actor")) for code in study["completion_codes"]
    ]
    assert actors == [
        ("COMPLETED", "MANUALLY_REVIEW", None), ("SCREENED_OUT", "MANUALLY_REVIEW", None),
        ("FIXED_SCREEN_OUT", "FIXED_SCREEN_OUT_PAYMENT", "researcher"),
    ]  # fmt: skip
    with pytest.raises(UserError, match="another one by now"):
        order(made, "publish", total=100)
    assert not any("transition" in one for one in site.asked)
    assert order(made, "publish", total=750).state == "done"
    assert (study["status"], study["test"]) == ("ACTIVE", False)
    assert (Account.objects.get().details["currency"], len(site.hooks)) == ("GBP", 1)
    assert all(hook["is_enabled"] for hook in site.hooks.values())
    assert TOKEN not in str(list(AuditEntry.objects.values())) + str(list(Account.objects.values()))


def test_a_sandbox_publishes_to_test_participants_and_pays_nobody(site, campaign):
    made = draft(campaign, sandbox=True)
    order(made, "publish", total=750)
    assert site.studies[made.external_id]["test"]
    worker(made, site, "p1")
    order(made, "refresh")
    with pytest.raises(UserError, match="trying out"):
        order(made, "bonus", submissions=[Submission.objects.get().pk])


def test_signed_hooks_free_the_leases_of_people_who_went_away_and_forged_ones_do_nothing(site, campaign):
    made = draft(campaign)
    key, came = worker(made, site, "p1")
    make.held(campaign, came.person)
    site.submissions[key]["status"] = "RETURNED"
    address, body = reverse("prolific_hook", args=[hook_handle(made.account_id)]), site.hook(key)

    def post(headers, body=body, address=address):
        return Client().post(address, body, "application/json", headers=headers).status_code

    leased = Assignment.objects.filter(annotator=came.person, state=1)
    forged = [site.signed(body, secret="guess"), site.signed(body, at=time.time() - 600), {}, site.signed(body + b" ")]
    assert [post(headers) for headers in forged] == [403] * 4
    assert post(site.signed(body), address=reverse("prolific_hook", args=["1.forged"])) == 404
    assert leased.count() == 1
    assert post(site.signed(body)) == 204
    assert (leased.count(), Submission.objects.get().state) == (0, "cancelled")
    late = json.dumps({**json.loads(body), "status": "ACTIVE"}).encode()
    assert post(site.signed(late, at=time.time() - 100), late) == 204
    assert Submission.objects.get().state == "cancelled", "an older word changes nothing"
    half = b'{"event_type": "submission.sta'
    assert post(site.signed(half), half) == 400
    for odd in (
        {"status": "ODD"},
        {"resource_id": 5},
        {"participant_id": None},
        {"resource_id": "elsewhere", "participant_id": "x"},
    ):
        told = json.dumps({**json.loads(body), **odd}).encode()
        assert post(site.signed(told), told) == 204
    make.held(campaign, came.person)
    site.submissions[key]["status"] = "TIMED-OUT"
    Submission.objects.update(state="running", changed_at=timezone.now() - timedelta(minutes=1))
    look_at_open()
    Order.objects.filter(kind="refresh").delete()
    order(made, "refresh")
    assert leased.count() == 0, "without hooks the look of the clock frees them"


def test_work_is_approved_or_rejected_and_the_ledger_pays_the_rest_once(site, campaign):
    made = draft(campaign)
    order(made, "publish", total=750)
    (good, _), (bad, _), (out, _) = (
        worker(made, site, "p1", 3),
        worker(made, site, "p2", 1),
        worker(made, site, "p3", 1),
    )
    for key in (good, bad, out):
        site.submissions[key]["status"] = "AWAITING REVIEW"
    order(made, "refresh")
    by_key = {one.external_id: one.pk for one in Submission.objects.all()}
    with pytest.raises(UserError, match="at least 100"):
        order(made, "reject", submissions=[by_key[bad]], reason="Bad.", category="LOW_EFFORT")
    assert order(made, "reject", submissions=[by_key[bad]], reason=REASON, category="LOW_EFFORT").state == "done"
    assert order(made, "approve", total=250, submissions=[by_key[good]]).state == "done"
    assert order(made, "screen_out", total=20, submissions=[by_key[out]]).state == "done"
    assert [site.submissions[key]["status"] for key in (good, bad, out)] == ["APPROVED", "REJECTED", "SCREENED OUT"]
    with pytest.raises(UserError, match="does not fit"):
        order(made, "approve", total=250, submissions=[by_key[bad]])
    # Three items at 1.25 are 3.75 due, of which 2.50 were the reward; one item is 1.25, of which 0.20 were paid.
    both = [by_key[good], by_key[out]]
    assert site.paid == {}
    assert order(made, "bonus", total=230, submissions=both).state == "done"
    assert site.paid == {good: 125, out: 105}
    with pytest.raises(UserError, match="another one by now"):
        order(made, "bonus", total=230, submissions=both)
    with pytest.raises(UserError, match="Nothing is left"):
        order(made, "bonus", total=0, submissions=both)
    assert site.paid == {good: 125, out: 105}
    assert order(made, "message", submissions=both, text="Thank you!").state == "done"
    assert site.messages == [{"ids": ["p1", "p3"], "body": "Thank you!", "study_id": made.external_id}]


def test_an_answer_that_is_lost_pays_nobody_twice(site, campaign):
    made = draft(campaign)
    order(made, "publish", total=750)
    key, _ = worker(made, site, "p1", 3)
    site.submissions[key]["status"] = "APPROVED"
    order(made, "refresh")
    one = Submission.objects.get().pk

    def lose(handler, came):
        """The site pays, and its answer is lost."""
        if "bulk-bonus" not in came.path:
            site.behave = lose
            return False
        bulk = came.path.split("/")[-3]
        site.paid[key] = sum(site.bulks[bulk]["amounts"].values())
        site.bulks[bulk]["paid"] = True
        handler.close_connection = True
        return True

    site.behave = lose
    unsure = order(made, "bonus", total=125, submissions=[one])
    assert unsure.state == "warning"
    with pytest.raises(UserError, match="under way"):
        order(made, "bonus", total=125, submissions=[one])
    settle_order(campaign=campaign, order=unsure, happened=False, by=None)  # a person errs: it did happen
    work()
    unsure.refresh_from_db()
    assert (unsure.state, site.paid) == ("done", {key: 125})


def test_a_site_that_is_busy_or_gives_half_an_answer_is_asked_again_and_a_refusal_is_told(site, campaign):
    connect_account(study=campaign.study, by=None, site="prolific", token=TOKEN)
    work()
    site.behave = lambda handler, came: handler.reply(429, b"{}", Retry_After="300") or True
    made = draft_recruitment(campaign=campaign, by=None, **ASKED)
    work()
    (waiting,) = Order.objects.filter(kind="draft")
    assert (waiting.state, waiting.error) == ("queued", "Prolific is busy.")
    assert waiting.next_at > timezone.now() + timedelta(seconds=200)

    def half(handler, came):
        """The study is made, and half of the answer arrives."""
        if came.method != "POST":
            site.behave = half
            return False
        site.studies["7f"] = {**json.loads(came.body), "id": "7f", "status": "UNPUBLISHED"}
        handler.reply(201, b'{"id": "7f", "sta')
        return True

    site.behave = half
    Order.objects.update(next_at=timezone.now())
    work()
    Order.objects.update(next_at=timezone.now())
    work()
    made.refresh_from_db()
    assert (made.external_id, len(site.studies)) == ("7f", 1), "it is found again, not made twice"
    site.behave = lambda handler, came: handler.refuse(400, "Not enough money.") or True
    refused = order(made, "publish", total=750)
    assert (refused.state, refused.error) == ("failed", "Prolific says: Not enough money.")
    connect_account(study=campaign.study, by=None, site="prolific", token=TOKEN[::-1])
    work()
    assert Order.objects.filter(kind="connect").first().error == "Prolific does not accept the token for this."
    with pytest.raises(UserError, match="not a token"):
        connect_account(study=campaign.study, by=None, site="prolific", token="with spaces in it")


def test_programs_do_the_same_and_an_erased_person_leaves_no_id(site, campaign):
    lead = campaign.study.memberships.get(role="researcher").person
    client, at = with_token(lead), f"/api/studies/{campaign.study.slug}/campaigns/{campaign.slug}/recruitments/"
    accounts = f"/api/studies/{campaign.study.slug}/crowd-accounts/"
    given = {"site": "prolific", "token": TOKEN, "sandbox": False}
    assert client.post(accounts, given, "application/json").status_code == 201
    work()
    assert TOKEN not in client.get(accounts).content.decode()
    made = client.post(at, ASKED, "application/json")
    assert made.status_code == 201, made.content
    work()
    one = f"{at}{made.json()['id']}/"
    assert client.post(f"{one}orders/", {"order": "publish", "total": 1}, "application/json").status_code == 400
    assert client.post(f"{one}orders/", {"order": "publish", "total": 750}, "application/json").status_code == 201
    work()
    assert client.get(at).json()["results"][0]["status"] == "ACTIVE"
    from integrations.recruiting.models import Recruitment

    key, came = worker(Recruitment.objects.get(), site, "p1")
    client.post(f"{one}orders/", {"order": "refresh"}, "application/json")
    work()
    (told,) = client.get(f"{one}submissions/").json()["results"]
    assert (told["external_id"], told["due"], told["paid"], told["left"]) == (key, 250, 0, 0)
    erase_person(person=came.person)
    (told,) = client.get(f"{one}submissions/").json()["results"]
    assert told["external_id"] == ""
