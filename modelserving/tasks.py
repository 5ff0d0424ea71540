"""The Celery tasks of models. PyTorch is imported by the models alone, inside the task."""

from celery import shared_task

from jobs.execution import run_job


@shared_task(name="modelserving.tasks.transfer")
def transfer(job_id: int) -> None:
    from modelserving.ready_models import release_memory
    from modelserving.transfer_runs import run_transfer

    run_job(job_id, run_transfer)
    release_memory()


@shared_task(name="modelserving.tasks.train")
def train(job_id: int) -> None:
    from modelserving.ready_models import release_memory
    from modelserving.training_runs.execution import clear_up, run_training

    run_job(job_id, run_training)
    clear_up(job_id)
    release_memory()


@shared_task(name="modelserving.tasks.look_at_batches", ignore_result=True)
def look_at_batches() -> None:
    from modelserving.parked_batches import look_at_batches

    look_at_batches()


# Not late: a sentence that killed a worker does not go to the next one.
@shared_task(name="modelserving.tasks.answer", acks_late=False, soft_time_limit=90, time_limit=120)
def answer(key: str, number: int) -> None:
    from modelserving.typed_sentences import answer

    answer(key, number)
