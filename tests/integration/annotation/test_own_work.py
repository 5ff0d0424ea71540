"""Nobody checks their own work, by no way: by a later stage, a decision, a fix, or a place that became free."""

from uuid import uuid4

import pytest
from support import campaigns as make

from accounts.permissions import Role
from annotation.actions.pause_annotator import pause_annotator
from annotation.actions.resume_annotator import resume_annotator
from annotation.actions.review_answer import review_answer
from annotation.actions.revise_answer import revise_answer
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.actions.set_expected import set_expected
from annotation.actions.settle_annotator import settle_annotator
from annotation.engine.assignment_queue import Reason
from annotation.models import Answer, Assignment, Item
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
ACCEPT = {"verdict": "accept"}
REJECT = {"verdict": "reject", "reason": "It does not read well"}


@pytest.fixture
def study():
    return make.study(items=1)


@pytest.fixture
def reviewer(study):
    return make.person(Role.REVIEWER, study)


def reviewer_who_leads(study, reviewer):
    """The same person, a researcher of the study by now."""
    study.memberships.filter(person=reviewer).update(role=Role.RESEARCHER)
    study.refresh_from_db()
    study.__dict__.pop("_roles", None)
    return reviewer


def do(campaign, who, content):
    return Answer.objects.get(pk=make.hand_in(campaign, who, make.held(campaign, who), content=content).answer)


def test_who_takes_a_place_that_became_free_gets_nothing_of_it_in_the_next_stage(study, reviewer):
    first = make.campaign(study)
    second = make.campaign(study, "verify", after=first, overlap=2)
    third = make.campaign(study, "verify", after=second, name="senior")
    writer, one, two, late = (make.person(study=study) for _ in range(4))
    do(first, writer, {"text": "One has to see it."})
    do(second, one, ACCEPT)
    returned = do(second, two, ACCEPT)
    assert third.items.get().people == [writer.pk, one.pk, two.pk]
    review_answer(answer=returned, verdict="returned", by=reviewer)
    do(second, late, ACCEPT)
    (item,) = third.items.filter(withdrawn=False)
    assert set(item.people) >= {writer.pk, one.pk, late.pk}
    assert make.claim(third, late).reason == Reason.YOURS_DONE
    assert make.claim(third, two).reason == Reason.YOURS_DONE  # they know it, though their word does not count


def test_who_worked_on_it_later_and_earlier_too_has_their_later_work_set_aside(study, reviewer):
    first = make.campaign(study)
    second = make.campaign(study, "verify", after=first, overlap=2)
    third = make.campaign(study, "verify", after=second, name="senior")
    writer, one, two, both, fresh = (make.person(study=study) for _ in range(5))
    do(first, writer, {"text": "One has to see it."})
    do(second, one, ACCEPT)
    returned = do(second, two, ACCEPT)
    do(third, both, ACCEPT)
    review_answer(answer=returned, verdict="returned", by=reviewer)
    do(second, both, ACCEPT)
    (item,) = third.items.filter(withdrawn=False)
    assert both.pk in item.people
    assert item.settled is None
    assert make.claim(third, both).work is None
    make.held(third, fresh)


def test_who_fixed_it_without_changing_it_does_not_check_it_later(study, reviewer):
    first = make.campaign(study)
    second = make.campaign(study, "verify", after=first)
    answer = do(first, make.person(study=study), {"text": "One has to see it."})
    review_answer(answer=answer, verdict="fixed", content={"text": "One has to see it."}, by=reviewer)
    assert make.claim(second, reviewer).reason == Reason.YOURS_DONE
    assert set(second.items.get(withdrawn=False).people) == {answer.person_id, reviewer.pk}


def test_nobody_overrules_who_checked_their_work(study, reviewer):
    first = make.campaign(study)
    second = make.campaign(study, "verify", after=first)
    do(first, reviewer, {"text": "One has to see it."})
    checker = make.person(study=study)
    verdict = do(second, checker, REJECT)
    for given in ({"verdict": "rejected"}, {"verdict": "fixed", "content": ACCEPT}, {"verdict": "dropped"}):
        with pytest.raises(UserError, match="own work"):
            review_answer(answer=verdict, by=reviewer, **given)
    lead = reviewer_who_leads(study, reviewer)
    pause_annotator(campaign=second, person=checker, by=lead, reason="Too strict.")
    with pytest.raises(UserError, match="own"):
        settle_annotator(campaign=second, person=checker, keep=False, by=lead)
    assert second.items.get().settled["verdict"] == "rejected"


def test_nobody_lets_themselves_go_on(study, reviewer):
    campaign, who = make.campaign(study), make.person(Role.RESEARCHER, study)
    pause_annotator(campaign=campaign, person=who, by=None, reason="Look at the guideline.")
    with pytest.raises(UserError, match="yourself"):
        resume_annotator(campaign=campaign, person=who, by=who)


def test_what_was_handed_in_of_a_qualification_cannot_be_handed_in_again():
    study = make.study(items=2)
    quiz = make.campaign(study, state="draft", purpose="qualification", name="quiz")
    for item in Item.objects.filter(campaign=quiz):
        set_expected(item=item, content={"text": f"Right {item.number}."}, by=None)
    make.campaign(study, eligibility={"qualification": {"campaign": "quiz", "pass_mark": 1.0, "tries": 1}}, name="work")
    set_campaign_state(campaign=quiz, state="open", by=None)
    who = make.person(study=study)
    works = []
    for _ in range(2):
        works.append(make.held(quiz, who))
        make.hand_in(quiz, who, works[-1], content={"text": "Wrong."})
    assert quiz.memberships.get(person=who).score == 0
    for work in works:
        with pytest.raises(UserError, match="You cannot change answers"):
            make.hand_in(quiz, who, work, content={"text": f"Right {work.number}."})
    assert quiz.memberships.get(person=who).score == 0
    assert Answer.objects.filter(campaign=quiz).count() == 2


def test_a_lease_that_ran_out_does_not_reach_an_item_that_is_ones_own_by_now(study, reviewer):
    first = make.campaign(study)
    second = make.campaign(study, "verify", after=first)
    answer = do(first, make.person(study=study), {"text": "One has to see it."})
    work = make.held(second, reviewer)
    Assignment.objects.filter(pk=work.assignment).update(
        state=Assignment.State.FREE, annotator=None, lease_expires_at=None
    )
    review_answer(answer=answer, verdict="fixed", content={"text": "One has to see it."}, by=reviewer)
    said = make.hand_in(second, reviewer, work, content=ACCEPT)
    assert said.late
    assert second.items.filter(withdrawn=False).get().settled is None
    late = Answer.objects.get(pk=said.answer)
    somebody = make.person(Role.REVIEWER, study)
    with pytest.raises(UserError, match="worked on an earlier stage"):
        review_answer(answer=late, verdict="accepted", by=somebody)


def test_the_same_text_again_keeps_the_item_of_who_works_on_it(study):
    first = make.campaign(study)
    second = make.campaign(study, "verify", after=first)
    writer, other = make.person(study=study), make.person(study=study)
    answer = do(first, writer, {"text": "One has to see it."})
    work = make.held(second, other)
    revise_answer(answer=answer, person=writer, key=uuid4(), content={"text": "One has to see it."})
    assert make.held(second, other).assignment == work.assignment
