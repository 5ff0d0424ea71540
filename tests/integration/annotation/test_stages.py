"""What one campaign makes becomes the items of the next, and goes again when its ground goes."""

from uuid import uuid4

import pytest
from support import campaigns as make

from accounts.permissions import Role
from annotation.actions.edit_campaign import edit_campaign
from annotation.actions.review_answer import review_answer
from annotation.actions.revise_answer import revise_answer
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.effective_annotations import products, rewrites
from annotation.engine.assignment_queue import Reason
from annotation.models import Answer, Assignment, Campaign, Item
from annotation.stages import bring_in_missed
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
State = Assignment.State
ACCEPT = {"verdict": "accept"}
REJECT = {"verdict": "reject", "reason": "It does not read well"}


@pytest.fixture
def study():
    return make.study(items=3)


@pytest.fixture
def reviewer(study):
    return make.person(Role.REVIEWER, study)


def write(campaign, who, text):
    """Hand in the next item with `text`; the answer."""
    return Answer.objects.get(pk=make.hand_in(campaign, who, make.held(campaign, who), content={"text": text}).answer)


def judge(campaign, who, content):
    return Answer.objects.get(pk=make.hand_in(campaign, who, make.held(campaign, who), content=content).answer)


def alive(campaign):
    return list(campaign.items.filter(withdrawn=False).order_by("number"))


def texts(study):
    return [row.product["text"] for row in products(study)]


def test_each_answer_becomes_an_item_of_the_next_stage_with_its_lineage(study):
    first = make.campaign(study, overlap=2)
    second = make.campaign(study, "verify", after=first)
    one, other = make.person(study=study), make.person(study=study)
    answers = [write(first, one, "I must see it."), write(first, other, "One has to see it.")]
    items = alive(second)
    assert [item.parent for item in items] == answers
    assert [item.people for item in items] == [[one.pk], [other.pk]]
    assert [item.number for item in items] == [1, 2]
    assert {item.sentence_id for item in items} == {answers[0].item.sentence_id}
    assert items[0].content["product"]["text"] == "I must see it."
    assert list(Assignment.objects.filter(item=items[0]).values_list("barred", flat=True)) == [[one.pk]]


def test_nobody_gets_their_own_work_and_who_did_it_is_hidden(study):
    first = make.campaign(study)
    second = make.campaign(study, "verify", after=first)
    who, other = make.person(study=study, name="Nemo"), make.person(study=study)
    for number in range(3):
        write(first, who, f"Rewrite {number}.")
    assert make.claim(second, who).reason == Reason.YOURS_DONE
    work = make.held(second, other)
    assert work.number == 1
    shown = make.claim(second, other).context.task_type.present(work.content, second.settings, [])
    assert "Nemo" not in str(shown)
    assert who.email not in str(shown)


def test_a_follower_brings_in_what_stood_before_it_was_made_and_what_came_while_it_was_a_draft(study):
    first, who = make.campaign(study), make.person(study=study)
    write(first, who, "Before.")
    second = make.campaign(study, "verify", after=first, state="draft")
    assert second.size == 0
    write(first, who, "Between.")
    assert not second.items.exists()
    set_campaign_state(campaign=second, state="open", by=None)
    write(first, who, "After.")
    assert [item.content["product"]["text"] for item in alive(second)] == ["Before.", "Between.", "After."]
    for state in ("paused", "open"):
        set_campaign_state(campaign=second, state=state, by=None)
    assert second.items.count() == 3


def test_an_item_is_settled_by_all_who_verify_it_and_the_rejected_is_done_again(study):
    first = make.campaign(study)
    check = make.campaign(study, "verify", after=first, overlap=2)
    again = make.campaign(study, after=check, takes="rejected", name="again")
    who, *others = (make.person(study=study) for _ in range(3))
    for text in ("Good.", "Poor."):
        write(first, who, text)
    assert texts(study) == []  # all of it waits
    judge(check, others[0], ACCEPT)
    judge(check, others[1], ACCEPT)
    assert texts(study) == ["Good."]
    judge(check, others[0], ACCEPT)
    assert not again.items.exists()
    judge(check, others[1], REJECT)
    [item] = again.items.all()
    assert item.content == {"source": "gotta see number 2 , u know", "earlier": "Poor."}
    assert item.people == [who.pk, others[0].pk, others[1].pk]
    assert texts(study) == ["Good."]
    senior = make.person(study=study)
    write(again, senior, "Better.")
    assert texts(study) == ["Good.", "Better."]
    rows = list(products(study))
    assert rows[0].people == [who.pk, others[0].pk, others[1].pk]
    assert rows[1].people == [who.pk, others[0].pk, others[1].pk, senior.pk]
    assert {row.sentence_id for row in rows} == set(
        first.items.order_by("number").values_list("sentence", flat=True)[:2]
    )
    assert [row.text for row in rewrites(study)] == ["Good.", "Better."]


