"""An action asks for itself whether who does it may: also a caller that no route has looked at."""

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone
from support import campaigns as make

from accounts.audit import set_acting_person
from accounts.permissions import Role
from annotation.actions.pause_annotator import pause_annotator
from annotation.actions.review_answer import review_answer
from annotation.models import Answer
from corpora.actions.add_direction import add_direction
from corpora.actions.set_archived import set_archived
from jobs.actions.cancel_job import cancel_job
from jobs.models import Job

pytestmark = pytest.mark.django_db


def test_whom_the_study_gives_no_such_role_is_refused_and_nothing_changes():
    study = make.study()
    annotator, reviewer, stranger = make.person(study=study), make.person(Role.REVIEWER, study), make.person()
    for who in (annotator, reviewer, stranger):
        with pytest.raises(PermissionDenied, match="You may not change the study"):
            set_archived(study=study, archived=True, by=who)
    study.refresh_from_db()
    assert not study.archived_at
    set_archived(study=study, archived=True, by=make.person(Role.RESEARCHER, study))
    study.refresh_from_db()
    assert study.archived_at


def test_who_acts_in_a_request_is_asked_where_the_action_names_nobody():
    study = make.study()
    set_acting_person(make.person(study=study))
    try:
        with pytest.raises(PermissionDenied):
            add_direction(study=study, source_style=study.styles[1], target_style=study.styles[0])
    finally:
        set_acting_person(None)


def test_what_an_action_does_on_its_way_asks_nothing_more():
    study = make.study(items=2)
    campaign = make.campaign(study, eligibility={"pause_after": 1})
    who, reviewer = make.person(study=study), make.person(Role.REVIEWER, study)
    make.hand_in(campaign, who, make.held(campaign, who))
    review_answer(answer=Answer.objects.get(), verdict="rejected", by=reviewer)
    assert campaign.memberships.get(person=who).state == "paused"
    with pytest.raises(PermissionDenied):
        pause_annotator(campaign=campaign, person=who, by=reviewer, reason="")


def test_a_job_belongs_to_the_study_that_it_names():
    study = make.study()
    about = {"task": "corpora.tasks.link_concepts", "queue": "default", "title": "Link", "queued_at": timezone.now()}
    job = Job.objects.create(study_slug=study.slug, **about)
    for who in (make.person(study=study), make.person(Role.REVIEWER, study), make.person(Role.RESEARCHER)):
        with pytest.raises(PermissionDenied, match="You may not run models"):
            cancel_as(who, job)
    Job.objects.filter(pk=job.pk).update(study_slug="gone")
    job.refresh_from_db()
    with pytest.raises(PermissionDenied, match="You may not run models"):
        cancel_as(make.person(), job)


def cancel_as(who, job):
    set_acting_person(who)
    try:
        cancel_job(job=job)
    finally:
        set_acting_person(None)
