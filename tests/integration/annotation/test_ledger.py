"""The ledger, by figures that were worked out by hand."""

import csv
import io
from datetime import timedelta
from decimal import Decimal
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from support import campaigns as make
from support import crowd
from support.clients import with_token

from accounts.actions.erase_person import erase_person
from annotation.actions.answer_consent import answer_consent
from annotation.actions.edit_campaign import edit_campaign
from annotation.actions.enter_crowd import enter_crowd
from annotation.actions.leave_crowd import leave_crowd
from annotation.actions.open_recruitment_link import open_recruitment_link
from annotation.actions.review_answer import review_answer
from annotation.actions.revise_answer import revise_answer
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.crowd.ledger import due, everybody_of, lines, participants_of
from annotation.models import Answer, Assignment, CrowdParticipant
from annotation.progress.own_progress import own_progress, progress_at_hand

pytestmark = pytest.mark.django_db


@pytest.fixture
def worked():
    """Somebody trained for 30 s and 30 s, answered three items in 40, 50 and 60 s, changed one in 45.5 s; one of the
    three was accepted, one rejected; a fourth was skipped."""
    study = make.study(items=4)
    recruitment_link = crowd.recruitment_link(
        study, training=True, site="other", pay={"currency": "EUR", "item": 0.15, "hour": 12.5}
    )
    participant = enter_crowd(recruitment_link=recruitment_link, external_id="=A1", browser="b").participant
    # (In a test all is one transaction, whose clock stands still: they came before it began.)
    CrowdParticipant.objects.update(entered_at=timezone.now() - timedelta(hours=1))
    answer_consent(participant=participant, agrees=True)
    for seconds in (30.0, 30.0, 0.0, 0.0):
        work = make.held(recruitment_link.training, participant.person)
        make.hand_in(recruitment_link.training, participant.person, work, seconds=seconds)
    made = [
        make.hand_in(
            recruitment_link.campaign,
            participant.person,
            make.held(recruitment_link.campaign, participant.person),
            seconds=seconds,
        )
        for seconds in (40.0, 50.0, 60.0)
    ]
    answers = {one.answer: Answer.objects.get(pk=one.answer) for one in made}
    first, second, third = answers.values()
    make.time_passes(45.5)
    revise_answer(answer=first, person=participant.person, key=uuid4(), content={"text": "Better."}, seconds=45.5)
    reviewer = make.person("reviewer", study)
    review_answer(answer=second, verdict="accepted", by=reviewer)
    review_answer(answer=third, verdict="rejected", by=reviewer, comment="No.")
    return participant


def line_of(participant):
    campaign = participant.recruitment_link.campaign
    campaign.refresh_from_db()
    (line,) = lines(campaign, participants_of(campaign))
    return line


def test_a_line_by_hand(worked):
    line = line_of(worked)
    assert line.seconds == 255.5  # 30 + 30 + 40 + 50 + 60 + 45.5
    assert (line.answered, line.accepted, line.rejected) == (3, 1, 1)
    # 2 of 3 items at 0.15 are 0.30; 255.5 s at 12.50 an hour are 0.8871..., so 0.89
    assert (line.due.items, line.due.time, line.due.total) == (Decimal("0.30"), Decimal("0.89"), Decimal("1.19"))


def test_rejected_items_are_paid_where_the_campaign_says_so(worked):
    campaign = worked.recruitment_link.campaign
    edit_campaign(campaign=campaign, by=None, pay={"currency": "EUR", "item": 0.15, "rejected": True})
    assert line_of(worked).due.items == Decimal("0.45")
    assert line_of(worked).due.time == Decimal("0.00")


@pytest.mark.parametrize(
    ("pay", "seconds", "answered", "rejected", "items", "time"),
    [
        ({}, 3600, 5, 0, "0.00", "0.00"),
        ({"item": 0.005}, 0, 1, 0, "0.01", "0.00"),  # half a cent is a cent
        ({"item": 0.005}, 0, 3, 0, "0.02", "0.00"),  # 1.5 cents are 2
        ({"hour": 0.01}, 1800, 0, 0, "0.00", "0.01"),
        ({"item": 1.1}, 0, 3, 0, "3.30", "0.00"),  # as a float it would be 3.3000000000000003
        ({"item": 1}, 0, 1, 2, "0.00", "0.00"),
    ],
)
def test_money_is_rounded_half_up_to_cents(pay, seconds, answered, rejected, items, time):
    found = due(pay, seconds, answered, rejected)
    assert (found.items, found.time) == (Decimal(items), Decimal(time))


