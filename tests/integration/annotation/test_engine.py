"""The queue, leases and answers, on a real PostgreSQL."""

from collections import Counter
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from support import campaigns as make

from accounts.permissions import Role
from annotation.actions import submit_answer as submitting
from annotation.actions.report_problem import report_problem
from annotation.actions.save_draft import save_draft
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.actions.skip_item import skip_item
from annotation.actions.submit_answer import MOST_LATE, AlreadySubmitted, submit_answer
from annotation.campaigns import items
from annotation.engine.assignment_queue import Reason, free_leases
from annotation.engine.leases import new_lease
from annotation.models import Answer, Assignment, Campaign, Draft
from annotation.task_types import TASK_TYPES
from corpora.models import Output
from foundation.errors import UserError

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return make.study()


def work_all(campaign, who):
    """Answer until there is nothing more; the reason that is given then."""
    claim = make.claim(campaign, who)
    while claim.work:
        claim = make.hand_in(campaign, who, claim.work).next
    return claim.reason


def expire(work):
    Assignment.objects.filter(pk=work.assignment).update(lease_expires_at=timezone.now() - timedelta(seconds=1))


def test_each_item_is_answered_by_overlap_different_people(study):
    campaign = make.campaign(study, overlap=2)
    people = [make.person(study=study) for _ in range(3)]
    reasons = [work_all(campaign, who) for who in people]
    assert reasons == [Reason.YOURS_DONE, Reason.FINISHED, Reason.FINISHED]
    assert Counter(Answer.objects.values_list("item", flat=True)) == {item.pk: 2 for item in campaign.items.all()}
    assert Answer.objects.filter(late=False).count() == 12
    assert campaign.assignments.exclude(state=Assignment.State.DONE).count() == 0


@pytest.mark.django_db(transaction=True)
def test_an_answer_is_stored_with_the_next_item_and_the_last_one_says_why_there_is_none(study, monkeypatch):
    campaign, people, stored = make.campaign(study, overlap=2), [make.person(study=study) for _ in range(2)], []
    fetch = submitting.fetch_and_commit
    monkeypatch.setattr(submitting, "fetch_and_commit", lambda *asked: stored.append(fetch(*asked)) or stored[-1])
    assert [work_all(campaign, who) for who in people] == [Reason.YOURS_DONE, Reason.FINISHED]
    assert Answer.objects.filter(late=False).count() == len(stored) == 12
    ends = [(is_stored, taken is None) for (_, taken), is_stored in stored]
    assert ends[0] == (False, False)  # a session that has not prepared these statements yet
    assert ends[1:] == [*[(True, False)] * 4, (True, True), *[(True, False)] * 5, (True, True)]
    assert list(campaign.memberships.values_list("done", flat=True)) == [6, 6]


def test_items_come_in_order_and_a_claim_twice_is_one_lease(study):
    campaign, who = make.campaign(study), make.person(study=study)
    first = make.held(campaign, who)
    again = make.held(campaign, who)
    assert (first.assignment, first.lease, first.number) == (again.assignment, again.lease, 1)
    assert make.hand_in(campaign, who, first).next.work.number == 2
    assert campaign.assignments.filter(state=Assignment.State.LEASED).count() == 1


def test_two_people_never_hold_the_same_assignment(study):
    campaign = make.campaign(study)
    numbers = [make.held(campaign, make.person(study=study)).number for _ in range(6)]
    assert numbers == [1, 2, 3, 4, 5, 6]
    assert make.claim(campaign, make.person(study=study)).reason == Reason.LEASED


@pytest.mark.parametrize(("left", "is_renewed"), [(0.95, False), (0.85, True), (-0.1, True)])
def test_a_lease_is_renewed_once_a_tenth_of_its_time_is_over(study, left, is_renewed):
    campaign, who = make.campaign(study), make.person(study=study)
    first = make.held(campaign, who)
    whole = timedelta(minutes=campaign.lease_minutes)
    expires = first.expires_at - whole * (1 - left)
    campaign.assignments.filter(pk=first.assignment).update(lease_expires_at=expires)
    again = make.held(campaign, who)
    assert again.expires_at == (first.expires_at if is_renewed else expires)  # in a test's transaction no time passes
    assert (again.assignment, again.lease) == (first.assignment, first.lease)


