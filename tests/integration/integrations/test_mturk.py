"""Mechanical Turk, held to a fake of it that boto3 speaks to: drafts, presses, bonuses that are paid once."""

import json

import pytest
from django.utils import timezone
from support import campaigns as make
from support.mturk_server import TOKEN, mechanical_turk

from accounts.permissions import Role
from annotation.actions.answer_consent import answer_consent
from annotation.actions.enter_crowd import enter_crowd
from foundation.errors import UserError
from integrations.mturk.client import FOR_PAY, SANDBOX, TurkClient
from integrations.recruiting.actions.connect_account import connect_account
from integrations.recruiting.actions.draft_recruitment import draft_recruitment
from integrations.recruiting.actions.order_recruitment import order_recruitment
from integrations.recruiting.actions.settle_order import settle_order
from integrations.recruiting.execution import do_order, due_orders
from integrations.recruiting.models import Order, Submission

pytestmark = pytest.mark.django_db(transaction=True)
ASKED = {
    "site": "mturk", "name": "Rewrite sentences", "description": "Make them formal.", "places": 2, "minutes": 10,
    "reward": 1.5, "consent": "Agree?",
}  # fmt: skip


@pytest.fixture
def site(settings):
    with mechanical_turk() as site:
        settings.MTURK_URL, settings.SITE_URL = site.url, "https://lab.example"
        yield site


def work():
    for _ in range(3):
        Order.objects.filter(state="queued").update(next_at=timezone.now())
        for key in due_orders():
            do_order(key)


def order(recruitment, name, total=0, submissions=(), **words):
    here = recruitment.recruitment_link.campaign
    made = order_recruitment(
        campaign=here, recruitment=recruitment, by=None, order=name, total=total, submissions=submissions, **words
    )
    work()
    made.refresh_from_db()
    recruitment.refresh_from_db()
    return made


def published(site, sandbox=False):
    study = make.study(items=4)
    make.person(Role.RESEARCHER, study)
    campaign = make.campaign(study, pay={"item": 1.0, "currency": "USD"}, overlap=2, roles=["crowd_annotator"])
    connect_account(study=study, by=None, site="mturk", token=TOKEN, sandbox=sandbox)
    work()
    made = draft_recruitment(campaign=campaign, by=None, **ASKED)
    work()
    made.refresh_from_db()
    assert (made.status, site.hits) == ("UNPUBLISHED", {}), "a draft is seen by nobody"
    assert order(made, "publish", total=300).state == "done"
    return made


def submitted(made, site, worker, answers):
    came = enter_crowd(recruitment_link=made.recruitment_link, external_id=worker, browser=f"b {worker}").participant
    answer_consent(participant=came, agrees=True)
    here = made.recruitment_link.campaign
    for _ in range(answers):
        make.hand_in(here, came.person, make.held(here, came.person))
    return site.submits(made.external_id, worker)


def test_a_task_is_made_by_a_press_and_its_assignments_are_decided_and_paid_once(site):
    made = published(site)
    (hit,) = site.hits.values()
    (kind,) = site.types.values()
    assert (kind["Reward"], hit["MaxAssignments"], made.status) == ("1.50", 2, "Assignable")
    assert f"https://lab.example/enter/{made.recruitment_link.secret}/" in hit["Question"]
    good, bad = submitted(made, site, "W1", 3), submitted(made, site, "W2", 1)
    order(made, "refresh")
    by_key = {one.external_id: one.pk for one in Submission.objects.all()}
    assert order(made, "reject", submissions=[by_key[bad]], reason="Copied.").state == "done"
    site.assignments[good]["AssignmentStatus"] = "Approved"  # somebody did it at the site meanwhile
    assert order(made, "approve", total=150, submissions=[by_key[good]]).state == "done"
    assert order(made, "bonus", total=150, submissions=[by_key[good]]).state == "done"
    assert site.paid == {good: 150}
    with pytest.raises(UserError, match="Nothing is left"):
        order(made, "bonus", submissions=[by_key[good]])
    assert order(made, "message", submissions=list(by_key.values()), text="Thanks!").state == "done"
    assert site.messages[0]["WorkerIds"] == ["W1", "W2"]
    order(made, "stop")
    assert made.status == "Reviewable"


def test_answers_that_are_lost_or_half_make_and_pay_nothing_twice(site):
    def half(handler, came, operation):
        """The task is made, and half of the answer arrives."""
        if operation != "CreateHITWithHITType":
            site.behave = half
            return False
        given = json.loads(came.body)
        site.tokens[given["UniqueRequestToken"]] = "H1"
        site.hits["H1"] = {**given, "HITId": "H1", "HITStatus": "Assignable"}
        handler.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n{"HIT": {"HI')
        handler.close_connection = True
        return True

    site.behave = half
    made = published(site)
    assert (made.external_id, list(site.hits)) == ("H1", ["H1"])
    key = submitted(made, site, "W1", 3)
    site.assignments[key]["AssignmentStatus"] = "Approved"
    order(made, "refresh")

    def pays_and_breaks(handler, came, operation):
        if operation != "SendBonus":
            site.behave = pays_and_breaks
            return False
        handler.close_connection = True
        given = json.loads(came.body)
        site.tokens[given["UniqueRequestToken"]] = key
        site.paid[key] = 150
        return True

    site.behave = pays_and_breaks
    unsure = order(made, "bonus", total=150, submissions=[Submission.objects.get().pk])
    assert unsure.state == "warning"
    settle_order(campaign=made.recruitment_link.campaign, order=unsure, happened=False, by=None)
    work()
    unsure.refresh_from_db()
    assert (unsure.state, site.paid) == ("done", {key: 150})
    site.behave = lambda handler, came, operation: handler.refuse("ThrottlingException", "Rate exceeded") or True
    waiting = order(made, "refresh")
    assert (waiting.state, waiting.attempts) == ("done", 2), "it was asked again"


def test_keys_are_told_apart_and_the_sandbox_is_amazons_own(site, settings):
    study = make.study(items=1)
    with pytest.raises(UserError, match="access key"):
        connect_account(study=study, by=None, site="mturk", token="one word")
    connect_account(study=study, by=None, site="mturk", token=TOKEN.replace("OF", "NO"))
    work()
    assert Order.objects.get().error == "Mechanical Turk does not accept the keys."
    settings.MTURK_URL = ""
    places = [TurkClient(TOKEN, sandbox=one)._client.meta.endpoint_url for one in (True, False)]
    assert places == [SANDBOX, FOR_PAY]
