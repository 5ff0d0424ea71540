"""What was measured of inter-annotator agreement, and its form as JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Value:
    """A measure over n items: the mean (or the corpus score), and the lowest and the highest of the items."""

    mean: float
    low: float
    high: float
    n: int


@dataclass(frozen=True)
class Pair:
    """Two people and their measures by name; `a` is the reference of the two, with more experience."""

    a: int
    b: int
    n: int
    values: dict[str, Value]


@dataclass(frozen=True)
class Alpha:
    """Krippendorff's alpha of all people together with its 95% interval; `why` there is none."""

    name: str
    level: str
    value: float | None
    raters: int
    units: int
    why: str = ""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Agreement:
    """`people` are (key, name, answers), the most experienced first, who is the reference.

    `measures` are (name, label). `drawn` is how many of `compared` pairs of texts were looked at.
    """

    people: list[tuple[int, str, int]] = field(default_factory=list)
    measures: list[tuple[str, str]] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    alphas: list[Alpha] = field(default_factory=list)
    compared: int = 0
    drawn: int = 0

    def against_reference(self) -> dict[str, Value]:
        """By measure the lowest and the highest of the people's means beside the reference, as PLABA reports them."""
        own = [pair for pair in self.pairs if self.people and pair.a == self.people[0][0]]
        values = {name: [pair.values[name] for pair in own if name in pair.values] for name, _ in self.measures}
        return {name: value_range(measured) for name, measured in values.items() if measured}

    def json(self) -> dict[str, Any]:
        reference = {name: asdict(value) for name, value in self.against_reference().items()}
        return {**asdict(self), "against_reference": reference}

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> "Agreement":
        """What `json` wrote."""
        pairs = [
            Pair(pair["a"], pair["b"], pair["n"], {name: Value(**value) for name, value in pair["values"].items()})
            for pair in stored["pairs"]
        ]
        people = [(person[0], person[1], person[2]) for person in stored["people"]]
        measures = [(measure[0], measure[1]) for measure in stored["measures"]]
        alphas = [Alpha(**alpha) for alpha in stored["alphas"]]
        return cls(people, measures, pairs, alphas, stored["compared"], stored["drawn"])


def value_range(values: Sequence[Value]) -> Value:
    """The lowest and the highest mean, and the mean of all items."""
    n = sum(value.n for value in values)
    means = [value.mean for value in values]
    return Value(sum(value.mean * value.n for value in values) / n, min(means), max(means), n)
