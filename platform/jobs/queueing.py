"""Handing jobs to Celery's queues."""

import base64
import json
import logging
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.dispatch import Signal
from django.utils import timezone
from kombu.exceptions import OperationalError

from foundation.translation import translate
from jobs.models import PARKED, Job
from jobs.priorities import FIRST, IN_TURN, lists_of

if TYPE_CHECKING:
    import redis

# Hand a job to Celery. Sent twice it still runs once: the row decides who holds it.

logger = logging.getLogger(__name__)

# Sent with `job` in the transaction in which it ends.
job_ended = Signal()


def dispatch_followers(job: Job) -> None:
    """Send the jobs that waited for a job that is done."""
    for follower in Job.objects.filter(after=job.pk, state=Job.State.QUEUED):
        transaction.on_commit(partial(dispatch, follower))


def dispatch(job: Job, *, first: bool = False) -> None:
    """Send the job's message, behind those that wait or `first`, before them.

    Where the queue cannot be reached the row waits, and the sweep sends it later.
    """
    try:
        priority = FIRST if first else IN_TURN
        current_app.send_task(job.task, args=[job.pk], queue=job.queue, priority=priority)
    except OperationalError:
        logger.exception("Job %s could not be sent; the sweep will send it.", job.pk)
        long_ago = timezone.now() - timedelta(seconds=settings.JOB_RESEND_AFTER_SECONDS)
        Job.objects.filter(pk=job.pk, state=Job.State.QUEUED).update(queued_at=long_ago)  # at once


LOOKED_AT = 1_000  # messages of a list, at most: a page asks each second


def messages_before(client: "redis.Redis", job: Job) -> list[int] | None:
    """The keys of the jobs whose messages a worker of the queue reads before that of this job, in their order.

    None where the queue has no message of the job: a worker took it, or it was lost and the sweep sends it again.
    Raises redis.RedisError.
    """
    before: list[int] = []
    for name in lists_of(job.queue):  # Celery adds at the left end and reads at the right one
        for message in reversed(client.lrange(name, -LOOKED_AT, -1)):
            key = _job_of(message)
            if key == job.pk:
                return before
            before += [] if key is None else [key]
    return None


def _job_of(message: bytes | str) -> int | None:
    """The key of the job that a message in Redis is about; None for a task of another kind."""
    try:
        args = json.loads(base64.b64decode(json.loads(message)["body"]))[0]
    except (ValueError, KeyError, TypeError, IndexError):
        return None
    return args[0] if len(args) == 1 and isinstance(args[0], int) else None


def jobs_of(request: Any) -> Any:
    """The jobs of the study at hand, newest first."""
    return Job.objects.filter(study_slug=request.study.slug).select_related("made_by").order_by("-pk")


MOST_ATTEMPTS = 5  # in a row that came no further
LOST = "Its worker was lost."
GIVEN_BACK = "Its worker was asked to end; another goes on."


@transaction.atomic
def requeue_job(pk: int, still: Q, what: str = LOST, *, mine: bool = False, queue: str = "") -> None:
    """Queue a job again, or end it where it was asked to stop or was lost too often without coming further.

    With a `queue` it goes there: its worker could not do it where it was.

    Nothing is done unless it is `still` as it was found. `what` names the fate of its worker; with `mine` this is that
    worker itself, which waits for the row where others leave it to the next look. The job goes before those that wait,
    as long as it comes further or has had few turns: one that comes no further does not keep the others waiting.
    """
    job = Job.objects.select_for_update(skip_locked=not mine).filter(still, pk=pk).first()
    if job is None:
        return
    if job.state == Job.State.RUNNING:
        job.log += f"{timezone.now():%H:%M:%S} {what}\n"
    told = what == GIVEN_BACK or bool(queue)
    further = job.state == Job.State.RUNNING and _came_further(job, lost=not told)
    if job.cancel_requested:
        _stop(job, LOST if told else what)
    elif job.fruitless >= MOST_ATTEMPTS:
        lost = translate("Its worker was lost {n} times in a row, and it came no further.", n=job.fruitless)
        _fail(job, lost)
    else:
        first = job.attempts > 0 and (further or job.attempts < MOST_ATTEMPTS or bool(queue))
        job.attempts -= bool(queue)
        job.state, job.holder, job.process, job.queued_at = Job.State.QUEUED, None, "", timezone.now()
        job.queue, job.awaited = queue or job.queue, ""
        transaction.on_commit(lambda: dispatch(job, first=first))
    job.save(
        update_fields=[
            "state", "queue", "holder", "process", "awaited", "queued_at", "ended_at", "error", "told", "log",
            "furthest", "fruitless", "attempts",
        ]
    )  # fmt: skip
    _tell_end(job)


@transaction.atomic
def park(pk: int, still: Q, awaited: str) -> None:
    """Take a job from its worker until somebody calls `unpark`; end it where it was asked to stop."""
    job = Job.objects.select_for_update().filter(still, pk=pk).first()
    if job is None:
        return
    job.furthest, job.fruitless, job.attempts = max(job.furthest, job.done), 0, job.attempts - 1
    if job.cancel_requested:
        _stop(job, LOST)
    else:
        job.state, job.holder, job.process, job.queued_at = Job.State.QUEUED, None, "", timezone.now()
        job.awaited = awaited
        job.log += f"{timezone.now():%H:%M:%S} {awaited}\n"
    job.save()
    _tell_end(job)


@transaction.atomic
def unpark(pk: int) -> None:
    """Send a parked job again, before those that wait. Nothing is done where it is over, or was sent meanwhile."""
    for job in Job.objects.select_for_update(skip_locked=True).filter(PARKED, pk=pk):
        job.awaited, job.queued_at = "", timezone.now()
        job.save(update_fields=["awaited", "queued_at"])
        transaction.on_commit(partial(dispatch, job, first=True))


def _tell_end(job: Job) -> None:
    if job.is_over:
        job_ended.send(sender=Job, job=job)


def _came_further(job: Job, *, lost: bool) -> bool:
    """Whether this attempt did more than any before it; an attempt that was lost and did not is counted."""
    further = job.done > job.furthest
    job.furthest = max(job.furthest, job.done)
    if further:
        job.fruitless = 0
    elif lost:
        job.fruitless += 1
    return further


def _stop(job: Job, what: str) -> None:
    """End a job that was to stop and whose worker is gone: it has stopped."""
    if job.stop_reason:
        _fail(job, job.stop_reason)
    else:
        job.state, job.ended_at = Job.State.CANCELLED, timezone.now()
        job.told = "" if what == LOST else what


def _fail(job: Job, error: str) -> None:
    job.state, job.ended_at, job.error = Job.State.FAILED, timezone.now(), error
