"""The models in a study file: trainings, and runs whose outputs are those of systems."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class TrainingSpec:
    """A model that is trained on the study; `direction` empty is the study's only one.

    `options` are the model's, beside those of the `preset`, `silver` those of machine-made pairs. With `seeds` it is
    trained once with each of them.
    """

    name: str
    model: str
    direction: str = ""
    seed: int = 1
    device: str = "auto"
    options: dict[str, Any] = field(default_factory=dict)
    preset: str = ""
    seeds: tuple[int, ...] = ()
    silver: dict[str, Any] = field(default_factory=dict)

    @property
    def trained(self) -> dict[str, int]:
        """The seed of each training by its name."""
        return named_by_seed(self.name, self.seeds) or {self.name: self.seed}


@dataclass(frozen=True)
class SweepSpec:
    """A search over the options of a model, with the arguments of `start_sweep`."""

    name: str
    model: str
    vary: dict[str, Any]
    search: str = "random"
    at_most: int = 20
    score: str = ""
    direction: str = ""
    seed: int = 1
    device: str = "auto"
    preset: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    silver: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class RunSpec:
    """A model that rewrites a split ("" all): that of a `training`, of a `checkpoint` file, or one that needs neither.

    `seeds` are those of the training; there is a system for each of them.
    """

    name: str
    training: str = ""
    model: str = ""
    checkpoint: str = ""
    direction: str = ""
    split: str = "test"
    decoding: Mapping[str, Any] = field(default_factory=dict)
    seeds: tuple[int, ...] = ()

    @property
    def systems(self) -> list[str]:
        """The names of the systems that it makes."""
        return list(named_by_seed(self.name, self.seeds)) or [self.name]


def named_by_seed(name: str, seeds: tuple[int, ...]) -> dict[str, int]:
    """'T5, seed 1' and so on, each with its seed."""
    return {f"{name}, seed {seed}": seed for seed in seeds}
