"""Fix, reject with a reason, reply, change after a rejection, and late work: what counts after each."""

from uuid import uuid4

import pytest
from support import campaigns as make

from accounts.permissions import Role
from annotation.actions.reply_to_review import reply_to_review
from annotation.actions.review_answer import review_answer
from annotation.actions.revise_answer import revise_answer
from annotation.actions.save_change import save_change
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.effective_annotations import products, rewrites
from annotation.models import Answer, Assignment, CampaignMembership
from annotation.review import to_revise, unreviewed_answers
from foundation.errors import UserError

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return make.study(items=2)


@pytest.fixture
def reviewer(study):
    return make.person(Role.REVIEWER, study)


def write(campaign, who, text="I have to see it."):
    made = make.hand_in(campaign, who, make.held(campaign, who), content={"text": text})
    return Answer.objects.get(pk=made.answer)


def texts(study):
    rows = list(rewrites(study))
    assert [row.text for row in rows] == [row.product["text"] for row in products(study)]
    return [row.text for row in rows]


def test_a_fixed_answer_counts_as_the_reviewer_has_it(study, reviewer):
    campaign, who = make.campaign(study), make.person(study=study)
    answer = write(campaign, who, "I has to see it.")
    with pytest.raises(UserError, match="The rewrite is empty"):
        review_answer(answer=answer, verdict="fixed", by=reviewer, content={"text": " "})
    review_answer(answer=answer, verdict="fixed", by=reviewer, content={"text": "I have to see it."})
    assert texts(study) == ["I have to see it."]
    assert next(products(study)).people == [who.pk, reviewer.pk]
    answer.refresh_from_db()
    assert answer.content == {"text": "I has to see it."}


def test_a_rejection_gives_one_of_the_campaigns_reasons_and_its_author_replies(study, reviewer):
    campaign, who = make.campaign(study, reasons=["Not formal", "Wrong"]), make.person(study=study)
    answer = write(campaign, who)
    for reason in ("", "Ugly"):
        with pytest.raises(UserError, match="guideline's reasons") as error:
            review_answer(answer=answer, verdict="rejected", by=reviewer, reason=reason)
        assert error.value.where == "reason"
    review = review_answer(answer=answer, verdict="rejected", by=reviewer, reason="Wrong", comment="Look again.")
    assert (review.reason, review.comment) == ("Wrong", "Look again.")
    with pytest.raises(UserError, match="Only the author"):
        reply_to_review(review=review, by=reviewer, text="No.")
    with pytest.raises(UserError, match="This has to be given: the reply"):
        reply_to_review(review=review, by=who, text=" \n")
    reply_to_review(review=review, by=who, text="It is right.")
    review.refresh_from_db()
    assert review.reply == "It is right."
    assert review.replied_at is not None


def test_nobody_decides_about_their_own_answer(study):
    campaign, who = make.campaign(study), make.person(Role.REVIEWER, study)
    with pytest.raises(UserError, match="your own work"):
        review_answer(answer=write(campaign, who), verdict="accepted", by=who)


def test_what_is_changed_after_a_rejection_waits_until_it_is_accepted(study, reviewer):
    campaign, who = make.campaign(study), make.person(study=study)
    first = write(campaign, who, "Poor.")
    review_answer(answer=first, verdict="rejected", by=reviewer)
    assert texts(study) == []
    assert not unreviewed_answers(campaign=campaign).exists()
    second = revise_answer(answer=first, person=who, key=uuid4(), content={"text": "Better."})
    assert texts(study) == []
    assert list(unreviewed_answers(campaign=campaign)) == [second]
    review_answer(answer=second, verdict="accepted", by=reviewer)
    assert texts(study) == ["Better."]
    assert not unreviewed_answers(campaign=campaign).exists()
    membership = CampaignMembership.objects.get(campaign=campaign, person=who)
    assert (membership.accepted, membership.rejected, membership.rejected_in_row) == (1, 0, 0)
    revise_answer(answer=second, person=who, key=uuid4(), content={"text": "Best."})
    assert texts(study) == ["Best."]


