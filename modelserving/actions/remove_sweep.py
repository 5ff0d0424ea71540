from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.models import Removal
from corpora.trash import move_to_trash
from jobs.models import Job
from modelserving.actions.remove_training import refuse_in_use
from modelserving.models import Sweep


@audited
@transaction.atomic
def remove_sweep(*, sweep: Sweep, by: Any = None) -> Removal:
    """Remove a sweep that is over, with its trainings, their checkpoints and their jobs. Their systems stay."""
    runs = list(sweep.trainings.order_by("pk"))
    for run in runs:
        refuse_in_use(run)
    rows = {Sweep: [sweep.pk], Job: [run.job_id for run in runs]}
    return move_to_trash(study=sweep.study, kind=Removal.Kind.TRAINING, name=sweep.name, rows=rows, by=by, waits=False)