def test_what_a_verifier_does_again_counts_in_place_of_the_first(study):
    first = make.campaign(study)
    check = make.campaign(study, "verify", after=first)
    who, other = make.person(study=study), make.person(study=study)
    write(first, who, "Nearly.")
    judge(check, other, {"verdict": "redo", "answer": {"text": "Right."}})
    assert texts(study) == ["Right."]
    assert [row.text for row in rewrites(study)] == ["Right."]


def test_the_rewrite_farthest_from_its_source_begins_the_way_back_and_still_counts(study):
    first = make.campaign(study, overlap=2)
    back = make.campaign(study, after=first, takes="farthest", overlap=2, name="back")
    people = [make.person(study=study) for _ in range(2)]
    write(first, people[0], "gotta see number 1, u know")
    assert not back.items.exists()
    far = write(first, people[1], "It is necessary to consider the first number.")
    [item] = back.items.all()
    assert item.parent == far
    assert item.content == {"source": far.content["text"], "original": "gotta see number 1 , u know"}
    assert item.people == [people[0].pk, people[1].pk]  # both know the source
    assert make.claim(back, people[0]).work is None
    write(back, make.person(study=study), "u gotta look")
    assert texts(study) == ["gotta see number 1, u know", far.content["text"], "u gotta look"]
    assert list(products(study))[2].product["original"] == "gotta see number 1 , u know"


def test_a_revision_replaces_what_nobody_has_touched_and_is_refused_where_somebody_works(study):
    first = make.campaign(study)
    second = make.campaign(study, "verify", after=first)
    who, other = make.person(study=study), make.person(study=study)
    answer = write(first, who, "First.")
    newer = revise_answer(answer=answer, person=who, key=uuid4(), content={"text": "Second."})
    [item] = alive(second)
    assert (item.parent, item.content["product"]["text"]) == (newer, "Second.")
    assert make.held(second, other).number == 2
    with pytest.raises(UserError, match="A later stage works on"):
        revise_answer(answer=newer, person=who, key=uuid4(), content={"text": "Third."})
    assert Answer.objects.filter(item=answer.item).count() == 2


def test_a_revision_that_says_the_same_changes_nothing_for_who_works_on_it(study):
    first = make.campaign(study)
    second = make.campaign(study, "verify", after=first)
    who, other = make.person(study=study), make.person(study=study)
    answer = write(first, who, "First.")
    work = make.held(second, other)
    newer = revise_answer(answer=answer, person=who, key=uuid4(), content={"text": "First."})
    [item] = alive(second)
    assert (item.pk, item.parent) == (work.item, newer)
    assert make.held(second, other).assignment == work.assignment


def test_a_rejection_takes_everything_with_it_and_an_acceptance_brings_it_back(study, reviewer):
    first = make.campaign(study)
    second = make.campaign(study, after=first, name="second")
    third = make.campaign(study, "verify", after=second)
    a, b, c = (make.person(study=study) for _ in range(3))
    answer = write(first, a, "One.")
    write(second, b, "Two.")
    work = make.held(third, c)
    review_answer(answer=answer, verdict="rejected", by=reviewer)
    assert alive(second) == alive(third) == []
    assert set(Assignment.objects.filter(campaign__in=[second, third]).values_list("state", flat=True)) == {
        State.DROPPED
    }
    assert make.hand_in(third, c, work, content=ACCEPT).late
    assert texts(study) == []
    review_answer(answer=answer, verdict="accepted", by=reviewer)
    assert len(alive(second)) == len(alive(third)) == 1
    assert Assignment.objects.get(campaign=second).state == State.DONE
    assert Assignment.objects.get(campaign=third).state == State.FREE
    judge(third, make.person(study=study), ACCEPT)
    assert texts(study) == ["Two."]