def test_the_file_and_the_endpoint_say_the_same_and_run_no_formula(worked):
    leave_crowd(participant=worked)
    study = worked.recruitment_link.campaign.study
    lead, address = make.person("researcher", study), [study.slug, worked.recruitment_link.campaign.slug]
    client = Client()
    client.force_login(lead)
    answer = client.get(reverse("campaign_ledger_file", args=address))
    (row,) = csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig")))
    assert row["id"].lstrip("'\t ") == "=A1"
    assert not row["id"].startswith("=")
    assert (row["seconds"], row["answered"], row["pay"], row["currency"]) == ("255.5", "3", "1.19", "EUR")
    (told,) = with_token(lead).get(reverse("api:campaign-ledger", args=address)).json()["results"]
    assert (told["pay_items"], told["pay_time"], told["pay"]) == ("0.30", "0.89", "1.19")
    assert told["code"] == row["code"] != ""
    assert "=A1" in client.get(reverse("campaign_ledger", args=address)).content.decode()


def test_people_of_the_study_stand_behind_them_with_what_their_page_says(worked):
    campaign = worked.recruitment_link.campaign
    rater = make.person(study=campaign.study)
    make.hand_in(campaign, rater, make.held(campaign, rater), seconds=30.0)
    shown = own_progress(campaign.pk, rater).due
    lead = make.person("researcher", campaign.study)
    client = Client()
    client.force_login(lead)
    address = [campaign.study.slug, campaign.slug]
    told = client.get(reverse("api:campaign-ledger", args=address)).json()["results"]
    assert [(one["site"], one["state"], one["pay"]) for one in told][1:] == [("", "", str(shown))]
    assert (told[1]["pseudonym"], told[1]["entrant"]) == (str(rater.pseudonym), None)
    assert str(rater.pseudonym) in client.get(reverse("campaign_ledger", args=address)).content.decode()
    assert b"".join(client.get(reverse("campaign_ledger_file", args=address)).streaming_content).count(b"\r\n") == 3
    edit_campaign(campaign=campaign, by=None, pay={})
    assert len(everybody_of(campaign)) == 1, "who is paid nothing stands in no ledger"


@pytest.mark.parametrize("when", ["lost", "closed", "pilot"])
def test_what_comes_late_and_in_a_pilot_is_due_on_the_page_as_in_the_ledger(when):
    study = make.study(items=4)
    campaign = make.campaign(study, pay={"currency": "EUR", "item": 0.15}, state="draft")
    set_campaign_state(campaign=campaign, state="pilot" if when == "pilot" else "open", by=None)
    rater = make.person(study=study)
    work = make.held(campaign, rater)
    if when == "lost":
        Assignment.objects.filter(pk=work.assignment).update(state=2, annotator=make.person(study=study))
    if when == "closed":
        set_campaign_state(campaign=campaign, state="closed", by=None)
    submitted = make.hand_in(campaign, rater, work)
    assert submitted.late is (when != "pilot")
    at_hand = progress_at_hand(submitted.next.context)
    if when == "pilot":
        set_campaign_state(campaign=campaign, state="open", by=None)
    campaign.refresh_from_db()
    (line,) = lines(campaign, everybody_of(campaign))
    assert line.due.total == Decimal("0.15") == own_progress(campaign.pk, rater).due == at_hand.due
    if when == "lost":
        rejected = Answer.objects.get(pk=submitted.answer)
        review_answer(answer=rejected, verdict="rejected", by=make.person("reviewer", study), comment="No.")
        (line,) = lines(campaign, everybody_of(campaign))
        assert line.due.total == Decimal("0.00") == own_progress(campaign.pk, rater).due


def test_after_erasing_the_pseudonym_alone_is_left(worked):
    person = worked.person
    erase_person(person=person, by=None)
    study = worked.recruitment_link.campaign.study
    client = Client()
    client.force_login(make.person("researcher", study))
    answer = client.get(reverse("campaign_ledger_file", args=[study.slug, worked.recruitment_link.campaign.slug]))
    (row,) = csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig")))
    assert (row["id"], row["session"], row["code"]) == ("", "", "")
    assert (row["pseudonym"], row["pay"]) == (str(person.pseudonym), "1.19")


def test_a_training_before_a_second_campaign_is_not_paid_twice(worked):
    campaign = make.campaign(worked.recruitment_link.campaign.study, name="More", pay={"hour": 12.5})
    second = open_recruitment_link(
        campaign=campaign, site="other", consent="Agree?", training=worked.recruitment_link.training, by=None
    )
    enter_crowd(recruitment_link=second, external_id="=A1", browser="b")
    (line,) = lines(campaign, participants_of(campaign))
    assert line.seconds == 0
    assert line.participant.person_id == worked.person_id


def test_of_what_was_not_timed_nothing_is_paid(worked):
    before = line_of(worked).due.time
    campaign = worked.recruitment_link.campaign
    work = make.held(campaign, worked.person)
    submitted = make.hand_in(campaign, worked.person, work)
    assert Answer.objects.get(pk=submitted.answer).seconds is None
    assert line_of(worked).due.time == before
