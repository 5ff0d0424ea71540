"""Acts that meet: two people at one item, a state that changes under work, an answer after the end."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from django.db import connection, transaction
from support import campaigns as make
from support.processes import wait_until

from accounts.permissions import Role
from annotation.actions.adopt_gold import adopt_gold
from annotation.actions.report_problem import report_problem
from annotation.actions.review_answer import review_answer
from annotation.actions.revise_answer import revise_answer
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.actions.set_expected import set_expected
from annotation.actions.skip_item import skip_item
from annotation.actions.submit_answer import AlreadySubmitted, Submission
from annotation.actions.submit_or_revise import submit_or_revise
from annotation.effective_annotations import rewrites
from annotation.engine.annotator_context import annotator_context
from annotation.engine.assignment_queue import free_leases
from annotation.models import Answer, Assignment
from corpora.models import Reference
from foundation.errors import UserError

State = Assignment.State
# A transaction sees pg_stat_activity as it was at its first look, unless that is forgotten.
FORGET_THE_LAST_LOOK = "SELECT pg_stat_clear_snapshot()"
BLOCKED = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


def held_by(campaign, who, work):
    return {
        "study": campaign.study,
        "campaign": campaign.slug,
        "person": who,
        "assignment": work.assignment,
        "lease": work.lease,
    }


def skip(campaign, who, work):
    return skip_item(**held_by(campaign, who, work), key=uuid4())


def report(campaign, who, work):
    return report_problem(**held_by(campaign, who, work), key=uuid4(), kind="harmful")


def states(item):
    return list(Assignment.objects.filter(item=item).order_by("number").values_list("state", flat=True))


def blocked() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(FORGET_THE_LAST_LOOK)
        return bool(cursor.execute(BLOCKED).fetchone()[0])


def closing_its_connection(act):
    try:
        return act()
    finally:
        connection.close()


@pytest.mark.django_db(transaction=True)
def test_a_pilot_that_ends_while_somebody_hands_in_loses_nothing():
    campaign = make.campaign(make.study(items=3), state="pilot")
    who = make.person(study=campaign.study)
    work = make.held(campaign, who)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            annotator_context(study=campaign.study, campaign=campaign.slug, person=who)
            end = pool.submit(
                closing_its_connection, lambda: set_campaign_state(campaign=campaign, state="open", by=None)
            )
            wait_until(blocked, "the end of the pilot to wait for the membership")
            make.hand_in(campaign, who, work)
        assert end.result().state == "open"
    assert Answer.objects.get().late is False
    assert campaign.assignments.filter(state=State.LEASED).count() == 0


@pytest.mark.django_db(transaction=True)
def test_two_reports_of_one_item_under_freed_leases_do_not_deadlock():
    campaign = make.campaign(make.study(items=1), overlap=2)
    people = [make.person(study=campaign.study) for _ in range(2)]
    works = [make.held(campaign, who) for who in people]
    Assignment.objects.update(lease_expires_at="2000-01-01T00:00Z")
    assert free_leases() == 2
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            Assignment.objects.select_for_update().get(pk=works[1].assignment)
            first = pool.submit(closing_its_connection, lambda: report(campaign, people[0], works[0]))
            wait_until(blocked, "the first report to wait for an assignment")
            # In the order of the keys, so the other report waits for all of the item before it writes anything.
            assert Assignment.objects.select_for_update(skip_locked=True).filter(pk=works[0].assignment).count() == 1
        first.result()
    assert states(works[0].item) == [State.HELD, State.HELD]


@pytest.mark.django_db
def test_what_is_skipped_while_its_item_is_reported_is_held_too():
    campaign = make.campaign(make.study(items=1), overlap=3)
    first, second, third = (make.person(study=campaign.study) for _ in range(3))
    works = [make.held(campaign, who) for who in (first, second)]
    report(campaign, first, works[0])
    skip(campaign, second, works[1])
    assert states(works[0].item) == [State.HELD] * 3
    assert make.claim(campaign, third).work is None
    review_answer(
        answer=Answer.objects.get(outcome="reported"), verdict="returned", by=make.person(Role.REVIEWER, campaign.study)
    )
    assert states(works[0].item) == [State.FREE] * 3


@pytest.mark.django_db
def test_a_reported_item_of_a_pilot_stays_held_when_the_pilot_is_taken_back():
    campaign = make.campaign(make.study(items=1), overlap=2, state="pilot")
    first, second = (make.person(study=campaign.study) for _ in range(2))
    work, _ = make.held(campaign, first), make.held(campaign, second)
    report(campaign, first, work)
    set_campaign_state(campaign=campaign, state="draft", by=None)
    assert list(Assignment.objects.filter(pilot=True).values_list("state", flat=True)) == [State.HELD, State.HELD]


@pytest.mark.django_db
def test_a_verdict_on_an_answer_that_was_changed_meanwhile_is_refused():
    campaign = make.campaign(make.study(items=1))
    who, reviewer = make.person(study=campaign.study), make.person(Role.REVIEWER, campaign.study)
    first = Answer.objects.get(pk=make.hand_in(campaign, who, make.held(campaign, who)).answer)
    second = revise_answer(answer=first, person=who, key=uuid4(), content={"text": "Changed."})
    for verdict in ("accepted", "rejected", "returned"):
        with pytest.raises(UserError, match="newest revision"):
            review_answer(answer=first, verdict=verdict, by=reviewer)
    assert states(first.item) == [State.DONE]
    assert not first.reviews.exists()
    review_answer(answer=second, verdict="returned", by=reviewer)
    assert states(first.item) == [State.FREE]
    assert list(rewrites(campaign.study)) == []


@pytest.mark.django_db
def test_late_work_that_is_returned_frees_no_slot_of_a_later_answer():
    campaign = make.campaign(make.study(items=1))
    who, reviewer = make.person(study=campaign.study), make.person(Role.REVIEWER, campaign.study)
    work = make.held(campaign, who)
    set_campaign_state(campaign=campaign, state="closed", by=None)
    late = Answer.objects.get(pk=make.hand_in(campaign, who, work).answer)
    set_campaign_state(campaign=campaign, state="open", by=None)
    assert make.hand_in(campaign, who, work, content={"text": "In time."}).late is False
    review_answer(answer=late, verdict="returned", by=reviewer)
    assert states(work.item) == [State.DONE]
    assert [row.text for row in rewrites(campaign.study)] == ["In time."]


@pytest.mark.django_db
def test_after_the_end_a_second_submission_changes_no_answer():
    campaign = make.campaign(make.study(items=2))
    who = make.person(study=campaign.study)
    work = make.held(campaign, who)
    make.hand_in(campaign, who, work, content={"text": "In time."})
    set_campaign_state(campaign=campaign, state="closed", by=None)
    assert make.hand_in(campaign, who, work, content={"text": "After the end."}).late
    assert [row.text for row in rewrites(campaign.study)] == ["In time."]


@pytest.mark.django_db
def test_a_key_that_was_used_for_one_item_does_not_swallow_the_next():
    campaign = make.campaign(make.study(items=2))
    who, key = make.person(study=campaign.study), uuid4()
    following = make.hand_in(campaign, who, make.held(campaign, who), key=key).next.work
    with pytest.raises(UserError, match="used for another answer"):
        make.hand_in(campaign, who, following, key=key)
    assert Answer.objects.count() == 1


@pytest.mark.django_db
def test_what_was_rejected_since_is_no_reference_when_the_rewrites_are_adopted_again():
    campaign = make.campaign(make.study(items=1), overlap=2)
    reviewer = make.person(Role.REVIEWER, campaign.study)
    for text in ("One.", "Two."):
        who = make.person(study=campaign.study)
        make.hand_in(campaign, who, make.held(campaign, who), content={"text": text})
    adopt_gold(campaign=campaign, by=None)
    assert list(Reference.objects.order_by("pk").values_list("text", flat=True)) == ["One.", "Two."]
    for left in (["Two."], []):
        standing = Answer.objects.filter(reviews=None).order_by("pk").first()
        review_answer(answer=standing, verdict="rejected", by=reviewer)
        adopt_gold(campaign=campaign, by=None)
        assert list(Reference.objects.values_list("text", flat=True)) == left


@pytest.mark.django_db(transaction=True)
def test_an_expected_answer_is_not_taken_away_while_somebody_gets_the_item():
    study = make.study(items=2)
    campaign = make.campaign(study, control_every=1, state="draft")
    item = campaign.items.get(number=1)
    set_expected(item=item, content={"text": "I must see it."}, by=None)
    set_campaign_state(campaign=campaign, state="open", by=None)
    who = make.person(study=study)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            assert make.held(campaign, who).item == item.pk
            taking = pool.submit(closing_its_connection, lambda: set_expected(item=item, content=None, by=None))
            wait_until(blocked, "the expected answer to wait for the claim")
        with pytest.raises(UserError, match="Somebody has already worked on this item"):
            taking.result()
    item.refresh_from_db()
    assert item.control
    assert states(item) == [State.LEASED]


def work_in_hand():
    campaign = make.campaign(make.study(items=3), state="open")
    who = make.person(study=campaign.study)
    return campaign, who, make.held(campaign, who)


def submit(campaign, who, work, text, key, replaces=()):
    return submit_or_revise(
        **held_by(campaign, who, work), form={"text": text}, key=key, seconds=None, replaces=replaces
    )


def hand_in_while_another_waits(campaign, first, second):
    """`second` begins while `first` is not stored yet: it waits for the person's membership; what it gave or raised."""
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            first()
            waits = pool.submit(closing_its_connection, second)
            wait_until(blocked, "the second answer to wait for the membership")
        return waits.exception(60) or waits.result()


