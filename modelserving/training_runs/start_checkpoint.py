"""The checkpoint that a training run starts from: one of its study by its name, or a file below RESTYLE_MODELS.

A model may take a part of another's: `dictionary` has a locator of `declare`.

The run's dataset snapshot holds it, so whichever machine goes on with the run starts from the same weights.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from corpora.models import Study
from foundation.errors import UserError
from foundation.local_resources import local_path
from modelserving import artifacts
from modelserving.models import Checkpoint, TrainingRun
from modelserving.training.dataset import START

SAME = ""
OPTIONS = {"start_from": SAME, "locator": "declare"}  # each with the model that the checkpoint is of


def check_start(study: Study, model: str, options: Mapping[str, Any]) -> None:
    """A UserError where there is no such checkpoint, or it is of another model."""
    where, name = _named(options)
    wanted, checkpoint = OPTIONS[where] or model, _of_study(study, name)
    if checkpoint and checkpoint.model != wanted:
        raise UserError(
            "'{name}' is a checkpoint of {model}, not of {wanted}.",
            name=name,
            model=checkpoint.model,
            wanted=wanted,
            where=where,
        )
    if name and not checkpoint:
        _file(name, where)


def write_start(run: TrainingRun, folder: Path) -> None:
    """Put the checkpoint that the run starts from, if any, into the folder of its data."""
    where, name = _named(run.options)
    if not name:
        return
    folder.mkdir(parents=True, exist_ok=True)
    checkpoint = _of_study(run.study, name)
    if checkpoint:
        artifacts.fetch(str(checkpoint.file.name), folder / START)
    else:
        shutil.copyfile(_file(name, where), folder / START)


def _named(options: Mapping[str, Any]) -> tuple[str, str]:
    """The option that names a checkpoint, and its name; "" where none does."""
    return next(((where, options[where]) for where in OPTIONS if options.get(where)), ("start_from", ""))


def _of_study(study: Study, name: str) -> Checkpoint | None:
    """The newest of that name."""
    return study.checkpoints.filter(name=name).order_by("-made_at", "-pk").first() if name else None


def _file(name: str, where: str) -> Path:
    path = local_path(name, where=where)
    if path is None or not path.is_file():
        raise UserError(
            "The study has no checkpoint '{name}', and there is no such file below RESTYLE_MODELS.",
            name=name,
            where=where,
        )
    return path
