from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from foundation.errors import UserError
from foundation.options import option, validate_options
from jobs.models import UNFINISHED
from modelserving.models import Sweep, TrainingRun
from modelserving.training_runs.queueing import check_training, queue_training, unused
from modelserving.training_runs.silver import chosen_of
from modelserving.training_runs.sweeps import ranked

SEEDS = 3


@dataclass(frozen=True)
class RepeatFields:
    """The fields that `repeat_training` takes."""

    training: int | None = option(None, "Left empty, the best one.", label="Training", low=1)
    seeds: int = option(SEEDS, "Trainings with the next seeds that are free.", label="Seeds", low=1, high=10)


@audited
@transaction.atomic
def repeat_training(
    *, sweep: Sweep, training: int | None = None, seeds: int = SEEDS, by: Any = None
) -> Sequence[TrainingRun]:
    """Queue trainings with the options of one of the sweep's, by its key, and other seeds: as many `seeds` as asked.

    The seeds are the next ones that these options have not been trained with. Without a `training` it is the one with
    the best tune score. A UserError where the sweep is not over, or has no such training.
    """
    given = validate_options(RepeatFields, {"training": training, "seeds": seeds})
    study = sweep.study
    lock_study(study)
    run = _asked(sweep, given.training)
    same = study.trainings.filter(model=run.model, options=run.options, direction=run.direction)
    used = set(same.values_list("seed", flat=True))
    checked = check_training(study, run.model, run.direction, run.options, silver=chosen_of(run.silver))
    taken = set(study.trainings.values_list("name", flat=True))
    free = (seed for seed in count(sweep.seed + 1) if seed not in used)
    return [
        queue_training(
            checked, unused(f"{run.name}, seed {seed}", taken), seed=seed, device=run.device, by=by, sweep=sweep
        )
        for seed in islice(free, given.seeds)
    ]


def _asked(sweep: Sweep, key: int | None) -> TrainingRun:
    """The training of that key, or the best one of those that are done."""
    runs = list(sweep.trainings.filter(combination__isnull=False).select_related("job", "direction").defer("job__log"))
    if key is not None:
        found = next((run for run in runs if run.pk == key), None)
        if found is None:
            raise UserError("The sweep has no training {key}.", key=str(key), where="training")
        return found
    if any(run.job.state in UNFINISHED for run in runs):
        raise UserError("The sweep is not over yet: which training is the best is known when it is.")
    done = [run for run in ranked(runs) if run.job.state == run.job.State.DONE and run.best]
    if not done:
        raise UserError("No training of the sweep is done with a tune score.")
    return done[0]
