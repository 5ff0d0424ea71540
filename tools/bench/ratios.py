"""Two commits' figures beside each other: ratios with their spread over the rounds, and what became worse."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from tools.bench.figures import FASTER

TOLERATED = 1.05  # beyond it something is slower or larger


@dataclass
class Pair:
    """A figure of both commits, a number a round; `missing` says why the older one has none."""

    name: str
    unit: str = ""
    old: list[float] = field(default_factory=list)
    new: list[float] = field(default_factory=list)
    missing: str = ""

    @property
    def ratios(self) -> list[float]:
        """New by old, round by round; in every unit more than 1 is worse."""
        pairs = [(old, new) for old, new in zip(self.old, self.new, strict=False) if old > 0 and new > 0]
        return [old / new if self.unit.endswith(FASTER) else new / old for old, new in pairs]

    @property
    def worse(self) -> bool:
        """Whether every round says so: noise is in one direction and in the other."""
        return bool(self.ratios) and min(self.ratios) > TOLERATED


HEAD = ("", "unit", "old", "new", "worse if over 1")


def row(pair: Pair) -> list[str]:
    """The cells of a figure."""
    if pair.missing:
        return [pair.name, "", "", "", f"not comparable: {pair.missing}"]
    if not pair.old or not pair.new:
        return [pair.name, pair.unit, spread(pair.old), spread(pair.new), "one side only"]
    return [pair.name, pair.unit, spread(pair.old), spread(pair.new), spread(pair.ratios)]


def spread(values: Sequence[float]) -> str:
    """The median, with the least and the most where they are not the same."""
    if not values:
        return "-"
    middle, least, most = (number(value) for value in (median(values), min(values), max(values)))
    return middle if least == most else f"{middle} ({least}..{most})"


def number(value: float) -> str:
    """Three digits that say something."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
