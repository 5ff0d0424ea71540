"""The Celery task of transfer runs. PyTorch is imported by the models alone, inside the task."""

from celery import shared_task

from jobs.runner import run_job


@shared_task(name="modelserving.tasks.transfer")
def transfer(job_id: int) -> None:
    from modelserving.running import run_transfer

    run_job(job_id, run_transfer)
