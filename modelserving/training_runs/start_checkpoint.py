"""The checkpoint that a training run starts from: one of its study by its name, or a file below RESTYLE_MODELS.

The run's dataset snapshot holds it, so whichever machine goes on with the run starts from the same weights.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from corpora.models import Study
from foundation.errors import UserError
from foundation.local_resources import local_path
from modelserving.artifacts import storage
from modelserving.models import Checkpoint, TrainingRun
from modelserving.training.dataset import START

WHERE = "start_from"


def check_start(study: Study, model: str, options: Mapping[str, Any]) -> None:
    """A UserError where there is no such checkpoint, or it is of another model."""
    name = options.get(WHERE, "")
    checkpoint = _of_study(study, name)
    if checkpoint and checkpoint.model != model:
        raise UserError(f"'{name}' is a checkpoint of {checkpoint.model}, not of {model}.", where=WHERE)
    if name and not checkpoint:
        _file(name)


def write_start(run: TrainingRun, folder: Path) -> None:
    """Put the checkpoint that the run starts from, if any, into the folder of its data."""
    name = run.options.get(WHERE, "")
    if not name:
        return
    folder.mkdir(parents=True, exist_ok=True)
    checkpoint = _of_study(run.study, name)
    if checkpoint:
        storage.fetch(str(checkpoint.file.name), folder / START)
    else:
        shutil.copyfile(_file(name), folder / START)


def _of_study(study: Study, name: str) -> Checkpoint | None:
    """The newest of that name."""
    return study.checkpoints.filter(name=name).order_by("-made_at", "-pk").first() if name else None


def _file(name: str) -> Path:
    path = local_path(name, where=WHERE)
    if path is None or not path.is_file():
        raise UserError(
            f"The study has no checkpoint '{name}', and there is no such file below RESTYLE_MODELS.", where=WHERE
        )
    return path
