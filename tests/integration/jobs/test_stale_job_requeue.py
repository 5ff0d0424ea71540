"""What the sweep does with jobs that lost their worker, or whose message was lost."""

import subprocess
import sys
import uuid
from datetime import timedelta

import pytest
from celery import current_app
from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from jobs.models import Job
from jobs.queueing import GIVEN_BACK, MOST_ATTEMPTS, dispatch, requeue_job
from jobs.recovery import requeue_stale_jobs

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


def test_after_five_lost_workers_without_coming_further_it_gives_up(waiting):
    job = swept(a_job(done=300, furthest=300, fruitless=MOST_ATTEMPTS - 1, attempts=40))
    assert (job.state, job.fruitless) == (Job.State.FAILED, 5)
    assert job.error == "Its worker was lost 5 times in a row, and it came no further."
    assert job.ended_at
    assert waiting() == 0


def test_one_that_comes_further_is_never_given_up(waiting):
    job = swept(a_job(done=301, furthest=300, fruitless=MOST_ATTEMPTS - 1, attempts=40))
    assert (job.state, job.furthest, job.fruitless) == (Job.State.QUEUED, 301, 0)
    for done in range(302, 302 + 2 * MOST_ATTEMPTS):
        Job.objects.update(state="running", heartbeat_at=job.heartbeat_at, done=done)
        assert swept(job).state == Job.State.QUEUED
    for _ in range(MOST_ATTEMPTS):
        Job.objects.update(state="running", heartbeat_at=job.heartbeat_at, done=done - 1)
        job = swept(job)
    assert job.state == Job.State.FAILED


@pytest.fixture
def order(waiting):
    """Take all messages of the queue as a worker does; the jobs that they are for, in their order."""

    def take() -> list[int]:
        with current_app.connection_for_read() as connection, connection.SimpleQueue("q-sweep") as queue:
            taken = []
            for _ in range(waiting()):
                message = queue.get(timeout=60)
                message.ack()
                taken.append(message.payload[0][0])
            return taken

    return take


def test_an_interrupted_job_goes_before_those_that_wait(order):
    now = timezone.now()
    first, second = (a_job(state="queued", attempts=0, queued_at=now, heartbeat_at=None) for _ in range(2))
    dispatch(first)
    dispatch(second)
    lost = swept(a_job(done=10, attempts=20))
    assert order() == [lost.pk, first.pk, second.pk]


def test_one_that_comes_no_further_keeps_no_other_waiting(order):
    waits = a_job(state="queued", attempts=0, queued_at=timezone.now(), heartbeat_at=None)
    dispatch(waits)
    held = uuid.uuid4()
    given_back = a_job(done=10, furthest=10, attempts=MOST_ATTEMPTS, holder=held, heartbeat_at=timezone.now())
    requeue_job(given_back.pk, Q(holder=held), GIVEN_BACK, mine=True)
    assert order() == [waits.pk, given_back.pk]
    given_back.refresh_from_db()
    assert (given_back.state, given_back.fruitless) == (Job.State.QUEUED, 0)  # no worker was lost


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
    script = "import django; django.setup(); from jobs.recovery import requeue_stale_jobs as f; f()"
    subprocess.run([sys.executable, "-c", script], env=environment, check=True, timeout=60)
    job.refresh_from_db()
    assert (job.state, waiting()) == (Job.State.QUEUED, 0)
    Job.objects.update(queued_at=timezone.now() - timedelta(seconds=settings.JOB_RESEND_AFTER_SECONDS + 1))
    requeue_stale_jobs()
    assert waiting() == 1
