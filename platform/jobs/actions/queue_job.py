from typing import Any

from django.db import transaction
from django.utils import timezone

from jobs.models import Job
from jobs.queueing import dispatch
from jobs.queues import queue_of


def queue_job(
    *, task: str, title: str, study_slug: str, by: Any, short: bool = False, queue: str = "", send: bool = True,
    after: Job | None = None,
) -> Job:  # fmt: skip
    """Make the row of a job; its Celery task is sent when the surrounding transaction is committed.

    The task's name says which `queue` it waits in, and `short` that it takes minutes where others of its kind take
    hours (`jobs.queues`). Without `send` the caller runs it, and the sweep sends it only where that never happened. A
    job that comes `after` another is sent when that one is done.
    """
    if after is not None:  # locked: it may end meanwhile, and would not know of this one
        after = Job.objects.select_for_update().get(pk=after.pk)
    job = Job.objects.create(
        task=task, queue=queue or queue_of(task, short=short), title=title, study_slug=study_slug, made_by=by,
        queued_at=timezone.now(), after=after,
    )  # fmt: skip
    if send and job.waits_for is None:
        transaction.on_commit(lambda: dispatch(job))
    return job
