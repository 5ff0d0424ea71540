"""A job that comes after another is not begun before that is done, whoever sends it, and is sent then."""

from datetime import timedelta

import pytest
from celery import current_app
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from foundation.errors import UserError
from jobs.actions.cancel_job import cancel_job
from jobs.actions.queue_job import queue_job
from jobs.actions.retry_job import retry_job
from jobs.execution import run_job
from jobs.models import Job
from jobs.recovery import requeue_stale_jobs
from jobs.waiting_reasons import waiting_reasons

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def sent():
    """How many messages there are on the queue of the second jobs, which no worker reads."""
    with current_app.connection_for_read() as connection, connection.channel() as channel:
        channel.queue_purge("q-after")
        yield lambda: channel._size("q-after")
        channel.queue_purge("q-after")


def queued(title, after=None, queue="q-first"):
    with transaction.atomic():
        return queue_job(task="t", queue=queue, title=title, study_slug="s", by=None, after=after)


def pair():
    first = queued("First")
    return first, queued("Second", first, "q-after")


def fail(job, progress):
    raise UserError("It cannot be done.")


def nothing(job, progress):
    return None


def state(job):
    return Job.objects.get(pk=job.pk).state


def test_it_is_sent_when_the_first_is_done(sent):
    first, second = pair()
    run_job(second.pk, nothing)
    assert (state(second), sent()) == (Job.State.QUEUED, 0)
    run_job(first.pk, nothing)
    assert (state(second), sent()) == (Job.State.QUEUED, 1)
    run_job(second.pk, nothing)
    assert state(second) == Job.State.DONE


def test_it_waits_for_a_first_that_failed_until_that_is_run_again(sent):
    first, second = pair()
    assert waiting_reasons([Job.objects.get(pk=second.pk)]) == ["The job begins when “First” is done."]
    run_job(first.pk, fail)
    run_job(second.pk, nothing)
    assert (state(first), state(second), sent()) == (Job.State.FAILED, Job.State.QUEUED, 0)
    said = "The job waits for “First”, which did not finish: run that again, or cancel this one."
    assert waiting_reasons([Job.objects.get(pk=second.pk)]) == [said]
    retry_job(job=first)
    run_job(first.pk, nothing)
    assert sent() == 1


def test_the_sweep_leaves_what_waits_and_sends_what_was_not_sent(sent):
    first, second = pair()
    long_ago = timezone.now() - timedelta(seconds=settings.JOB_RESEND_AFTER_SECONDS + 60)
    Job.objects.filter(pk=second.pk).update(queued_at=long_ago)
    requeue_stale_jobs()
    assert sent() == 0
    Job.objects.filter(pk=first.pk).update(state=Job.State.DONE)  # its worker ended before it had sent the second
    requeue_stale_jobs()
    assert sent() == 1


def test_it_can_be_cancelled_and_asked_for_again_while_it_waits(sent):
    first, second = pair()
    cancel_job(job=second)
    run_job(first.pk, nothing)
    assert (state(second), sent()) == (Job.State.CANCELLED, 0)
    retry_job(job=second)
    assert sent() == 1
    third = queued("Third", queued("Fourth"), "q-after")
    cancel_job(job=third)
    retry_job(job=third)
    assert (state(third), sent()) == (Job.State.QUEUED, 1)


def test_after_one_that_is_done_it_is_sent_at_once(sent):
    first = queued("First")
    run_job(first.pk, nothing)
    queued("Second", first, "q-after")
    assert sent() == 1
