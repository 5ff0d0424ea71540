from typing import Any

from django.db import transaction

from accounts.audit import audited
from foundation.errors import UserError
from jobs.actions.cancel_job import cancel_job
from jobs.models import UNFINISHED, Job
from modelserving.models import Sweep


@audited
@transaction.atomic
def cancel_sweep(*, sweep: Sweep, by: Any = None) -> Sweep:
    """Cancel the trainings of a sweep that are not over; each can be resumed."""
    jobs = Job.objects.select_for_update().filter(training_run__sweep=sweep, state__in=UNFINISHED).order_by("pk")
    left = list(jobs.defer("log"))
    if not left:
        raise UserError("The sweep is already over.")
    for job in left:
        cancel_job(job=job)
    return sweep
