from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.models import Removal
from corpora.trash import move_to_trash
from foundation.errors import UserError
from jobs.models import Job
from modelserving.models import Checkpoint, TrainingRun

UNFINISHED = (Job.State.QUEUED, Job.State.RUNNING)


@audited
@transaction.atomic
def remove_checkpoint(*, checkpoint: Checkpoint, by: Any = None) -> Removal:
    """Remove a checkpoint and its file. Its outputs stay; a training without its last checkpoint begins again."""
    run = checkpoint.run
    if run is not None and Job.objects.select_for_update().get(pk=run.job_id).state in UNFINISHED:
        raise UserError("Its training is still running; cancel it first.", where=checkpoint.name)
    if checkpoint.transfer_runs.filter(job__state__in=UNFINISHED).exists():
        raise UserError("A run with this checkpoint is still running; cancel it first.", where=checkpoint.name)
    if run is not None:
        _forget_kept(run)
    rows = {Checkpoint: [checkpoint.pk]}
    return move_to_trash(
        study=checkpoint.study, kind=Removal.Kind.CHECKPOINT, name=checkpoint.name, rows=rows, by=by, waits=False
    )


def _forget_kept(run: TrainingRun) -> None:
    """A training resumes from both its checkpoints, or from none."""
    run.kept = 0
    run.save(update_fields=["kept"])
