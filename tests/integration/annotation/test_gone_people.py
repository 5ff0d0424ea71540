"""What somebody had leased who is removed, deactivated or erased is free at once, for the next."""

import pytest
from support import campaigns as make

from accounts.actions.deactivate_person import deactivate_person
from accounts.actions.erase_person import erase_person
from accounts.permissions import Role
from annotation.actions.review_answer import review_answer
from annotation.models import Answer, Assignment
from corpora.actions.remove_member import remove_member

pytestmark = pytest.mark.django_db


def remove(study, who):
    remove_member(membership=study.memberships.get(person=who), by=make.person("admin"))


@pytest.mark.parametrize(
    "go", [remove, lambda _, who: deactivate_person(person=who), lambda _, who: erase_person(person=who)]
)
def test_their_leases_end_at_once(go):
    study = make.study()
    campaign, who, other = make.campaign(study), make.person(study=study), make.person(study=study)
    held, others = make.held(campaign, who), make.held(campaign, other)
    go(study, who)
    assert Assignment.objects.get(pk=held.assignment).state == Assignment.State.FREE
    assert Assignment.objects.get(pk=others.assignment).annotator == other
    assert make.held(campaign, make.person(study=study)).number == held.number


def test_leases_in_other_studies_stay():
    study, elsewhere = make.study(), make.study()
    who = make.person(study=study)
    make.person(study=elsewhere)
    elsewhere.memberships.create(person=who, role=study.memberships.get(person=who).role)
    make.held(make.campaign(study), who)
    kept = make.held(make.campaign(elsewhere), who)
    remove(study, who)
    assert Assignment.objects.filter(annotator=who).values_list("pk", flat=True).get() == kept.assignment


def answered(campaign, who):
    return Answer.objects.get(pk=make.hand_in(campaign, who, make.held(campaign, who)).answer)


@pytest.mark.parametrize("is_gone_first", [True, False])
def test_an_item_whose_answer_was_rejected_reopens_where_its_author_is_gone(is_gone_first):
    study = make.study()
    campaign, who, stays = make.campaign(study), make.person(study=study), make.person(study=study)
    reviewer = make.person(Role.REVIEWER, study)
    rejected, counts = answered(campaign, who), answered(campaign, who)
    waits = answered(campaign, stays)
    if is_gone_first:
        remove(study, who)
    for answer in (rejected, waits):
        review_answer(answer=answer, verdict="rejected", by=reviewer)
    if not is_gone_first:
        remove(study, who)
    states = {one.pk: Assignment.objects.get(pk=one.assignment_id).state for one in (rejected, counts, waits)}
    assert states == {
        rejected.pk: Assignment.State.FREE, counts.pk: Assignment.State.DONE, waits.pk: Assignment.State.DONE
    }  # fmt: skip
    assert make.held(campaign, make.person(study=study)).number == rejected.item.number
