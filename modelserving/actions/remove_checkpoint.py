from django.db import transaction

from accounts.trail import recorded
from foundation.errors import UserError
from jobs.models import Job
from modelserving.filing import remove_later
from modelserving.models import Checkpoint

UNFINISHED = (Job.State.QUEUED, Job.State.RUNNING)


@recorded
@transaction.atomic
def remove_checkpoint(*, checkpoint: Checkpoint) -> None:
    """Remove a checkpoint and its file. What it wrote stays; a training without its last one begins again."""
    run = checkpoint.run
    if run is not None and Job.objects.select_for_update().get(pk=run.job_id).state in UNFINISHED:
        raise UserError("Its training is not over; cancel it first.", where=checkpoint.name)
    if checkpoint.transfer_runs.filter(job__state__in=UNFINISHED).exists():
        raise UserError("A run with it is not over; cancel it first.", where=checkpoint.name)
    if run is not None:
        _forget_kept(checkpoint)
    remove_later(checkpoint.file.name)
    checkpoint.delete()


def _forget_kept(checkpoint: Checkpoint) -> None:
    """A training goes on from both its checkpoints, or from none."""
    run = checkpoint.run
    run.kept = 0
    run.save(update_fields=["kept"])