def test_the_database_refuses_a_second_slot_of_an_item_and_a_second_lease(study):
    campaign, who = make.campaign(study, overlap=2), make.person(study=study)
    work = make.held(campaign, who)
    other = Assignment.objects.filter(item=work.item).exclude(pk=work.assignment)
    with pytest.raises(IntegrityError, match="one_assignment_a_person"), transaction.atomic():
        other.update(annotator=who)
    elsewhere = Assignment.objects.exclude(item=work.item).filter(number=1)[:1].get()
    elsewhere.state, elsewhere.annotator = Assignment.State.LEASED, who
    with pytest.raises(IntegrityError, match="one_lease_a_person_and_campaign"), transaction.atomic():
        elsewhere.save()


def test_the_same_key_again_is_the_same_acknowledgement(study):
    campaign, who = make.campaign(study), make.person(study=study)
    work, key = make.held(campaign, who), uuid4()
    first = make.hand_in(campaign, who, work, key=key)
    again = make.hand_in(campaign, who, work, key=key)
    assert (again.answer, again.revision, again.late) == (first.answer, 1, False)
    assert again.next.work.assignment == first.next.work.assignment
    assert Answer.objects.get().content == {"text": "I have to see number 1."}


def test_a_key_of_somebody_else_is_refused_and_changes_nothing(study):
    campaign, one, other = make.campaign(study), make.person(study=study), make.person(study=study)
    key = uuid4()
    make.hand_in(campaign, one, make.held(campaign, one), key=key)
    work = make.held(campaign, other)
    with pytest.raises(UserError, match="used for another answer"):
        make.hand_in(campaign, other, work, key=key)
    assert Assignment.objects.get(pk=work.assignment).state == Assignment.State.LEASED


@pytest.mark.parametrize("same_key", [True, False])
def test_what_else_is_handed_in_from_another_tab_is_never_dropped_or_written_over_without_a_word(study, same_key):
    campaign, who = make.campaign(study), make.person(study=study)
    work, key = make.held(campaign, who), uuid4()
    first = make.hand_in(campaign, who, work, key=key)
    other = key if same_key else uuid4()
    with pytest.raises(AlreadySubmitted) as standing:
        make.hand_in(campaign, who, work, key=other, content={"text": "Said better."})
    assert (standing.value.answer.pk, standing.value.answer.revision) == (first.answer, 1)
    assert make.hand_in(campaign, who, work, key=other).answer == first.answer  # the same words are the same answer
    assert Answer.objects.get().content == {"text": "I have to see number 1."}


def test_an_expired_lease_that_nobody_took_is_still_good(study):
    campaign, who = make.campaign(study), make.person(study=study)
    work = make.held(campaign, who)
    expire(work)
    assert free_leases() == 1
    assert Assignment.objects.get(pk=work.assignment).state == Assignment.State.FREE
    assert make.hand_in(campaign, who, work).late is False
    assert Assignment.objects.get(pk=work.assignment).annotator == who


def test_work_that_comes_after_its_slot_was_taken_is_kept_as_late():
    campaign = make.campaign(make.study(items=1))
    slow, quick = make.person(study=campaign.study), make.person(study=campaign.study)
    work = make.held(campaign, slow)
    assert make.claim(campaign, quick).reason == Reason.LEASED
    expire(work)
    taken = make.held(campaign, quick)
    assert taken.assignment == work.assignment
    late = make.hand_in(campaign, slow, work)
    assert late.late
    assert late.next.reason == Reason.YOURS_DONE
    assert make.hand_in(campaign, quick, taken).late is False
    assert Assignment.objects.get(pk=work.assignment).annotator == quick
    assert Answer.objects.filter(item=work.item).count() == 2


def test_a_lease_that_was_never_given_is_refused(study):
    campaign, who, other = make.campaign(study), make.person(study=study), make.person(study=study)
    work = make.held(campaign, who)
    for forged in (uuid4(), new_lease(other.pk, campaign.pk)):
        work.lease = forged
        with pytest.raises(UserError, match="not assigned to you"):
            make.hand_in(campaign, who, work)
    assert not Answer.objects.exists()


