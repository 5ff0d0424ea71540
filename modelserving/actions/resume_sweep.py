from typing import Any

from django.db import transaction

from accounts.audit import audited
from foundation.errors import UserError
from jobs.actions.retry_job import retry_job
from jobs.models import Job
from modelserving.models import Sweep

STOPPED = (Job.State.FAILED, Job.State.CANCELLED)


@audited
@transaction.atomic
def resume_sweep(*, sweep: Sweep, by: Any = None) -> Sweep:
    """Queue the failed and the cancelled trainings of a sweep again; each goes on from its last checkpoint."""
    jobs = Job.objects.select_for_update().filter(training_run__sweep=sweep, state__in=STOPPED).order_by("pk")
    stopped = list(jobs.defer("log"))
    if not stopped:
        raise UserError("No training of the sweep has failed or was cancelled.")
    for job in stopped:
        retry_job(job=job)
    return sweep
