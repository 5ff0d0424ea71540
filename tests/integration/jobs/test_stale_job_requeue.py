"""What the sweep does with jobs that lost their worker, or whose message was lost."""

import subprocess
import sys
from datetime import timedelta

import pytest
from celery import current_app
from django.conf import settings
from django.utils import timezone

from jobs.models import Job
from jobs.recovery.stale_job_requeue import MOST_ATTEMPTS, requeue_stale_jobs

pytestmark = pytest.mark.django_db(transaction=True)


def a_job(**fields):
    long_ago = timezone.now() - timedelta(days=1)
    fields = {"state": "running", "attempts": 1, "heartbeat_at": long_ago} | fields
    return Job.objects.create(**{"task": "t", "queue": "q-sweep", "queued_at": long_ago} | fields)


def swept(job):
    requeue_stale_jobs()
    return Job.objects.get(pk=job.pk)


@pytest.fixture
def waiting():
    """How many messages wait on the queue of these jobs, which no worker reads."""
    with current_app.connection_for_read() as connection, connection.channel() as channel:
        channel.queue_purge("q-sweep")
        yield lambda: channel._size("q-sweep")
        channel.queue_purge("q-sweep")


def test_a_lost_job_is_queued_again(waiting):
    job = swept(a_job())
    assert (job.state, job.holder, job.attempts) == (Job.State.QUEUED, None, 1)
    assert "Its worker was lost." in job.log
    assert waiting() == 1
    requeue_stale_jobs()
    assert waiting() == 1


def test_after_five_lost_workers_it_gives_up(waiting):
    job = swept(a_job(attempts=MOST_ATTEMPTS))
    assert (job.state, job.error) == (Job.State.FAILED, "Its worker was lost 5 times.")
    assert job.ended_at
    assert waiting() == 0


def test_a_lost_job_that_was_to_stop_has_stopped(waiting):
    assert swept(a_job(cancel_requested=True)).state == Job.State.CANCELLED
    assert waiting() == 0


def test_a_job_whose_message_was_lost_is_sent_again(waiting):
    assert swept(a_job(state="queued", heartbeat_at=None, attempts=0)).state == Job.State.QUEUED
    assert waiting() == 1


def test_what_is_well_is_left_alone(waiting):
    beating = a_job(heartbeat_at=timezone.now())
    young = a_job(state="queued", queued_at=timezone.now())
    over = [a_job(state=state) for state in ("done", "failed", "cancelled")]
    before = list(Job.objects.values())
    requeue_stale_jobs()
    assert list(Job.objects.values()) == before
    assert len(before) == len([beating, young, *over])
    assert waiting() == 0


def test_a_queue_that_is_away_leaves_the_job_to_the_next_sweep(waiting, tmp_path, request):
    job = a_job()
    environment = {**request.getfixturevalue("_processes_environment"), "REDIS_URL": f"unix://{tmp_path}/none.sock"}
    script = "import django; django.setup(); from jobs.recovery.stale_job_requeue import requeue_stale_jobs as f; f()"
    subprocess.run([sys.executable, "-c", script], env=environment, check=True, timeout=60)
    job.refresh_from_db()
    assert (job.state, waiting()) == (Job.State.QUEUED, 0)
    Job.objects.update(queued_at=timezone.now() - timedelta(seconds=settings.JOB_RESEND_AFTER_SECONDS + 1))
    requeue_stale_jobs()
    assert waiting() == 1
