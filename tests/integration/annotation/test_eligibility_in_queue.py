"""The eligibility rules as the queue asks them, and whom a reviewer's verdicts pause."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from support import campaigns as make

from accounts.models import AuditEntry, Credential
from accounts.permissions import Role
from annotation.actions.resume_annotator import resume_annotator
from annotation.actions.review_answer import review_answer
from annotation.actions.revise_answer import revise_answer
from annotation.actions.settle_annotator import settle_annotator
from annotation.annotator_pool import missing
from annotation.effective_annotations import products
from annotation.engine.assignment_queue import Reason
from annotation.models import Answer, Assignment, CampaignMembership, Item
from foundation.errors import UserError

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return make.study(items=6)


def work(campaign, who, count):
    """Hand in `count` items; the last claim."""
    claim = make.claim(campaign, who)
    for _ in range(count):
        claim = make.hand_in(campaign, who, claim.work).next
    return claim


def test_a_quota_ends_the_work_of_one_person_and_not_of_another(study):
    campaign, who = make.campaign(study, eligibility={"quota": 2}), make.person(study=study)
    claim = work(campaign, who, 2)
    assert (claim.work, claim.reason) == (None, Reason.QUOTA)
    assert "2 items" in claim.sentences[0]
    assert make.claim(campaign, make.person(study=study)).work.number == 3


def test_a_full_day_ends_with_the_day(study):
    campaign, who = make.campaign(study, eligibility={"per_day": 2}), make.person(study=study)
    assert work(campaign, who, 2).reason == Reason.DAY_FULL
    CampaignMembership.objects.filter(person=who).update(day=timezone.now().date() - timedelta(days=1))
    assert work(campaign, who, 1).work
    membership = CampaignMembership.objects.get(person=who)
    assert (membership.done, membership.today, membership.day) == (3, 1, timezone.now().date())


def test_a_credential_counts_once_it_is_verified(study):
    campaign, who = make.campaign(study, eligibility={"credentials": ["md"]}), make.person(study=study)
    shown = Credential.objects.create(person=who, name="md")
    claim = make.claim(campaign, who)
    assert (claim.work, claim.reason) == (None, Reason.NOT_QUALIFIED)
    assert "md" in claim.sentences[0]
    shown.verified_at = timezone.now()
    shown.save()
    assert make.claim(campaign, who).work
    Credential.objects.update(expires_on=timezone.now().date() - timedelta(days=1))
    assert make.claim(campaign, who).work is None


def test_items_go_to_people_who_know_their_topic(study):
    campaign = make.campaign(study, eligibility={"by_topic": True})
    Item.objects.filter(number=3).update(topic="Diabetes")
    Item.objects.exclude(number=3).update(topic="Asthma")
    Assignment.objects.filter(item__number=3).update(topic="diabetes")
    Assignment.objects.exclude(item__number=3).update(topic="asthma")
    who = make.person(study=study, topics=["diabetes"])
    claim = make.claim(campaign, who)
    assert claim.work.number == 3
    assert make.hand_in(campaign, who, claim.work).next.reason == Reason.YOURS_DONE
    assert make.claim(campaign, make.person(study=study, topics=["ASTHMA"])).work.number == 1
    assert make.claim(campaign, make.person(study=study)).reason == Reason.NOT_QUALIFIED


def test_acceptance_is_counted_from_the_verdicts(study):
    first = make.campaign(study, name="first")
    second = make.campaign(study, name="second", eligibility={"accepted": {"least": 2}, "acceptance_rate": 1.0})
    who, reviewer = make.person(study=study), make.person(Role.REVIEWER, study)
    work(first, who, 3)
    answers = list(Answer.objects.order_by("pk"))
    review_answer(answer=answers[0], verdict="accepted", by=reviewer)
    assert make.claim(second, who).reason == Reason.NOT_QUALIFIED
    review_answer(answer=answers[1], verdict="accepted", by=reviewer)
    assert make.claim(second, who).work
    review_answer(answer=answers[2], verdict="rejected", by=reviewer)
    assert make.claim(second, who).work is None
    review_answer(answer=answers[2], verdict="accepted", by=reviewer)
    membership = CampaignMembership.objects.get(campaign=first, person=who)
    assert (membership.accepted, membership.rejected, membership.rejected_in_row) == (3, 0, 0)
    assert make.claim(second, who).work


def paused(study, **options):
    """A campaign in which somebody was paused after two rejections in a row, they, and the reviewer."""
    campaign = make.campaign(study, eligibility={"pause_after": 2}, **options)
    who, reviewer = make.person(study=study), make.person(Role.RESEARCHER, study)
    work(campaign, who, 4)
    answers = list(Answer.objects.order_by("pk"))
    review_answer(answer=answers[0], verdict="accepted", by=reviewer)
    review_answer(answer=answers[1], verdict="rejected", by=reviewer)
    review_answer(answer=answers[1], verdict="rejected", by=reviewer)  # said again it is no second one
    assert make.claim(campaign, who).work
    review_answer(answer=answers[2], verdict="rejected", by=reviewer)
    return campaign, who, reviewer


def test_a_rejection_is_not_forgotten_once_its_revision_was_accepted(study):
    first = make.campaign(study, name="first")
    expert = make.campaign(study, name="expert", eligibility={"acceptance_rate": 1.0, "accepted": 2})
    who, reviewer = make.person(study=study), make.person(Role.REVIEWER, study)
    work(first, who, 3)
    bad, good, mistaken = Answer.objects.filter(person=who).order_by("pk")
    review_answer(answer=bad, verdict="rejected", by=reviewer)
    again = revise_answer(answer=bad, person=who, key=uuid4(), content={"text": "I have to see it."})
    review_answer(answer=again, verdict="accepted", by=reviewer)
    review_answer(answer=good, verdict="accepted", by=reviewer)
    membership = CampaignMembership.objects.get(person=who, campaign=first)
    assert (membership.accepted, membership.rejected, membership.accepted_at_first, membership.rejected_at_first) == (
        2,
        0,
        1,
        1,
    )
    (said,) = make.claim(expert, who).sentences
    assert said == "This work requires 100% of the answers accepted at the first review; you have 1 of 2."
    assert missing([expert], who)[expert.pk] == [said]
    # A reviewer who changes their own word about the same revision takes it back.
    review_answer(answer=mistaken, verdict="rejected", by=reviewer)
    review_answer(answer=mistaken, verdict="accepted", by=reviewer)
    membership.refresh_from_db()
    assert (membership.accepted_at_first, membership.rejected_at_first) == (2, 1)
    # What was returned was never judged: the revision that is counts.
    review_answer(answer=good, verdict="returned", by=reviewer)
    membership.refresh_from_db()
    assert (membership.accepted_at_first, membership.rejected_at_first) == (1, 1)


def test_rejections_in_a_row_pause_a_person_until_they_are_resumed(study):
    campaign, who, reviewer = paused(study)
    claim = make.claim(campaign, who)
    assert (claim.work, claim.reason) == (None, Reason.PAUSED_YOU)
    assert "2 of your answers" in claim.sentences[0]
    resume_annotator(campaign=campaign, person=who, by=reviewer)
    assert make.claim(campaign, who).work
    with pytest.raises(UserError, match="not paused"):
        resume_annotator(campaign=campaign, person=who, by=reviewer)


def test_the_work_of_a_paused_person_is_kept_or_given_to_others_with_all_that_came_of_it(study):
    campaign, who, reviewer = paused(study)
    check = make.campaign(study, "verify", after=campaign)
    assert check.items.filter(withdrawn=False).count() == 2
    assert settle_annotator(campaign=campaign, person=who, keep=True, by=reviewer) == 0
    assert settle_annotator(campaign=campaign, person=who, keep=False, by=reviewer) == 4
    assert list(products(study)) == []
    assert check.items.filter(withdrawn=False).count() == 0
    membership = CampaignMembership.objects.get(campaign=campaign, person=who)
    assert (membership.accepted, membership.rejected) == (0, 4)
    assert settle_annotator(campaign=campaign, person=who, keep=False, by=reviewer) == 0
    assert set(AuditEntry.objects.values_list("action", flat=True)) >= {"settle_worker", "decide"}  # as they are stored
    other = make.person(study=study)
    assert work(campaign, other, 5).reason in (Reason.LEASED, Reason.FINISHED)


def test_a_campaign_without_rules_asks_nothing_more(study):
    plain, ruled = make.campaign(study, name="plain"), make.campaign(study, name="ruled", eligibility={"quota": 5})
    known = make.campaign(study, name="known", eligibility={"credentials": ["md"]})
    who = make.person(study=study)
    Credential.objects.create(person=who, name="md", verified_at=timezone.now())
    study.role_of(who)
    counts = []
    for campaign in (plain, ruled, known):
        held = make.held(campaign, who)
        with CaptureQueriesContext(connection) as asked:
            make.hand_in(campaign, who, held)
        counts.append(len([one for one in asked if "SAVEPOINT" not in one["sql"]]))
    assert counts == [4, 4, 5]