def test_a_lease_is_good_for_its_own_slot_alone(study):
    """One lease once stored answers, as late ones, on every assignment of the campaign."""
    campaign, who = make.campaign(study, overlap=2), make.person(study=study)
    work, other = make.held(campaign, who), make.held(campaign, make.person(study=study))
    others = Assignment.objects.filter(campaign=campaign).exclude(pk=work.assignment)
    for assignment in (other.assignment, others.filter(state=Assignment.State.FREE).first().pk, others.last().pk):
        held = {"study": study, "campaign": campaign.slug, "person": who, "assignment": assignment, "lease": work.lease}
        for act in (
            lambda **held: submit_answer(**held, key=uuid4(), content={"text": "Not mine."}),
            lambda **held: skip_item(**held, key=uuid4()),
            lambda **held: report_problem(**held, key=uuid4(), kind="unreadable"),
            lambda **held: save_draft(**held, version=1, form={"text": "Not mine."}),
        ):
            with pytest.raises(UserError, match=r"not assigned to you|no longer yours"):
                act(**held)
    assert not Answer.objects.exists()
    assert not Draft.objects.exists()
    assert Assignment.objects.filter(state=Assignment.State.LEASED).count() == 2
    assert not make.hand_in(campaign, who, work).late


def test_an_answer_that_does_not_fit_names_its_field_and_keeps_the_lease(study):
    campaign, who = make.campaign(study), make.person(study=study)
    work = make.held(campaign, who)
    with pytest.raises(UserError) as error:
        make.hand_in(campaign, who, work, content={"text": " "})
    assert error.value.where == "text"
    assert make.held(campaign, who).lease == work.lease


def test_only_the_roles_of_a_campaign_get_work(study):
    campaign = make.campaign(study, roles=[Role.EXPERT_ANNOTATOR])
    assert make.claim(campaign, make.person(study=study)).reason == Reason.NOT_QUALIFIED
    assert make.claim(campaign, make.person(Role.EXPERT_ANNOTATOR, study)).work
    assert make.claim(campaign, make.person(Role.ADMIN)).work


@pytest.mark.parametrize(
    ("states", "reason"), [([], "draft"), (["open", "paused"], "paused"), (["open", "closed"], "closed")]
)
def test_a_campaign_that_takes_no_work_says_so(study, states, reason):
    campaign = make.campaign(study, state="draft")
    for state in states:
        campaign = set_campaign_state(campaign=campaign, state=state, by=None)
    assert make.claim(campaign, make.person(study=study)).reason == reason


def test_what_is_handed_in_after_the_campaign_closed_is_late(study):
    campaign, who = make.campaign(study), make.person(study=study)
    work = make.held(campaign, who)
    set_campaign_state(campaign=campaign, state="closed", by=None)
    assert make.hand_in(campaign, who, work).late


def test_late_answers_to_an_item_have_an_end(study):
    campaign, who = make.campaign(study), make.person(study=study)
    work = make.held(campaign, who)
    set_campaign_state(campaign=campaign, state="closed", by=None)
    for _ in range(MOST_LATE):
        assert make.hand_in(campaign, who, work).late
    with pytest.raises(UserError, match="it accepts no more answers"):
        make.hand_in(campaign, who, work)
    assert Answer.objects.count() == MOST_LATE


def test_pilot_answers_stay_apart(study):
    campaign, who = make.campaign(study, state="draft"), make.person(study=study)
    set_campaign_state(campaign=campaign, state="pilot", by=None, pilot_items=2)
    assert work_all(campaign, who) == Reason.FINISHED
    assert list(Answer.objects.values_list("pilot", flat=True)) == [True, True]
    campaign = set_campaign_state(campaign=campaign, state="open", by=None)
    assert make.held(campaign, who).number == 1
    assert work_all(campaign, who) == Reason.FINISHED
    assert Answer.objects.filter(pilot=False).count() == 6


def test_pilot_work_in_hand_may_still_be_handed_in_after_the_start(study):
    campaign, who = make.campaign(study, state="pilot"), make.person(study=study)
    work = make.held(campaign, who)
    campaign = set_campaign_state(campaign=campaign, state="open", by=None)
    made = make.hand_in(campaign, who, work)
    assert not made.late
    assert Answer.objects.get().pilot
    assert made.next.work.number == 1


def test_a_pilot_lease_taken_while_the_pilot_ended_blocks_nobody(study):
    campaign, who = make.campaign(study, state="pilot"), make.person(study=study)
    campaign = set_campaign_state(campaign=campaign, state="open", by=None)
    stray = campaign.assignments.filter(pilot=True).first()
    fields = {"annotator": who, "lease": new_lease(who.pk, campaign.pk), "state": Assignment.State.LEASED}
    Assignment.objects.filter(pk=stray.pk).update(**fields)
    work = make.held(campaign, who)
    assert work.assignment == stray.pk
    assert make.hand_in(campaign, who, work).next.work.number == 1
    assert Answer.objects.get().pilot


