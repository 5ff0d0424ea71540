"""Hand a job to Celery. Sent twice it still runs once: the row decides who holds it."""

import logging
from datetime import timedelta
from functools import partial

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from jobs.models import Job
from jobs.queueing import priorities

logger = logging.getLogger(__name__)


def dispatch_followers(job: Job) -> None:
    """Send what waited for a job that is done."""
    for follower in Job.objects.filter(after=job.pk, state=Job.State.QUEUED):
        transaction.on_commit(partial(dispatch, follower))


def dispatch(job: Job, *, first: bool = False) -> None:
    """Send the job's message, behind those that wait or `first`, before them.

    Where the queue cannot be reached the row waits, and the sweep sends it later.
    """
    try:
        priority = priorities.FIRST if first else priorities.IN_TURN
        current_app.send_task(job.task, args=[job.pk], queue=job.queue, priority=priority)
    except OperationalError:
        logger.exception("Job %s could not be sent; the sweep will send it.", job.pk)
        long_ago = timezone.now() - timedelta(seconds=settings.JOB_RESEND_AFTER_SECONDS)
        Job.objects.filter(pk=job.pk, state=Job.State.QUEUED).update(queued_at=long_ago)  # at once
