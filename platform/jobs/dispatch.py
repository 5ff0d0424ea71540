"""Hand a job to Celery. Sent twice it still runs once: the row decides who holds it."""

from celery import current_app

from jobs.models import Job


def dispatch(job: Job) -> None:
    current_app.send_task(job.task, args=[job.pk], queue=job.queue)
