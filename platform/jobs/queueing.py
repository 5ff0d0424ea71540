"""Handing jobs to Celery's queues."""

import logging
from datetime import timedelta
from functools import partial
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from kombu.exceptions import OperationalError

from jobs.models import Job
from jobs.priorities import FIRST, IN_TURN

# Hand a job to Celery. Sent twice it still runs once: the row decides who holds it.

logger = logging.getLogger(__name__)


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


def jobs_of(request: Any) -> Any:
    """The jobs of the study at hand, newest first."""
    return Job.objects.filter(study_slug=request.study.slug).select_related("made_by").order_by("-pk")


MOST_ATTEMPTS = 5  # in a row that came no further
LOST = "Its worker was lost."
GIVEN_BACK = "Its worker was asked to end; another goes on."


@transaction.atomic
def requeue_job(pk: int, still: Q, what: str = LOST, *, mine: bool = False) -> None:
    """Queue a job again, or end it where it was asked to stop or was lost too often without coming further.

    Nothing is done unless it is `still` as it was found. `what` names the fate of its worker; with `mine` this is that
    worker itself, which waits for the row where others leave it to the next look. The job goes before those that wait,
    as long as it comes further or has had few turns: one that comes no further does not keep the others waiting.
    """
    job = Job.objects.select_for_update(skip_locked=not mine).filter(still, pk=pk).first()
    if job is None:
        return
    if job.state == Job.State.RUNNING:
        job.log += f"{timezone.now():%H:%M:%S} {what}\n"
    further = job.state == Job.State.RUNNING and _came_further(job, lost=what != GIVEN_BACK)
    if job.cancel_requested:
        _stop(job, what)
    elif job.fruitless >= MOST_ATTEMPTS:
        _fail(job, f"Its worker was lost {job.fruitless} times in a row, and it came no further.")
    else:
        first = job.attempts > 0 and (further or job.attempts < MOST_ATTEMPTS)
        job.state, job.holder, job.process, job.queued_at = Job.State.QUEUED, None, "", timezone.now()
        transaction.on_commit(lambda: dispatch(job, first=first))
    job.save(
        update_fields=[
            "state", "holder", "process", "queued_at", "ended_at", "error", "told", "log", "furthest", "fruitless"
        ]
    )  # fmt: skip


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
        job.told = "" if what in (LOST, GIVEN_BACK) else what


def _fail(job: Job, error: str) -> None:
    job.state, job.ended_at, job.error = Job.State.FAILED, timezone.now(), error
