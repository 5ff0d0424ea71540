from django.db import transaction
from django.utils import timezone

from accounts.audit import audited
from foundation.errors import UserError
from jobs.models import Job
from jobs.queueing import dispatch


@audited
@transaction.atomic
def retry_job(*, job: Job, send: bool = True) -> Job:
    """Queue a failed or cancelled job again; its finished parts are kept. Without `send` the caller runs it."""
    job = Job.objects.select_for_update(of=("self",)).select_related("after").get(pk=job.pk)
    if job.state not in {Job.State.FAILED, Job.State.CANCELLED}:
        raise UserError("Only a failed or cancelled job can be run again.")
    job.state, job.error, job.attempts = Job.State.QUEUED, "", 0
    job.furthest = job.fruitless = 0
    job.told = job.warning = job.stop_reason = job.awaited = ""
    job.stopping_at = None
    job.cancel_requested, job.ended_at, job.queued_at = False, None, timezone.now()
    job.save()
    if send and job.waits_for is None:
        transaction.on_commit(lambda: dispatch(job))
    return job
