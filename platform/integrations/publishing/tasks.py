"""The Celery task of pushes and pulls."""

from celery import shared_task

from jobs.execution import run_job


@shared_task(name="integrations.publishing.tasks.publish")
def publish(job_id: int) -> None:
    """Push or pull; run again after a worker died it does what is left."""
    from integrations.publishing.execution import publish_for

    run_job(job_id, publish_for)
