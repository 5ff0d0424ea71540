"""The models of a study that can rewrite texts, the directions that they serve, and the devices they run on."""

import gc
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from corpora.models import Direction, Study
from foundation.errors import UserError
from modelserving.models import Checkpoint, TrainingRun
from modelserving.training.recipe import gpus_of
from modelserving.transfer import TRANSFERS, Transfer

# The devices of this machine on which a model is trained or runs.

CPU = "cpu"


def devices_for(kind: Transfer, asked: str) -> list[str]:
    """The devices of a training: "cpu", or all GPUs that PyTorch sees. A UserError where there is no GPU."""
    if kind.device == CPU or asked == TrainingRun.Device.CPU:
        return [CPU]
    import torch

    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if not count and asked == TrainingRun.Device.CUDA:
        raise UserError("There is no GPU that PyTorch can use on this machine.", where="device")
    return [f"cuda:{number}" for number in range(count)] or [CPU]


def named_among(devices: list[str], named: str) -> list[str]:
    """Those of a training's devices that its option `devices` names, all where it names none.

    A UserError where one of them is not there, or torchrun has shared them out already.
    """
    wanted = [f"cuda:{number}" for number in gpus_of(named)]
    if not wanted:
        return devices
    if "LOCAL_RANK" in os.environ:
        raise UserError("torchrun gives each process its GPU: leave this empty.", where="devices")
    if missing := [name for name in wanted if name not in devices]:
        there = ", ".join(device for device in devices if device != CPU) or "none"
        raise UserError("There is no {missing} here; the GPUs are: {there}.", missing=missing[0], there=there,
                        where="devices")  # fmt: skip
    return wanted


def name_of(device: str) -> str:
    """ "cpu", or the GPU's own name."""
    if device == CPU:
        return CPU
    import torch

    return f"{torch.cuda.get_device_name(device)}, {device}"[:100]


def release_memory() -> None:
    """Give back memory that no object holds any more. PyTorch would keep a GPU's memory while the process lives.

    A GPU that was not used is left alone: a context would take some hundred megabytes of it.
    """
    gc.collect()
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_initialized():
        torch.cuda.empty_cache()


# The directions of a study that a model serves: those that it was trained for, or those of its kind.


def directions_for(
    kind: Transfer, checkpoint: Checkpoint | None, study: Study, direction: Direction | None
) -> list[Direction]:
    """The direction, or all of the study's that the model serves; a UserError where it serves not this one, or none."""
    directions = [direction] if direction else list(study.directions.all())
    if not directions:
        raise UserError("The study has no direction of transfer yet.", where="direction")
    served = [one for one in directions if serves(kind, checkpoint, one)]
    some_will_do = checkpoint is not None and direction is None
    if served == directions or (served and some_will_do):
        return served
    first = next(one for one in directions if one not in served)
    if checkpoint and checkpoint.directions:
        names = ", ".join(f"{source} to {target}" for source, target in checkpoint.directions)
        raise UserError(
            "{name} does not go from {source_style} to {target_style}; it serves {names}.",
            name=checkpoint.name,
            source_style=first.source_style,
            target_style=first.target_style,
            names=names,
            where="direction",
        )
    raise kind.refuse(first.source_style, first.target_style)


def serves(kind: Transfer, checkpoint: Checkpoint | None, direction: Direction) -> bool:
    """Whether the model has this direction, case aside."""
    styles = direction.source_style.casefold(), direction.target_style.casefold()
    trained = [(source.casefold(), target.casefold()) for source, target in checkpoint.directions] if checkpoint else []
    return styles in trained if trained else kind.serves(*styles)


# The models of a study that can rewrite a text: models that need no training, and its checkpoints.

BEFORE = "checkpoint-"


@dataclass(frozen=True)
class Candidate:
    """A model that is ready. Its `key` stands in forms and addresses: a kind's name, or 'checkpoint-12'."""

    model: str
    checkpoint: Checkpoint | None = None

    @property
    def kind(self) -> Transfer:
        return TRANSFERS[self.model]

    @property
    def key(self) -> str:
        return f"{BEFORE}{self.checkpoint.pk}" if self.checkpoint else self.model

    @property
    def label(self) -> str:
        return f"{self.checkpoint.name} · {_(self.kind.label)}" if self.checkpoint else _(self.kind.label)

    @property
    def name(self) -> str:
        """The name of its system, and the heading of its answer."""
        return self.checkpoint.name if self.checkpoint else _(self.kind.label)

    def serves(self, direction: Direction) -> bool:
        return serves(self.kind, self.checkpoint, direction)


def untrained() -> list[Candidate]:
    """The models that need neither training nor anything that this machine lacks."""
    return [
        Candidate(name) for name, kind in TRANSFERS.items() if kind.needs == "nothing" and not kind.why_unavailable()
    ]


def candidates_of(study: Study) -> list[Candidate]:
    """The study's checkpoints, newest first (no states that trainings resume from), then models without training."""
    return [*_checkpoints(study), *untrained()]


def serving(study: Study) -> list[Candidate]:
    """Those of them that serve a direction of the study: the others could only be refused."""
    directions = list(study.directions.all())
    return [one for one in candidates_of(study) if not directions or any(map(one.serves, directions))]


def _checkpoints(study: Study) -> Iterator[Candidate]:
    known = set(TRANSFERS.names())
    for checkpoint in study.checkpoints.exclude(kind=Checkpoint.Kind.LAST):
        if checkpoint.model in known:
            yield Candidate(checkpoint.model, checkpoint)


# A trained model of a study before it is loaded: that of a checkpoint, or the one that a training will have made.


LONGEST_ORIGIN = 200


class Trained(NamedTuple):
    """A trained model: its kind's name, the options and the seed, and its origin in words."""

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
        if checkpoint.kind == Checkpoint.Kind.LAST:
            raise UserError(
                "{name} holds the state of a training that can go on: run the best checkpoint of that training.",
                name=checkpoint.name, where="checkpoint",
            )  # fmt: skip
        seed = checkpoint.manifest["trained"].get("seed")
        known = seed if type(seed) is int and 0 <= seed < 2**31 else None
        origin = f"model {checkpoint.model}, checkpoint {checkpoint.sha256[:12]}"
        origin += _machine_made(checkpoint.manifest["trained"].get("silver"))
        return Trained(checkpoint.model, checkpoint.manifest["options"], known, origin[:LONGEST_ORIGIN])
    if training is not None:
        if training.study_id != study.pk:
            raise UserError("The training is another study's.", where="training")
        origin = f"model {training.model}, {training.name}{_machine_made(training.silver)}"
        return Trained(training.model, training.options, training.seed, origin[:LONGEST_ORIGIN])
    return None


def _machine_made(silver: Any) -> str:
    """Words for the origin of a system, if its model was trained on another system's outputs."""
    return f", trained on outputs of {silver['system']}" if isinstance(silver, dict) and silver.get("system") else ""


def check_styles(training: TrainingRun, direction: Direction | None) -> None:
    """A model of pairs serves the direction that it is trained for, one of two styles both."""
    if direction is None:
        return
    styles = [direction.source_style, direction.target_style]
    if training.direction_id not in (None, direction.pk) or set(styles) != set(training.styles):
        raise UserError(
            "{name} is not trained from {styles}.", name=training.name, styles=" to ".join(styles), where="direction"
        )
