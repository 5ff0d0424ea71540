"""A trained model of a study before it is loaded: that of a checkpoint, or the one that a training will have made."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from corpora.models import Direction, Study
from foundation.errors import UserError
from modelserving.models import Checkpoint, TrainingRun


class Trained(NamedTuple):
    """What a trained model is: its kind's name, the options and the seed, and where it comes from, in words."""

    model: str
    options: Mapping[str, Any]
    seed: int | None
    origin: str


def trained_model(study: Study, checkpoint: Checkpoint | None, training: TrainingRun | None) -> Trained | None:
    """The model of a checkpoint of the study, or of a training; None where neither is given."""
    if checkpoint and training:
        raise UserError("A run takes a checkpoint or a training, not both.", where="checkpoint")
    if checkpoint is not None:
        if checkpoint.study_id != study.pk:
            raise UserError("The checkpoint is another study's.", where="checkpoint")
        seed = checkpoint.manifest["trained"].get("seed")
        known = seed if type(seed) is int and 0 <= seed < 2**31 else None
        origin = f"model {checkpoint.model}, checkpoint {checkpoint.sha256[:12]}"
        return Trained(checkpoint.model, checkpoint.manifest["options"], known, origin)
    if training is not None:
        if training.study_id != study.pk:
            raise UserError("The training is another study's.", where="training")
        return Trained(training.model, training.options, training.seed, f"model {training.model}, {training.name}")
    return None


def check_styles(training: TrainingRun, direction: Direction | None) -> None:
    """A model of pairs goes in the direction that it is trained for, one of two styles in both."""
    if direction is None:
        return
    styles = [direction.source_style, direction.target_style]
    if training.direction_id not in (None, direction.pk) or set(styles) != set(training.styles):
        raise UserError(
            "{name} is not trained from {styles}.", name=training.name, styles=" to ".join(styles), where="direction"
        )
