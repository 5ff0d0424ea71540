"""A job that stands still where no Python can stop it is ended from outside; the others go on meanwhile."""

import subprocess
import sys
import time
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone
from support import stuck
from support.processes import wait_until

from foundation import processes
from jobs.actions.cancel_job import cancel_job
from jobs.actions.retry_job import retry_job
from jobs.models import Job
from jobs.queueing import dispatch
from jobs.recovery import Watchdog, requeue_stale_jobs

ENDED = "It did not stop by itself, so its process was ended."


def queued(task, **fields):
    job = Job.objects.create(**{"task": task, "queue": "default", "queued_at": timezone.now()} | fields)
    dispatch(job)
    return job


def now(job):
    return Job.objects.get(pk=job.pk)


def until(job, state):
    wait_until(lambda: now(job).state == state, lambda: f"The job did not become {state}: {now(job).log}")
    return now(job)


def test_a_job_that_holds_pythons_lock_is_ended_by_cancel_and_by_its_limit_while_others_go_on(watchdog):
    standing = queued(stuck.STANDS)
    began = until(standing, Job.State.RUNNING).heartbeat_at
    until(queued(stuck.QUICK), Job.State.DONE)
    wait_until(lambda: now(standing).heartbeat_at > began, "The heart of the job that stands did not beat")
    over_limit = queued(stuck.OVER_LIMIT)
    until(over_limit, Job.State.RUNNING)
    cancel_job(job=standing)

    standing = until(standing, Job.State.CANCELLED)
    assert (standing.told, standing.error, standing.attempts) == (ENDED, "", 1)
    over_limit = until(over_limit, Job.State.FAILED)
    assert over_limit.error == "It was stopped at its time limit of 1 second (RESTYLE_JOB_LIMITS)."
    assert (over_limit.attempts, processes.find_process(over_limit.process)) == (1, None)
    until(queued(stuck.QUICK), Job.State.DONE)  # the worker has a process in the place of each


@pytest.fixture
def process():
    """A process that does nothing, named as one that holds a job."""
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as child:
        yield child, f"{processes.machine_identity()}{child.pid} {processes._began(child.pid)}"
        child.kill()


def held_by(name, **fields):
    at = timezone.now()
    fields = {"state": "running", "attempts": 1, "heartbeat_at": at, "started_at": at, "holder": uuid.uuid4()} | fields
    return Job.objects.create(**{"task": "t", "queue": "q-watched", "process": name, "queued_at": at} | fields)


@pytest.mark.django_db(transaction=True)
class TestLook:
    """What it does at one look."""

    def test_what_a_dead_process_held_is_queued_at_once(self, process):
        child, name = process
        child.kill()
        child.wait()
        job = held_by(name)
        Watchdog().look()
        assert (now(job).state, now(job).holder, now(job).process) == (Job.State.QUEUED, None, "")
        assert "Its worker was lost." in now(job).log

    def test_a_living_process_is_left_alone_and_its_heart_beats(self, process):
        long_ago = timezone.now() - timedelta(minutes=5)
        job = held_by(process[1], heartbeat_at=long_ago)
        requeue_stale_jobs()
        assert now(job).state == Job.State.RUNNING
        Watchdog().look()
        assert now(job).heartbeat_at > long_ago
        assert process[0].poll() is None

    def test_one_of_another_machine_is_none_of_its_business(self):
        job = held_by("elsewhere 1 2 3 4")
        Watchdog().look()
        assert now(job).state == Job.State.RUNNING

    def test_one_that_hears_has_longer_to_stop_than_one_that_does_not(self, process, settings):
        settings.JOB_GRACE_SECONDS = 0
        job = held_by(process[1], cancel_requested=True, stopping_at=timezone.now())
        Watchdog().look()
        assert process[0].poll() is None
        Job.objects.update(stopping_at=None)
        Watchdog().look()
        assert processes.find_process(process[1]) is None
        assert (now(job).state, now(job).told) == (Job.State.CANCELLED, ENDED)

    def test_a_process_that_took_up_another_job_meanwhile_is_let_go(self, process, settings):
        settings.JOB_GRACE_SECONDS = 0
        job = held_by(process[1], cancel_requested=True)
        seen = now(job)
        Job.objects.update(state="done", holder=None)
        child = processes.find_process(process[1])
        Watchdog()._end(seen, child)
        assert child.status() != "stopped"
        assert process[0].poll() is None

    def test_at_its_limit_a_job_is_asked_to_stop_and_fails_with_the_reason(self, process, settings):
        settings.JOB_LIMITS = {"train": 7200.0}
        young = held_by(process[1], task="modelserving.tasks.train", started_at=timezone.now() - timedelta(hours=1))
        job = held_by(process[1], task="modelserving.tasks.train", started_at=timezone.now() - timedelta(hours=3))
        Watchdog().look()
        assert not now(young).cancel_requested
        assert now(job).cancel_requested
        Job.objects.filter(pk=job.pk).update(heartbeat_at=timezone.now() - timedelta(days=1), process="")
        requeue_stale_jobs()  # whoever finds that it has stopped
        assert (now(job).state, now(job).error) == (
            Job.State.FAILED,
            "It was stopped at its time limit of 2 hours (RESTYLE_JOB_LIMITS).",
        )
        assert retry_job(job=job, send=False).stop_reason == ""


@pytest.mark.django_db(transaction=True)
def test_a_row_that_somebody_has_locked_keeps_the_others_waiting_for_seconds_only(process, settings, monkeypatch):
    monkeypatch.setattr("jobs.recovery.LOCK_WAIT", "50ms")
    from django.db import connection
    from support.connections import beside

    settings.JOB_GRACE_SECONDS = 0
    long_ago = timezone.now() - timedelta(minutes=5)
    locked, free = held_by(process[1], heartbeat_at=long_ago), held_by(process[1], heartbeat_at=long_ago)
    with beside(connection) as other:
        other.execute("SELECT 1 FROM jobs_job WHERE id = %s FOR UPDATE", [locked.pk])
        began = time.monotonic()
        Watchdog().look()
        assert time.monotonic() - began < 60
    assert now(locked).heartbeat_at == long_ago
    assert now(free).heartbeat_at > long_ago
