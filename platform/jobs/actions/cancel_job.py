from django.db import transaction
from django.utils import timezone

from accounts.audit import audited
from foundation.errors import UserError
from jobs.models import Job
from jobs.queueing import job_ended


@audited
@transaction.atomic
def cancel_job(*, job: Job) -> Job:
    """End a queued job at once; ask a running one to stop at its next step. One that does not is ended from outside."""
    job = Job.objects.select_for_update().get(pk=job.pk)
    if job.is_over:
        raise UserError("The job is already over.")
    if job.state == Job.State.QUEUED:
        job.state, job.ended_at = Job.State.CANCELLED, timezone.now()
    job.cancel_requested = True
    job.save(update_fields=["state", "ended_at", "cancel_requested"])
    if job.is_over:
        job_ended.send(sender=Job, job=job)
    return job
