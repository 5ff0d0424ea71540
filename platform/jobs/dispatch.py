"""Hand a job to Celery. Sent twice it still runs once: the row decides who holds it."""

import logging

from celery import current_app
from kombu.exceptions import OperationalError

from jobs.models import Job

logger = logging.getLogger(__name__)


def dispatch(job: Job) -> None:
    """Send the job's message. Where the queue cannot be reached the row waits, and the sweep sends it later."""
    try:
        current_app.send_task(job.task, args=[job.pk], queue=job.queue)
    except OperationalError:
        logger.exception("Job %s could not be sent; the sweep will send it.", job.pk)
