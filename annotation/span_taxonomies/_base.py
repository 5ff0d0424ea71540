"""The parts of a taxonomy of spans."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from foundation.papers import Paper

Side = Literal["source", "output"]
SIDES: tuple[Side, ...] = ("source", "output")


@dataclass(frozen=True)
class Kind:
    """A kind of error or edit. `name` is its path, as MQM writes it: "Accuracy/Omission".

    `sides` are the texts on which it is marked: what is missing can be marked on the source alone.
    """

    name: str
    sides: tuple[Side, ...] = ("output",)

    @property
    def label(self) -> str:
        return self.name.rpartition("/")[2]

    @property
    def group(self) -> str:
        return self.name.rpartition("/")[0]


@dataclass(frozen=True)
class Severity:
    """A step of severity, or of efficacy where an edit helps; from the least to the most."""

    name: str
    label: str


@dataclass(frozen=True)
class Taxonomy:
    """The kinds and severities that a mark may have; a taxonomy without kinds asks for the severity alone.

    `weights` say what a mark costs, by severity or by "severity/kind": the most specific one counts, as in
    mt-metrics-eval's `score_mqm`. Without weights the marks have no score.
    """

    label: str
    kinds: tuple[Kind, ...] = ()
    severities: tuple[Severity, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    paper: Paper | None = None

    @property
    def sides(self) -> tuple[Side, ...]:
        """The texts on which something can be marked."""
        return tuple(side for side in SIDES if not self.kinds or any(side in kind.sides for kind in self.kinds))

    @property
    def words(self) -> list[str]:
        """The words that people read: of kinds, of their groups and of severities."""
        kinds = (word for kind in self.kinds for word in (kind.label, kind.group) if word)
        return list(dict.fromkeys([*kinds, *(severity.label for severity in self.severities)]))

    def cost(self, mark: Mapping[str, Any]) -> float:
        """The cost of a mark by its most specific weight; 0 where no weight names it."""
        path = [mark["severity"], *str(mark["kind"]).split("/")]
        keys = ("/".join(path[:length]) for length in range(len(path), 0, -1))
        return next((self.weights[key] for key in keys if key in self.weights), 0)

    def score(self, marks: Iterable[Mapping[str, Any]]) -> float:
        """The score of a text with these marks: minus the sum of what they cost, 0 for a text without a mark."""
        return 0.0 - sum(map(self.cost, marks))
