"""Two systems of a study compared output by output, over the sentences that both have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from corpora.models import Study
from evaluation.aggregation.system_sums import Mask
from evaluation.snapshot.study import StudySnapshot
from evaluation.snapshot.systems import SystemRow
from evaluation.system_comparison.comparison_snapshot import comparison_snapshot
from evaluation.system_comparison.head_to_head import OUTCOMES, HeadToHead, head_to_head, outcome_masks
from evaluation.system_comparison.measures import Measure, left_out, measures_of
from foundation.errors import UserError
from foundation.text_keys import text_key

ORDERS = ("difference", "first", "second")


@dataclass(frozen=True)
class OutputPair:
    """Both systems' outputs for a unit, whose `number` is its place in the split, from 1."""

    number: int
    unit: int
    source: str
    references: Sequence[str]
    outputs: tuple[str, str]


@dataclass(frozen=True)
class Comparison:
    """Two systems, the units that both have an output for, and the measures that both have.

    `alone` is how many units only one of them has an output for, `same` in how many both wrote the same text.
    """

    snapshot: StudySnapshot
    names: tuple[str, str]
    places: tuple[int, int]
    shared: Mask
    alone: tuple[int, int]
    same: Mask
    measures: Sequence[Measure]
    left_out: Sequence[str]

    @property
    def split(self) -> str:
        """The split that it is about; "" for all units."""
        return self.snapshot.split

    @property
    def shared_count(self) -> int:
        return int(self.shared.sum())

    @property
    def same_count(self) -> int:
        return int(self.same.sum())

    def summary(self) -> list[HeadToHead]:
        return head_to_head(self.snapshot, self.measures)

    def measure(self, key: str) -> Measure:
        """The measure of a key. UserError where the two are not compared by it."""
        for measure in self.measures:
            if measure.key == key:
                return measure
        raise UserError("The two systems are not compared by this measure.", where="by")

    def pair(self, unit: int) -> OutputPair:
        units, rows = self.snapshot.units, [self.snapshot.systems[place] for place in self.places]
        return OutputPair(
            unit + 1, unit, units.sources[unit], units.references[unit],
            (rows[0].outputs[unit] or "", rows[1].outputs[unit] or ""),
        )  # fmt: skip

    def given(self, measure: Measure, unit: int) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
        """What raters said of either output, as (the rater's number, value): a report names nobody."""
        judged = self.snapshot.judgements[self.snapshot.variant][measure.key.partition(":")[2]]
        here = np.flatnonzero(judged.unit == unit)
        first, second = (
            [(int(judged.rater[at]) + 1, float(judged.value[at])) for at in here if judged.system[at] == place]
            for place in self.places
        )
        return first, second


def compare_systems(study: Study, first: str, second: str, split: str = "", direction: str = "") -> Comparison:
    """Two systems of a study.

    Args:
        study: The study.
        first: The name of the one system.
        second: That of the other.
        split: A split, "all", or "" for the one that the report is about.
        direction: The place of a direction; "" for all of them.

    Raises:
        UserError: One of them is no system of the study, both are the same, or there is no such split or direction.
    """
    if first == second:
        raise UserError("These are one system: choose two different ones.", where="second")
    snapshot = comparison_snapshot(study, split)
    places = _place(snapshot.systems, first, "first"), _place(snapshot.systems, second, "second")
    where = _of_direction(snapshot, direction)
    has = [
        np.array([text is not None for text in snapshot.systems[place].outputs], dtype=bool) & where for place in places
    ]
    shared = has[0] & has[1]
    measures = measures_of(snapshot, *places, shared)
    alone = int((has[0] & ~shared).sum()), int((has[1] & ~shared).sum())
    return Comparison(
        snapshot, (first, second), places, shared, alone, _same(snapshot, places, shared), measures,
        left_out(snapshot, measures),
    )  # fmt: skip


def chosen_units(comparison: Comparison, asked: Mapping[str, str]) -> list[int]:
    """The units that are asked for, in the order that is asked for.

    Args:
        comparison: The two systems.
        asked: `search` are words that source, references or outputs hold; with `differing` only outputs that differ.
            `by` is the key of a measure, by whose `of` (difference, first, second) units are sorted, the `highest`
            `order` first; `outcome` keeps those that the first or the second wins by it, or neither.

    Returns:
        Places of units; those without a value last.

    Raises:
        UserError: Something that is asked for is not there.
    """
    inside = comparison.shared.copy()
    if asked.get("differing"):
        inside &= ~comparison.same
    by = asked.get("by", "")
    measure = comparison.measure(by) if by else None
    if asked.get("outcome"):
        inside &= _outcome(measure, asked["outcome"])
    units = [int(unit) for unit in np.flatnonzero(inside) if _holds(comparison, int(unit), asked.get("search", ""))]
    return units if measure is None else _sorted(measure, units, asked)


def _outcome(measure: Measure | None, outcome: str) -> Mask:
    if measure is None or outcome not in OUTCOMES:
        raise UserError("Name a measure, and one of {outcomes}.", outcomes=", ".join(OUTCOMES), where="outcome")
    return outcome_masks(measure)[OUTCOMES.index(outcome)]


def _holds(comparison: Comparison, unit: int, search: str) -> bool:
    """Whether the texts of a unit hold all words of a search."""
    words = search.casefold().split()
    if not words:
        return True
    pair = comparison.pair(unit)
    said = "\n".join([pair.source, *pair.references, *pair.outputs]).casefold()
    return all(word in said for word in words)


def _sorted(measure: Measure, units: list[int], asked: Mapping[str, str]) -> list[int]:
    of = asked.get("of") or "difference"
    if of not in ORDERS:
        raise UserError("Expected one of {orders}.", orders=", ".join(ORDERS), where="of")
    values = measure.difference if of == "difference" else measure.values[of == "second"]
    sign = -1 if asked.get("order", "highest") == "highest" else 1
    return sorted(units, key=lambda unit: (bool(np.isnan(values[unit])), sign * np.nan_to_num(values[unit]), unit))


def _place(systems: Sequence[SystemRow], name: str, where: str) -> int:
    names = [row.name for row in systems if row.role == "system"]
    if name not in names:
        raise UserError("There is no system '{name}'.", name=name[:100], where=where)
    return names.index(name)


def _of_direction(snapshot: StudySnapshot, direction: str) -> Mask:
    if not direction:
        return np.ones(len(snapshot.units.ids), dtype=bool)
    if not direction.isdecimal() or int(direction) not in range(len(snapshot.units.directions)):
        raise UserError("There is no such direction.", where="direction")
    return np.asarray(snapshot.units.direction == int(direction), dtype=bool)


def _same(snapshot: StudySnapshot, places: tuple[int, int], shared: Mask) -> Mask:
    first, second = (snapshot.systems[place].outputs for place in places)
    equal = [
        bool(here) and text_key(a or "") == text_key(b or "")
        for a, b, here in zip(first, second, shared.tolist(), strict=True)
    ]
    return np.array(equal, dtype=bool)
