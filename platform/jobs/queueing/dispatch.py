"""Hand a job to Celery. Sent twice it still runs once: the row decides who holds it."""

import logging
from datetime import timedelta

from celery import current_app
from django.conf import settings
from django.utils import timezone
from kombu.exceptions import OperationalError

from jobs.models import Job

logger = logging.getLogger(__name__)


def dispatch(job: Job) -> None:
    """Send the job's message. Where the queue cannot be reached the row waits, and the sweep sends it later."""
    try:
        current_app.send_task(job.task, args=[job.pk], queue=job.queue)
    except OperationalError:
        logger.exception("Job %s could not be sent; the sweep will send it.", job.pk)
        long_ago = timezone.now() - timedelta(seconds=settings.JOB_RESEND_AFTER_SECONDS)
        Job.objects.filter(pk=job.pk, state=Job.State.QUEUED).update(queued_at=long_ago)  # at once