def test_the_presented_order_is_a_latin_square_and_is_stored():
    study = make.study(items=6, systems=3)
    campaign = make.campaign(study, "rank", overlap=2)
    rank = TASK_TYPES["rank"]
    for assignment in campaign.assignments.select_related("item"):
        assert assignment.order == rank.order(assignment.item.content, assignment.item.number, assignment.number)
    firsts = Counter(assignment.order[0] for assignment in campaign.assignments.filter(number=1))
    assert firsts == {0: 2, 1: 2, 2: 2}
    who = make.person(study=study)
    work = make.held(campaign, who)
    made = make.hand_in(campaign, who, work, content={"ranks": [1, 2, 3]})
    assert Answer.objects.get(pk=made.answer).order == work.order == Assignment.objects.get(pk=work.assignment).order


def test_an_answer_is_given_by_place_and_stored_by_text():
    study = make.study(items=6, systems=3)
    campaign, who = make.campaign(study, "rank"), make.person(study=study)
    rank = TASK_TYPES["rank"]
    orders = []
    for _ in range(6):
        work = make.held(campaign, who)
        page = rank.present(work.content, campaign.settings, work.order)
        assert [row["name"] for row in page["rows"]] == ["rank-0", "rank-1", "rank-2"]  # a name tells the place alone
        assert not any("index" in row for row in page["rows"])
        made = make.hand_in(campaign, who, work, content={"ranks": [2, 3, 1]})
        stored = Answer.objects.get(pk=made.answer)
        given = {
            judgement.text: judgement.value
            for judgement in rank.judgements(stored.content, work.content, campaign.settings)
        }
        assert [given[row["text"]] for row in page["rows"]] == [2, 3, 1]
        assert rank.arranged(stored.content, stored.order) == {"ranks": [2, 3, 1]}
        orders.append(tuple(work.order))
    assert len(set(orders)) > 1


def test_a_round_trip_costs_four_statements_in_one_transaction(study, django_assert_num_queries):
    campaign, who = make.campaign(study), make.person(study=study)
    work = make.held(campaign, who)
    study.role_of(who)
    with django_assert_num_queries(6) as seen:  # savepoints stand for BEGIN and COMMIT inside a test
        make.hand_in(campaign, who, work)
    assert [query["sql"].split()[0] for query in seen.captured_queries] == [
        "SAVEPOINT", "SELECT", "SELECT", "WITH", "WITH", "RELEASE",
    ]  # fmt: skip


def test_ten_thousand_items_are_built_in_bulk(study, django_assert_max_num_queries):
    with django_assert_max_num_queries(33):  # with the rows before and after that the trail reads, and the event
        campaign = make.campaign(study, overlap=3)
    assert campaign.size == 6
    assert campaign.assignments.count() == 18
    assert Campaign.objects.get().items.count() == 6


def built(campaign):
    """All that the items and assignments hold but their keys."""
    about = ["number", "sentence__number", "content", "authors", "people", "topic", "part"]
    assignments = ["item__number", "number", "position", "state", "order", "barred", "topic"]
    return [*campaign.items.order_by("number").values_list(*about)], [
        *campaign.assignments.order_by("item__number", "number").values_list(*assignments)
    ]


def test_items_that_are_built_in_batches_are_the_same(monkeypatch):
    study = make.study(systems=2)
    writer = make.person(study=study)
    rewriting = make.campaign(study, name="writing")
    text = Output.objects.filter(sentence__number=5).first().text
    for _ in range(2):
        make.hand_in(rewriting, writer, make.held(rewriting, writer), content={"text": text})
    whole = make.campaign(study, "rate", overlap=2, name="whole")
    monkeypatch.setattr(items, "BATCH", 4)
    with CaptureQueriesContext(connection) as seen:
        parts = make.campaign(study, "rate", overlap=2, name="parts")
    assert built(parts) == built(whole)
    assert parts.size == Campaign.objects.get(pk=parts.pk).size == 6
    assert [*parts.items.filter(authors=[writer.pk]).values_list("number", flat=True)] == [5]
    assert sum("r.reviewer_id" in query["sql"] for query in seen.captured_queries) == 1, "who wrote is asked once"
    assert sum("ANALYZE" in query["sql"] for query in seen.captured_queries) == 1
