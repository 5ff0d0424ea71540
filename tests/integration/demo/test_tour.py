"""The tour of the demo: stops that the person may open, a bar on each, and the reset."""

import pytest
from django.test import Client
from django.urls import reverse
from support import campaigns as made

from accounts.permissions import Role
from corpora.actions.create_study import create_study
from corpora.models import Membership
from demo.actions.start_demo_reset import TASK, start_demo_reset
from demo.tour import LENGTH, SLUG, tour_of
from foundation.errors import UserError
from jobs.actions.queue_job import queue_job
from jobs.models import Job

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(settings):
    settings.EMBEDDED = settings.DEMO = True
    return create_study(slug=SLUG, title="Plain letters", styles=["clinical", "lay"])


def member(study, role):
    person = made.person(role)
    Membership.objects.create(study=study, person=person, role=role)
    return person


def client_of(person):
    client = Client()
    client.force_login(person)
    return client


def test_each_stop_opens_and_has_the_bar_with_the_next(study):
    person = member(study, Role.REVIEWER)
    stops = tour_of(person)
    assert [stop.number for stop in stops] == list(range(1, len(stops) + 1))
    assert len(stops) == LENGTH
    client = client_of(person)
    for stop in stops:
        answer = client.get(stop.url)
        assert answer.status_code == 200, stop
        assert f"Step {stop.number} of {len(stops)}: {stop.title}" in answer.content.decode()
        bar = answer.context["tour_bar"]
        assert bar.after == (stops[stop.number] if stop.number < len(stops) else None)
    assert stops[0].url in client.get(reverse("home")).content.decode()


def test_a_stop_is_for_those_who_may_open_its_page(study):
    assert "A corpus with a release" not in {stop.title for stop in tour_of(member(study, Role.REVIEWER))}
    assert "A corpus with a release" in {stop.title for stop in tour_of(member(study, Role.RESEARCHER))}


def test_who_is_not_in_the_study_or_only_annotates_has_no_tour(study):
    assert tour_of(made.person(Role.RESEARCHER)) == []
    assert tour_of(member(study, Role.CROWD_ANNOTATOR)) == []


def test_a_site_that_is_no_demo_has_no_tour(study, settings):
    settings.EMBEDDED = False
    assert tour_of(member(study, Role.RESEARCHER)) == []


@pytest.mark.parametrize("asked", ["0", "9", "x", "-1", "²", "1" * 5000])
def test_a_stop_that_is_none_shows_the_page_without_a_bar(study, asked):
    answer = client_of(member(study, Role.REVIEWER)).get(reverse("study_report", args=[study.slug]), {"tour": asked})
    assert answer.status_code == 200
    assert answer.context["tour_bar"] is None


def test_an_admin_alone_resets_the_demo_by_a_job(study):
    admin = client_of(made.person(Role.ADMIN))
    assert reverse("demo_reset") in admin.get(reverse("home")).content.decode()
    assert reverse("demo_reset") not in client_of(member(study, Role.RESEARCHER)).get(reverse("home")).content.decode()
    assert admin.post(reverse("demo_reset")).url == reverse("all_jobs")
    assert Job.objects.get().task == TASK
    with pytest.raises(UserError, match="already"):
        start_demo_reset()


def test_a_reset_waits_for_the_jobs_of_the_demo(study):
    queue_job(task="t", queue="gpu", title="Training: A small network", study_slug=SLUG, by=None, send=False)
    with pytest.raises(UserError, match="“Training: A small network” of the demo is still running"):
        start_demo_reset()


def test_a_site_that_is_no_demo_is_not_reset(settings):
    settings.EMBEDDED = False
    with pytest.raises(UserError, match="no demo"):
        start_demo_reset()
