"""Every page that waits for a job says what it waits for: a worker, other jobs in its queue, or something outside."""

import json
import os
from datetime import UTC, datetime, timedelta

import pytest
import redis
from django.urls import reverse
from django.utils import timezone
from support import campaigns as make
from support.clients import as_person
from support.training_studies import training_study

from accounts.permissions import Role
from annotation.models import GoldImport, ReleaseRun
from corpora.models import Membership
from evaluation.models import MetricRun
from jobs import workers
from jobs.models import Job
from jobs.queueing import dispatch
from jobs.waiting_reasons import short_duration
from modelserving.actions.start_training import start_training

pytestmark = pytest.mark.django_db
NOBODY = "The queue {} has no active worker: the job waits for one."
SILENT = "The queue {} has had no active worker for {}: the job waits for one."


@pytest.fixture(autouse=True)
def there(embedded_servers):
    """Redis, where no worker has given a sign."""
    with redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
        client.delete(workers.KEY)
        yield client
        client.delete(workers.KEY)


def seen(client, queue, ago):
    """A worker of the queue gave its last sign `ago`."""
    workers.report_alive(client, workers.liveness_report(f"{queue}@here", [queue], datetime.now(UTC)))
    said = json.loads(client.hget(workers.KEY, f"{queue}@here"))
    client.hset(workers.KEY, f"{queue}@here", json.dumps({**said, "seen_at": (datetime.now(UTC) - ago).isoformat()}))


def waiting():
    """All jobs were asked for a minute ago."""
    Job.objects.update(queued_at=timezone.now() - timedelta(minutes=1))


def a_job(study, **fields):
    fields = {"queue": "gpu", "title": "Work", "queued_at": timezone.now() - timedelta(minutes=1)} | fields
    return Job.objects.create(task="t", study_slug=study.slug, **fields)


@pytest.fixture
def lead():
    study = make.study()
    who = make.person(Role.RESEARCHER, study)
    person = as_person(who)
    person.study, person.person = study, who
    return person


def of_job(lead, job):
    page = lead.get(reverse("job", args=[lead.study.slug, job.pk])).content.decode()
    said = lead.get(reverse("api:job-detail", args=[lead.study.slug, job.pk])).json()["waits"]
    assert (said in page) if said else ("No worker" not in page)
    return said


def test_a_job_that_nobody_will_do_says_so(lead, there):
    job = a_job(lead.study)
    assert of_job(lead, job) == NOBODY.format("gpu")
    seen(there, "gpu", timedelta(seconds=100))
    assert of_job(lead, job) == SILENT.format("gpu", "1 min")
    seen(there, "metrics", timedelta(0))
    assert of_job(lead, job) == SILENT.format("gpu", "1 min")
    seen(there, "gpu", timedelta(0))
    assert of_job(lead, job) == "No message of the job is in its queue: it is sent again within minutes."
    dispatch(job)
    assert of_job(lead, job) == ""


def test_a_job_says_how_many_are_before_it_and_names_only_those_that_the_reader_may_see(lead, there):
    """As their messages lie in Redis, where what was interrupted goes first, whenever it was asked for."""
    seen(there, "gpu", timedelta(0))
    job, elsewhere = a_job(lead.study), make.study()
    a_job(lead.study, queue="metrics", state="running")
    other, late = a_job(elsewhere), a_job(lead.study, title="Behind it")
    for one in (other, job, late):
        dispatch(one)
    assert of_job(lead, job) == "The job waits for its turn behind a job of another study."
    Membership.objects.create(study=elsewhere, person=lead.person, role=Role.CROWD_ANNOTATOR)
    assert of_job(lead, job) == "The job waits for its turn behind a job of another study."
    Membership.objects.filter(study=elsewhere).update(role=Role.REVIEWER)
    assert of_job(lead, job) == "The job waits for its turn behind “Work”."
    ada = make.person(Role.RESEARCHER, lead.study, name="Ada")
    dispatch(a_job(lead.study, title="Interrupted", made_by=ada, queued_at=timezone.now()), first=True)
    assert of_job(lead, job) == "The job waits for its turn behind 2 jobs; the first is “Interrupted” of Ada."
    a_job(lead.study, title="Training", state="running", heartbeat_at=timezone.now(), started_at=timezone.now())
    assert of_job(lead, job) == "The job waits for its turn behind 3 jobs; the first is “Training”."
    Job.objects.filter(title__in=["Training", "Interrupted"]).update(state="cancelled")
    assert of_job(lead, job) == "The job waits for its turn behind “Work”."


def test_a_job_that_awaits_something_outside_says_that_alone(lead, there):
    assert of_job(lead, a_job(lead.study, awaited="The endpoint answers within a day.")) == (
        "The endpoint answers within a day."
    )


def test_a_job_that_was_asked_for_just_now_is_given_its_time(lead):
    assert of_job(lead, a_job(lead.study, queued_at=timezone.now())) == ""


def test_what_is_over_waits_for_nobody(lead):
    assert of_job(lead, a_job(lead.study, state="cancelled")) == ""


def test_a_job_whose_worker_fell_silent_says_so(lead):
    job = a_job(lead.study, state="running", heartbeat_at=timezone.now() - timedelta(minutes=3))
    assert of_job(lead, job) == "The worker has been silent for 3 min: another worker takes over and continues."
    Job.objects.update(heartbeat_at=timezone.now())
    assert of_job(lead, job) == ""


def test_the_list_says_it_once_for_each_queue(lead, there):
    seen(there, "metrics", timedelta(hours=2, minutes=30))
    for queue in ("gpu", "gpu", "metrics"):
        a_job(lead.study, queue=queue)
    page = lead.get(reverse("study_jobs", args=[lead.study.slug])).content.decode()
    assert page.count(NOBODY.format("gpu")) == 1
    assert page.count(SILENT.format("metrics", "2 h")) == 1


def test_the_pages_of_trainings_say_it():
    study = training_study()
    lead = as_person(make.person(Role.RESEARCHER, study))
    run = start_training(study=study, model="pbmt", by=None)
    waiting()
    for page in (reverse("training", args=[study.slug, run.pk]), reverse("study_models", args=[study.slug])):
        assert NOBODY.format("gpu") in lead.get(page).content.decode()


def test_the_pages_of_the_report_say_it(lead):
    MetricRun.objects.create(job=a_job(lead.study, queue="metrics"), study=lead.study)
    for page in ("study_report", "study_trust"):
        assert NOBODY.format("metrics") in lead.get(reverse(page, args=[lead.study.slug])).content.decode()


def test_the_pages_of_gold_say_it(lead):
    ReleaseRun.objects.create(job=a_job(lead.study, queue="default"), study=lead.study, settings={})
    taken = GoldImport.objects.create(job=a_job(lead.study, queue="default"), study=lead.study, name="g", split="train")
    for page in (
        reverse("study_gold", args=[lead.study.slug]),
        reverse("gold_import", args=[lead.study.slug, taken.pk]),
    ):
        assert NOBODY.format("default") in lead.get(page).content.decode()


@pytest.mark.parametrize(("seconds", "words"), [(0, "0 s"), (59.9, "59 s"), (60, "1 min"), (7300, "2 h")])
def test_how_long_is_said_in_whole_numbers(seconds, words):
    assert short_duration(seconds) == words
