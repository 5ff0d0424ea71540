"""Runs that wait for a batch of an endpoint at no worker: a task of the clock sends them again when it is over.

It sends no text and pays for nothing: the run itself fetches the answers, and says what is wrong where something is.
"""

from datetime import timedelta

from django.utils import timezone

from foundation.errors import UserError
from jobs.models import PARKED, Job
from jobs.queueing import unpark
from modelserving.models import TransferRun
from modelserving.prompting.batches import is_over
from modelserving.prompting.calls import Failure
from modelserving.prompting.endpoints import endpoint_named
from modelserving.run_context import usage_of

TIMEOUT_SECONDS = 10.0
LONGEST = timedelta(hours=25)  # batches end within a day; then the run looks itself, and says what it finds


def look_at_batches() -> None:
    """Send each parked run again whose batch is over, or will never be. An endpoint that is away is asked later."""
    parked = TransferRun.objects.filter(job__in=Job.objects.filter(PARKED))
    away = set[str]()
    for run in parked.select_related("job", "checkpoint"):
        options = run.checkpoint.manifest["options"] if run.checkpoint else {}
        name = str(options.get("endpoint") or "")
        try:
            ready = timezone.now() - run.job.queued_at > LONGEST or (name not in away and _is_ready(run, name))
        except Failure as failure:
            ready = not failure.passes
            away.add(name)
        if ready:
            unpark(run.job_id)


def _is_ready(run: TransferRun, name: str) -> bool:
    """Whether the run has something to do. Raises Failure."""
    batch = usage_of(run.usage).batch.get("batch")
    try:
        endpoint = endpoint_named(name)
    except UserError:
        return True
    if not batch:
        return True
    from modelserving.prompting.batch_connection import BatchConnection

    return is_over(BatchConnection(endpoint, TIMEOUT_SECONDS).look(batch))