@pytest.mark.parametrize("overlap", [1, 2])
def test_what_was_rejected_is_free_for_others_until_its_author_changes_it(study, reviewer, overlap):
    campaign, who, other = make.campaign(study, overlap=overlap), make.person(study=study), make.person(study=study)
    first = write(campaign, who, "Poor.")
    for _ in range(overlap - 1):
        write(campaign, make.person(study=study), "Theirs.")
    before = texts(study)
    review_answer(answer=first, verdict="rejected", by=reviewer)
    assert to_revise(who, [campaign]) == {campaign.pk: 1}
    assert make.held(campaign, who).number != 1, "its author gets it as a change alone"
    held = make.held(campaign, other)
    assert held.number == 1
    assert to_revise(who, [campaign]) == {}
    with pytest.raises(UserError, match="somebody else has the item now"):
        revise_answer(answer=first, person=who, key=uuid4(), content={"text": "Better."})
    with pytest.raises(UserError, match="You can no longer change this answer"):
        save_change(answer=first, person=who, version=1, form={"text": "Better."})
    make.hand_in(campaign, other, held, content={"text": "Another's."})
    assert sorted(texts(study)) == sorted([*(text for text in before if text != "Poor."), "Another's."])
    with pytest.raises(UserError, match="This item has all its answers"):
        review_answer(answer=first, verdict="accepted", by=reviewer)


def test_who_changes_a_rejected_answer_first_has_its_place_again(study, reviewer):
    campaign, who, other = make.campaign(study), make.person(study=study), make.person(study=study)
    first = write(campaign, who, "Poor.")
    review_answer(answer=first, verdict="rejected", by=reviewer)
    assert save_change(answer=first, person=who, version=1, form={"text": "Bett"}) == 1
    second = revise_answer(answer=first, person=who, key=uuid4(), content={"text": "Better."})
    assert Assignment.objects.get(pk=second.assignment_id).annotator == who
    assert make.claim(campaign, other).work is None, "it is filled, and the other item is in their hands"
    review_answer(answer=second, verdict="accepted", by=reviewer)
    assert texts(study) == ["Better."]


def test_where_review_is_needed_nothing_counts_without_it_not_even_a_change(study, reviewer):
    campaign, who = make.campaign(study, needs_review=True), make.person(study=study)
    first = write(campaign, who, "One.")
    assert texts(study) == []
    assert list(unreviewed_answers(campaign=campaign)) == [first]
    review_answer(answer=first, verdict="accepted", by=reviewer)
    assert texts(study) == ["One."]
    second = revise_answer(answer=first, person=who, key=uuid4(), content={"text": "Two."})
    assert texts(study) == []
    assert list(unreviewed_answers(campaign=campaign)) == [second]


def test_late_work_never_makes_more_answers_than_there_are_places(study, reviewer):
    campaign, slow, quick = make.campaign(study), make.person(study=study), make.person(study=study)
    work = make.held(campaign, slow)
    Assignment.objects.filter(pk=work.assignment).update(lease_expires_at="2000-01-01T00:00Z")
    set_campaign_state(campaign=campaign, state="paused", by=None)
    set_campaign_state(campaign=campaign, state="open", by=None)
    make.claim(campaign, make.person(study=study))  # item 2
    taken = make.held(campaign, quick)
    assert taken.assignment == work.assignment
    make.hand_in(campaign, quick, taken, content={"text": "In time."})
    late = Answer.objects.get(pk=make.hand_in(campaign, slow, work, content={"text": "Late."}).answer)
    assert late.late
    with pytest.raises(UserError, match="has all its answers"):
        review_answer(answer=late, verdict="accepted", by=reviewer)
    assert texts(study) == ["In time."]
    review_answer(answer=Answer.objects.get(person=quick), verdict="returned", by=reviewer)
    review_answer(answer=late, verdict="accepted", by=reviewer)
    assert texts(study) == ["Late."]
    with pytest.raises(UserError, match="has all its answers"):
        review_answer(answer=Answer.objects.get(person=quick), verdict="accepted", by=reviewer)


def test_work_that_came_after_the_end_counts_once_it_is_accepted(study, reviewer):
    campaign, who = make.campaign(study), make.person(study=study)
    work = make.held(campaign, who)
    set_campaign_state(campaign=campaign, state="closed", by=None)
    late = Answer.objects.get(pk=make.hand_in(campaign, who, work).answer)
    review_answer(answer=late, verdict="accepted", by=reviewer)
    assert Assignment.objects.get(pk=work.assignment).state == Assignment.State.DONE
    assert len(texts(study)) == 1
