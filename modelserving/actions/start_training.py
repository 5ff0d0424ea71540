from collections.abc import Mapping
from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Direction, Study
from foundation.errors import UserError
from foundation.options import options_as_stored
from jobs.actions.queue_job import queue_job
from modelserving.models import TrainingRun
from modelserving.outside_services import refuse_leaving
from modelserving.training_runs.requirements import check_needs, check_start, refuse_nothing_left
from modelserving.transfer import TRANSFERS

MOST_SEED = 2**31 - 1


@audited
@transaction.atomic
def start_training(
    *,
    study: Study,
    model: str,
    name: str = "",
    direction: Direction | None = None,
    options: Mapping[str, Any] | None = None,
    preset: str = "",
    seed: int = 1,
    device: str = TrainingRun.Device.AUTO,
    send: bool = True,
    by: Any,
) -> TrainingRun:
    """Queue the training of a model on the train and tune splits of a study.

    `options` are those that differ from the model's `preset`, or from the defaults if none is named. A model of pairs
    takes one `direction`, the study's only one if none is given. Without `send` no worker is told: the caller runs the
    job. A UserError says what the study lacks, or that all its texts are too long.
    """
    kind = TRANSFERS[model]
    chosen_options = kind.choose_options(options or {}, preset)
    chosen = options_as_stored(chosen_options)
    if not 0 <= seed <= MOST_SEED:
        raise UserError("A seed is a whole number from 0 to {most_seed}.", most_seed=MOST_SEED, where="seed")
    if device not in TrainingRun.Device.values:
        raise UserError("Expected one of {values}.", values=", ".join(TrainingRun.Device.values), where="device")
    kind.check_options(chosen)
    direction, styles = check_needs(kind, study, direction, chosen)
    check_start(study, model, chosen)
    if limit := kind.length_limit(chosen_options):
        refuse_nothing_left(limit, study, direction, styles)
    lock_study(study)  # not before texts were counted
    refuse_leaving(study, kind.sends_to(chosen))
    name = _named(study, name.strip(), f"{model}, seed {seed}")
    job = queue_job(
        task="modelserving.tasks.train", queue="gpu", title=f"Training: {name}", study_slug=study.slug, by=by, send=send
    )
    return TrainingRun.objects.create(
        job=job, study=study, name=name, model=model, options=chosen, seed=seed,
        direction=direction, styles=list(styles), device=device,
    )  # fmt: skip


def _named(study: Study, name: str, usual: str) -> str:
    """The given name, or the usual one, with a number behind it if it is taken."""
    taken = set(study.trainings.values_list("name", flat=True))
    if len(name) > 100:
        raise UserError("A training has a name of at most 100 characters.", where="name")
    if name in taken:
        raise UserError("The study has a training '{name}' already.", name=name, where="name")
    others = (f"{usual} ({number})" for number in range(2, len(taken) + 3))
    return name or next(one for one in (usual, *others) if one not in taken)
