"""Programs beside Restyle that show trainings; a file is one, and holds it as `SINK`. RESTYLE_SINKS names those in use.

They get curves and numbers alone: no text of a study, no prompt, no name that a person gave. So a study whose texts may
not leave the site may use them too.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from foundation.errors import UserError
from foundation.registry import Registry

VARIABLE = "RESTYLE_SINKS"


class Point(NamedTuple):
    """A point of a curve."""

    curve: str
    step: int
    value: float


@dataclass(frozen=True)
class Subject:
    """A training: `key` is its own on all machines, `name` says its model and number, `study` is the study's number.

    `numbers` are its options that are numbers, its seed and the counts of its data. A sink's own files go below
    `folder`. `begun` says that a worker before this one has reported.
    """

    key: str
    name: str
    model: str
    study: int
    folder: Path
    numbers: Mapping[str, float] = field(default_factory=dict)
    begun: bool = False


class Report(ABC):
    """A training's report to a program; each method may raise whatever its library raises."""

    @abstractmethod
    def points(self, points: Sequence[Point]) -> None:
        """Add points. After a training was resumed, points of steps that were reported before may come again."""

    @abstractmethod
    def end(self, results: Mapping[str, float], *, done: bool) -> None:
        """Add the results and close. A training that is not `done` was stopped, or goes on elsewhere."""


class Sink(ABC):
    """A program that shows trainings, by its Python library, which is loaded by `begin` alone."""

    program: ClassVar[str]
    library: ClassVar[str]

    @abstractmethod
    def begin(self, subject: Subject) -> Report:
        """Begin, or go on with, the report of a training."""

    def why_unavailable(self) -> str:
        """A sentence where the library is missing; "" where it is there."""
        if find_spec(self.library):
            return ""
        return f"{VARIABLE} names {self.program}, whose library this worker lacks: pip install {self.library}."


SINKS = Registry[Sink]("sink of curves", "modelserving.sinks", Path(__file__).parent, attribute="SINK")


def sinks_named(named: Sequence[str]) -> list[Sink]:
    """The sinks of these names; a UserError where one does not exist or lacks its library."""
    found = [SINKS[name.strip()] for name in named if name.strip()]
    for sink in found:
        if why := sink.why_unavailable():
            raise UserError(why)
    return found


def numbers_of(options: Mapping[str, Any]) -> dict[str, float]:
    """The options that are numbers or switches: a text may be anybody's."""
    return {name: value for name, value in options.items() if isinstance(value, int | float)}
