"""What somebody had leased who is removed, deactivated or erased is free at once, for the next."""

import pytest
from support import campaigns as make

from accounts.actions.deactivate_person import deactivate_person
from accounts.actions.erase_person import erase_person
from annotation.models import Assignment
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
