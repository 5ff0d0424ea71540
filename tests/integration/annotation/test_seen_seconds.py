"""Nobody worked longer than the server saw, whatever they say: 86400 seconds sent at once were paid with 288 euros."""

from datetime import timedelta
from decimal import Decimal
from uuid import uuid4

import pytest
from django.utils import timezone
from support import campaigns as make
from support import crowd
from support.clients import with_token

from annotation.actions.answer_consent import answer_consent
from annotation.actions.edit_campaign import edit_campaign
from annotation.actions.enter_crowd import enter_crowd
from annotation.actions.report_problem import report_problem
from annotation.actions.revise_answer import revise_answer
from annotation.actions.skip_item import skip_item
from annotation.actions.submit_answer import submit_answer
from annotation.crowd.ledger import lines, participants_of
from annotation.engine.assignment_queue import free_leases
from annotation.models import Answer, Assignment, CrowdParticipant
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
A_DAY = 86400.0


@pytest.fixture
def campaign():
    return make.campaign(make.study(items=6), pay={"currency": "EUR", "hour": 12})


@pytest.fixture
def who(campaign):
    return make.person(study=campaign.study)


def submit(campaign, who, work, seconds=A_DAY):
    made = submit_answer(
        study=campaign.study, campaign=campaign.slug, person=who, assignment=work.assignment, lease=work.lease,
        key=uuid4(),
        content={"text": "I have to see it."}, seconds=seconds,
    )  # fmt: skip
    return Answer.objects.get(pk=made.answer)


def acts(campaign, who, work):
    """What names an act on the work."""
    return {
        "study": campaign.study, "campaign": campaign.slug, "person": who, "assignment": work.assignment,
        "lease": work.lease,
        "key": uuid4(),
    }  # fmt: skip


def test_an_answer_takes_no_longer_than_its_lease(campaign, who):
    assert submit(campaign, who, make.held(campaign, who)).seconds == 0
    work = make.held(campaign, who)
    make.time_passes(40)
    make.held(campaign, who)  # to look again, which renews the lease, makes it no younger
    assert submit(campaign, who, work).seconds == 40
    work = make.held(campaign, who)
    make.time_passes(40)
    assert submit(campaign, who, work, 12.5).seconds == 12.5


@pytest.mark.parametrize("said", [None, -1.0, float("nan"), float("inf"), A_DAY + 1])
def test_what_is_no_time_is_none(campaign, who, said):
    assert submit(campaign, who, make.held(campaign, who), said).seconds is None


def test_what_is_skipped_or_reported_takes_no_longer_either(campaign, who):
    work = make.held(campaign, who)
    make.time_passes(5)
    claim = skip_item(**acts(campaign, who, work), seconds=A_DAY)
    make.time_passes(7)
    report_problem(**acts(campaign, who, claim.work), kind="unreadable", seconds=A_DAY)
    assert list(Answer.objects.order_by("pk").values_list("outcome", "seconds")) == [("skipped", 5), ("reported", 7)]


def test_a_revision_takes_no_longer_than_since_the_last_thing_handed_in(campaign, who):
    first = submit(campaign, who, make.held(campaign, who))
    work = make.held(campaign, who)
    make.time_passes(30)
    revised = [
        revise_answer(answer=first, person=who, key=uuid4(), content={"text": f"Better {n}."}, seconds=A_DAY)
        for n in range(2)
    ]
    assert [one.seconds for one in revised] == [30, 0]
    assert submit(campaign, who, work).seconds == 0  # the same half minute counts once


def test_what_was_revised_meanwhile_is_taken_off(campaign, who):
    first = submit(campaign, who, make.held(campaign, who))
    work = make.held(campaign, who)
    make.time_passes(60)
    revise_answer(answer=first, person=who, key=uuid4(), content={"text": "Best."}, seconds=20)
    assert submit(campaign, who, work).seconds == 40


def test_late_work_takes_no_longer_than_since_the_last_thing_handed_in(campaign, who):
    submit(campaign, who, make.held(campaign, who))
    work, other = make.held(campaign, who), make.person(study=campaign.study)
    Assignment.objects.filter(pk=work.assignment).update(lease_expires_at=timezone.now() - timedelta(seconds=1))
    make.time_passes(50)
    free_leases(campaign.pk)
    assert make.held(campaign, other).assignment == work.assignment
    late = submit(campaign, who, work)
    assert (late.late, late.seconds) == (True, 50)


def test_late_work_of_somebody_who_handed_in_nothing_counts_from_their_coming(campaign, who):
    work, other = make.held(campaign, who), make.person(study=campaign.study)
    Assignment.objects.filter(pk=work.assignment).update(lease_expires_at=timezone.now() - timedelta(seconds=1))
    make.time_passes(50)
    free_leases(campaign.pk)
    make.held(campaign, other)
    assert submit(campaign, who, work).seconds == 50


def test_the_api_says_no_more(campaign, who):
    address = f"/api/studies/{campaign.study.slug}/campaigns/{campaign.slug}"
    api = with_token(who)
    work = api.post(f"{address}/next/").json()["work"]
    make.time_passes(9)
    given = {"slot": work["slot"], "lease": work["lease"], "key": str(uuid4()), "seconds": A_DAY}
    body = {**given, "content": {"text": "I see."}}
    assert api.post(f"{address}/answers/", body, content_type="application/json").status_code == 200
    assert Answer.objects.get().seconds == 9


def ledger_line(campaign):
    campaign.refresh_from_db()
    (line,) = lines(campaign, participants_of(campaign))
    return line


def test_an_hour_pays_what_the_campaign_plans_for_an_item():
    """By itself as long as a lease; `minutes` of the pay say it by item."""
    recruitment_link = crowd.recruitment_link(make.study(items=3), site="other", pay={"currency": "EUR", "hour": 12})
    campaign = recruitment_link.campaign
    participant = enter_crowd(recruitment_link=recruitment_link, external_id="A1", browser="b").participant
    CrowdParticipant.objects.update(entered_at=timezone.now() - timedelta(days=2))
    answer_consent(participant=participant, agrees=True)
    for hours in (24, 0.5):
        work = make.held(campaign, participant.person)
        make.time_passes(hours * 3600)
        submit(campaign, participant.person, work)
    line = ledger_line(campaign)
    assert (line.seconds, line.paid_seconds) == (A_DAY + 1800, 3600 + 1800)  # a lease is 60 minutes
    assert line.due.total == Decimal("18.00")
    edit_campaign(campaign=campaign, by=None, pay={"currency": "EUR", "hour": 12, "minutes": 5})
    assert ledger_line(campaign).due.total == Decimal("2.00")


@pytest.mark.parametrize("minutes", [0, -1, True, "5", 1441])
def test_minutes_that_cannot_be_are_refused(campaign, minutes):
    with pytest.raises(UserError):
        edit_campaign(campaign=campaign, by=None, pay={"hour": 12, "minutes": minutes})
