"""The running sums of a membership are what its answers say, whatever was done, by whichever version."""

from contextlib import suppress
from decimal import Decimal
from random import Random
from uuid import uuid4

import pytest
from support import campaigns as make

from annotation.actions.edit_campaign import edit_campaign
from annotation.actions.report_problem import report_problem
from annotation.actions.revise_answer import revise_answer
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.actions.skip_item import skip_item
from annotation.actions.submit_answer import submit_answer
from annotation.actions.undo_last_act import undo_last_act
from annotation.engine.assignment_queue import free_leases
from annotation.engine.running_sums import RECENT
from annotation.models import Answer, Assignment, CampaignMembership
from annotation.progress.own_progress import own_progress
from foundation.errors import UserError

pytestmark = pytest.mark.django_db


def by_hand(campaign, who):
    """(the seconds of all answers, the paid seconds, the paid items), in plain Python."""
    campaign.refresh_from_db()
    planned = 60 * (campaign.pay.get("minutes") or campaign.lease_minutes)
    own = list(Answer.objects.filter(campaign=campaign, person=who))
    counted = [answer.seconds for answer in own if answer.outcome == "answered" and answer.seconds is not None]
    of_item = {}
    for answer in own:
        key = answer.item_id, answer.pilot
        of_item[key] = of_item.get(key, 0.0) + (answer.seconds or 0.0)
    assert len(counted) <= RECENT  # which of them are the newest is another test's
    items = {(answer.item_id, answer.pilot) for answer in own if answer.outcome == "answered"}
    return sorted(counted), sum(min(seconds, planned) for seconds in of_item.values()), len(items)


def stored(campaign, who):
    own_progress(campaign.pk, who)  # whoever needs them sums what is stale
    membership = CampaignMembership.objects.get(campaign=campaign, person=who)
    assert membership.summed_done == membership.done
    return sorted(membership.recent_seconds), membership.paid_seconds, membership.answered


class Worker:
    """Does what somebody may do, drawn by chance; the clock of the database is moved by hand."""

    def __init__(self, campaign, seed):
        self.campaign, self.random, self.who = campaign, Random(seed), make.person(study=campaign.study)  # noqa: S311

    def act(self):
        name = self.random.choice(
            ["submit"] * 5 + ["skip", "report", "undo", "revise", "late", "again", "plan", "open"]
        )
        with suppress(UserError):  # not now: nothing to undo, nothing left
            getattr(self, name)()

    def held(self):
        work = make.claim(self.campaign, self.who).work
        make.time_passes(self.random.choice([0.5, 20, 90, 400]))
        if work is None:
            raise UserError("Nothing is left.")
        return {
            "study": self.campaign.study, "campaign": self.campaign.slug, "person": self.who,
            "assignment": work.assignment, "lease": work.lease, "key": uuid4(),
            "seconds": self.random.choice([None, 0.25, 12.5, 80.125, 1000, -1]),
        }  # fmt: skip

    def submit(self):
        submit_answer(**self.held(), content={"text": f"Said {self.random.random()}."})

    def again(self):
        held = self.held()
        for _ in range(2):
            submit_answer(**held, content={"text": "Said twice."})

    def skip(self):
        skip_item(**self.held())

    def report(self):
        report_problem(**self.held(), kind="unreadable")

    def undo(self):
        undo_last_act(study=self.campaign.study, campaign=self.campaign.slug, person=self.who)

    def revise(self):
        own = list(Answer.objects.filter(campaign=self.campaign, person=self.who, outcome="answered", late=False))
        if own:
            answer = self.random.choice(own)
            make.time_passes(5)
            revise_answer(answer=answer, person=self.who, key=uuid4(), content={"text": "Better."}, seconds=3.5)

    def late(self):
        held = self.held()
        Assignment.objects.filter(pk=held["assignment"]).update(lease_expires_at="2020-01-01T00:00Z")
        free_leases()
        Assignment.objects.filter(pk=held["assignment"]).update(
            state=2, annotator=make.person(study=self.campaign.study)
        )
        submit_answer(**held, content={"text": "Too late."})

    def plan(self):
        pay = {"currency": "EUR", "hour": 12} | self.random.choice([{}, {"minutes": 1}, {"minutes": 2}])
        edit_campaign(campaign=self.campaign, by=None, pay=pay, lease_minutes=self.random.choice([3, 60]))

    def open(self):
        set_campaign_state(campaign=self.campaign, state="open", by=None)


@pytest.mark.parametrize("seed", range(6))
def test_after_any_acts_the_sums_are_those_of_the_answers(seed):
    study = make.study(items=60)
    campaign = make.campaign(study, pay={"currency": "EUR", "hour": 12}, overlap=2, state="draft")
    set_campaign_state(campaign=campaign, state="pilot", by=None, pilot_items=20)
    worker = Worker(campaign, seed)
    for step in range(45):
        worker.act()
        if step % 7 == 0:
            recent, paid, items = stored(campaign, worker.who)
            assert (recent, pytest.approx(paid), items) == by_hand(campaign, worker.who)
    recent, paid, items = stored(campaign, worker.who)
    assert (recent, pytest.approx(paid), items) == by_hand(campaign, worker.who)
    assert Answer.objects.filter(campaign=campaign, person=worker.who).count() > 15


def test_no_more_than_the_newest_are_kept():
    campaign = make.campaign(make.study(items=RECENT + 8))
    who = make.person(study=campaign.study)
    for seconds in range(RECENT + 7):
        work = make.held(campaign, who)
        make.time_passes(100)
        submit_answer(
            study=campaign.study, campaign=campaign.slug, person=who, assignment=work.assignment, lease=work.lease,
            key=uuid4(), content={"text": "Said."}, seconds=float(seconds),
        )  # fmt: skip
    assert CampaignMembership.objects.get(person=who).recent_seconds == [float(n) for n in range(7, RECENT + 7)]


def test_what_a_version_without_sums_wrote_is_summed_when_it_is_needed():
    campaign = make.campaign(make.study(), pay={"currency": "EUR", "hour": 36})
    who = make.person(study=campaign.study)
    for _ in range(3):
        make.hand_in(campaign, who, make.held(campaign, who))
    # It counts what is done, and knows nothing of the rest.
    Answer.objects.update(seconds=50)
    CampaignMembership.objects.update(recent_seconds=[], paid_seconds=0, summed_done=2)
    assert own_progress(campaign.pk, who).due == Decimal("1.50")
    assert stored(campaign, who) == ([50.0] * 3, 150.0, 3)
    CampaignMembership.objects.update(answered=None)  # one that knows the times alone
    assert stored(campaign, who) == ([50.0] * 3, 150.0, 3)
