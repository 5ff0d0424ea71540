from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Direction, Study
from foundation.errors import UserError
from foundation.options import as_given, check_given, option
from modelserving.models import TrainingRun
from modelserving.training_runs.queueing import check_training, queue_training, unused
from modelserving.training_runs.silver import SilverOptions
from modelserving.transfer import TRANSFERS


@dataclass(frozen=True)
class ModelFields:
    """The fields of a training and of a sweep; the model checks its own options."""

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


@dataclass(frozen=True)
class TrainingFields(ModelFields):
    """The fields that `start_training` takes."""

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
    given = check_given(TrainingFields, {"name": name, "seed": seed, "device": device}, partial=True)
    checked = check_training(study, model, direction, options or {}, preset=preset, silver=silver)
    lock_study(study)  # not before texts were counted
    taken, name = set(study.trainings.values_list("name", flat=True)), given["name"]
    if name in taken:
        raise UserError("The study has a training '{name}' already.", name=name, where="name")
    called = name or unused(f"{model}, seed {seed}", taken)
    return queue_training(checked, called, seed=seed, device=device, by=by, send=send)