def test_where_review_is_needed_only_what_was_accepted_is_passed_on(study, reviewer):
    first = make.campaign(study, needs_review=True)
    second = make.campaign(study, "verify", after=first)
    who = make.person(study=study)
    answers = [write(first, who, f"Rewrite {number}.") for number in range(3)]
    assert not second.items.exists()
    review_answer(answer=answers[0], verdict="accepted", by=reviewer)
    review_answer(answer=answers[1], verdict="fixed", by=reviewer, content={"text": "Mended."})
    review_answer(answer=answers[2], verdict="rejected", by=reviewer)
    items = alive(second)
    assert [item.content["product"]["text"] for item in items] == ["Rewrite 0.", "Mended."]
    assert items[1].people == [who.pk, reviewer.pk]


def test_an_item_that_a_reviewer_dropped_in_a_later_stage_does_not_come_back(study, reviewer):
    first = make.campaign(study, overlap=2)
    second = make.campaign(study, "verify", after=first)
    a, b, c = (make.person(study=study) for _ in range(3))
    write(first, a, "One.")
    review_answer(answer=judge(second, c, ACCEPT), verdict="dropped", by=reviewer)
    write(first, b, "Two.")
    assert list(Assignment.objects.filter(campaign=second).order_by("position").values_list("state", flat=True)) == [
        State.DROPPED,
        State.FREE,
    ]
    assert texts(study) == []


def test_a_campaign_that_needs_review_from_now_on_takes_back_what_nobody_accepted(study, reviewer):
    first = make.campaign(study)
    second = make.campaign(study, "verify", after=first)
    answer = write(first, make.person(study=study), "One.")
    edit_campaign(campaign=first, by=None, needs_review=True)
    assert alive(second) == []
    review_answer(answer=answer, verdict="accepted", by=reviewer)
    assert len(alive(second)) == 1


def test_a_planned_campaign_gets_its_items_when_it_starts(study):
    planned = make.campaign(study, planned=True, state="draft")
    assert (planned.size, planned.items.count()) == (0, 0)
    edit_campaign(campaign=planned, by=None, overlap=2, splits=["test"])
    set_campaign_state(campaign=planned, state="open", by=None)
    assert (planned.size, planned.assignments.count()) == (3, 6)
    with pytest.raises(UserError, match="items depend on this field"):
        edit_campaign(campaign=planned, by=None, overlap=3)
    assert edit_campaign(campaign=planned, by=None, name="Another").name == "Another"


def test_a_planned_campaign_without_texts_does_not_start(study):
    planned = make.campaign(study, planned=True, state="draft", splits=["train"])
    with pytest.raises(UserError, match="nothing to work on"):
        set_campaign_state(campaign=planned, state="open", by=None)
    assert Campaign.objects.get(pk=planned.pk).state == "draft"


def test_a_stage_is_of_its_own_study_and_comes_after_no_stage_of_its_own(study):
    first = make.campaign(study)
    with pytest.raises(UserError, match="another study"):
        make.campaign(make.study(items=1), after=first)
    with pytest.raises(UserError, match="needs an earlier campaign"):
        make.campaign(study, "verify")
    second = make.campaign(study, after=first, state="draft", name="second")
    planned = make.campaign(study, planned=True, state="draft", name="planned", after=second)
    with pytest.raises(UserError, match="after itself"):
        edit_campaign(campaign=second, by=None, after=planned)


def test_a_finished_stage_waits_while_the_one_before_goes_on(study):
    first = make.campaign(study)
    second = make.campaign(study, "verify", after=first)
    other = make.person(study=study)
    assert make.claim(second, other).reason == Reason.WAITING
    set_campaign_state(campaign=first, state="closed", by=None)
    assert make.claim(second, other).reason == Reason.FINISHED


def test_pilot_answers_are_not_passed_on(study):
    first = make.campaign(study, state="pilot")
    second = make.campaign(study, "verify", after=first)
    write(first, make.person(study=study), "Pilot.")
    assert not Item.objects.filter(campaign=second).exists()


def test_what_was_handed_in_while_its_follower_was_made_is_brought_in(study):
    first = make.campaign(study)
    who = make.person(study=study)
    answer = write(first, who, "One.")
    second = make.campaign(study, "verify", after=first)
    Item.objects.filter(campaign=second).delete()  # as if the answer had been committed a moment too late
    assert bring_in_missed() == 1
    assert bring_in_missed() == 0
    assert [item.parent for item in alive(second)] == [answer]
