from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Direction, Study
from foundation.errors import UserError
from foundation.options import as_given, check_given, option, options_as_stored
from jobs.actions.queue_job import queue_job
from modelserving.models import TrainingRun
from modelserving.outside_services import refuse_leaving
from modelserving.training_runs.requirements import check_needs, check_start, refuse_nothing_left
from modelserving.training_runs.silver import SilverOptions, check_silver, run_awaited
from modelserving.transfer import TRANSFERS


@dataclass(frozen=True)
class TrainingFields:
    """The fields that `start_training` takes; the model checks its own options."""

    model: str = option("", "", label="Model", choices=lambda: TRANSFERS.names(), required=True)
    direction: object = option(
        None, "A model of pairs learns one direction; a model of two styles learns both at once.", label="Direction",
        row="direction",
    )  # fmt: skip
    name: str = option("", "Left empty, the model and its seed.", label="Name", characters=100, clean=str.strip)
    seed: int = option(
        1, "The same seed, data and options give the same model again.", label="Seed", low=0, high=2**31 - 1
    )
    device: str = option(TrainingRun.Device.AUTO.value, "", label="Device", choices=TrainingRun.Device.choices)
    preset: str = option(
        "", "A set of options that the model has by name, such as a paper's; `options` change it.", label="Preset",
        characters=60,
    )  # fmt: skip
    options: object = option(None, "The model's own.", table=as_given)
    silver: object = option(None, "Pairs that a model wrote, to train on.", table=SilverOptions)


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
    silver: Mapping[str, Any] | None = None,
    send: bool = True,
    by: Any,
) -> TrainingRun:
    """Queue the training of a model on the train and tune splits of a study.

    `options` are those that differ from the model's `preset`, or from the defaults if none is named. A model of pairs
    takes one `direction`, the study's only one if none is given. `silver` (`SilverOptions`) adds pairs that a model of
    the study wrote; the training waits for the end of its run. Without `send` no worker is told: the caller runs the
    job. A UserError says what the study lacks, or that all its texts are too long.
    """
    kind = TRANSFERS[model]
    chosen_options = kind.choose_options(options or {}, preset)
    chosen = options_as_stored(chosen_options)
    given = check_given(TrainingFields, {"name": name, "seed": seed, "device": device}, partial=True)
    kind.check_options(chosen)
    direction, styles = check_needs(kind, study, direction, chosen, silver=bool((silver or {}).get("system")))
    added, system = check_silver(kind, study, direction, silver or {})
    after = run_awaited(system, direction) if system and direction else None
    check_start(study, model, chosen)
    if not kind.wants_preferences(chosen) and (limit := kind.length_limit(chosen_options)):
        refuse_nothing_left(limit, study, direction, styles)
    lock_study(study)  # not before texts were counted
    refuse_leaving(study, kind.sends_to(chosen))
    name = _named(study, given["name"], f"{model}, seed {seed}")
    job = queue_job(
        task="modelserving.tasks.train", queue="gpu", title=f"Training: {name}", study_slug=study.slug, by=by,
        send=send, after=after,
    )  # fmt: skip
    return TrainingRun.objects.create(
        job=job, study=study, name=name, model=model, options=chosen, seed=seed,
        direction=direction, styles=list(styles), device=device, silver=added,
    )  # fmt: skip


def _named(study: Study, name: str, usual: str) -> str:
    """The given name, or the usual one, with a number behind it if it is taken."""
    taken = set(study.trainings.values_list("name", flat=True))
    if name in taken:
        raise UserError("The study has a training '{name}' already.", name=name, where="name")
    others = (f"{usual} ({number})" for number in range(2, len(taken) + 3))
    return name or next(one for one in (usual, *others) if one not in taken)
