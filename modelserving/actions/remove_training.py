from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.models import Removal
from corpora.trash import move_to_trash
from foundation.errors import UserError
from jobs.models import UNFINISHED, Job
from modelserving.models import TrainingRun


@audited
@transaction.atomic
def remove_training(*, run: TrainingRun, by: Any = None) -> Removal:
    """Remove a training that is over, with its checkpoints, dataset snapshot and job. Its systems stay."""
    refuse_in_use(run)
    return move_to_trash(
        study=run.study, kind=Removal.Kind.TRAINING, name=run.name, rows={Job: [run.job_id]}, by=by, waits=False
    )


def refuse_in_use(run: TrainingRun) -> None:
    """Raise a UserError where the training goes on, or a run waits for it or uses a checkpoint of it."""
    job = Job.objects.select_for_update().get(pk=run.job_id)
    if job.state in UNFINISHED:
        raise UserError("The training is still running; cancel it first.", where=run.name)
    if job.followers.filter(state__in=UNFINISHED).exists():
        raise UserError("A run waits for this training; cancel the run first.", where=run.name)
    for checkpoint in run.checkpoints.all():
        if checkpoint.transfer_runs.filter(job__state__in=UNFINISHED).exists():
            raise UserError("A run with one of its checkpoints is still running; cancel it first.", where=run.name)
