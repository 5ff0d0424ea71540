from typing import Any

from django.db import transaction
from django.utils import timezone

from jobs.models import Job
from jobs.queueing import dispatch


def queue_job(
    *, task: str, queue: str, title: str, study_slug: str, by: Any, send: bool = True, after: Job | None = None
) -> Job:
    """Make the row of a job; its Celery task is sent when the surrounding transaction is committed.

    Without `send` the caller runs it, and the sweep sends it only where that never happened. A job that comes `after`
    another is sent when that one is done.
    """
    if after is not None:  # locked: it may end meanwhile, and would not know of this one
        after = Job.objects.select_for_update().get(pk=after.pk)
    job = Job.objects.create(
        task=task, queue=queue, title=title, study_slug=study_slug, made_by=by, queued_at=timezone.now(), after=after
    )
    if send and job.waits_for is None:
        transaction.on_commit(lambda: dispatch(job))
    return job