@pytest.mark.django_db(transaction=True)
def test_an_answer_that_waited_for_the_one_it_replaces_revises_it():
    """Else it would be a late one, for a reviewer, and the text that its writer took back would stand."""
    campaign, who, work = work_in_hand()
    old, new = uuid4(), uuid4()
    said = hand_in_while_another_waits(
        campaign,
        lambda: submit(campaign, who, work, "Old", old),
        lambda: submit(campaign, who, work, "New", new, [old]),
    )
    assert isinstance(said, Submission)
    told = Answer.objects.order_by("revision").values_list("content__text", "late")
    assert list(told) == [("Old", False), ("New", False)]


@pytest.mark.django_db(transaction=True)
def test_an_answer_that_was_replaced_before_it_arrived_is_not_stored_as_a_late_one():
    campaign, who, work = work_in_hand()
    old, new = uuid4(), uuid4()
    said = hand_in_while_another_waits(
        campaign,
        lambda: submit(campaign, who, work, "New", new, [old]),
        lambda: submit(campaign, who, work, "Old", old),
    )
    assert isinstance(said, AlreadySubmitted)
    assert list(Answer.objects.values_list("content__text", "late")) == [("New", False)]


@pytest.mark.django_db(transaction=True)
def test_the_same_revision_twice_at_once_is_stored_once():
    campaign, who, work = work_in_hand()
    old, new = uuid4(), uuid4()
    submit(campaign, who, work, "Old", old)
    both = [lambda: submit(campaign, who, work, "New", new, [old])] * 2
    assert isinstance(hand_in_while_another_waits(campaign, *both), Submission)
    assert list(Answer.objects.order_by("revision").values_list("content__text", flat=True)) == ["Old", "New"]
