"""A comparison read as a whole, unit by unit: what pages of pairs, which read only their own, are held to."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from evaluation.system_comparison import (
    Comparison,
    Measure,
    OutputPair,
    number_or_none,
    outcome_mask,
    sorted_units,
)


def pair_of(comparison: Comparison, unit: int) -> OutputPair:
    units, rows = comparison.snapshot.units, [comparison.snapshot.systems[place] for place in comparison.places]
    return OutputPair(
        unit + 1, unit, units.sources[unit], units.references[unit],
        (rows[0].outputs[unit] or "", rows[1].outputs[unit] or ""),
    )  # fmt: skip


def measure_of(comparison: Comparison, key: str) -> Measure:
    return next(measure for measure in comparison.measures if measure.key == key)


def chosen_units(comparison: Comparison, asked: Mapping[str, str]) -> list[int]:
    """The units that are asked for, in the order that is asked for; those without a value last.

    `search` are words that source, references or outputs hold; with `differing` only outputs that differ. `by` is the
    key of a measure, by whose `of` units are sorted; `outcome` keeps those that the first or the second wins by it.
    """
    inside = comparison.shared.copy()
    if asked.get("differing"):
        inside &= ~comparison.same
    measure = measure_of(comparison, asked["by"]) if asked.get("by") else None
    if asked.get("outcome"):
        inside &= outcome_mask(measure, asked["outcome"])
    words = asked.get("search", "").casefold().split()
    units = [int(unit) for unit in np.flatnonzero(inside) if pair_of(comparison, int(unit)).holds(words)]
    return units if measure is None else sorted_units(measure, units, asked)


@dataclass(frozen=True)
class Given:
    """A measure's values of both outputs of a pair; for judgements also each rater's value of either."""

    measure: Measure
    values: tuple[float | None, float | None]
    difference: float | None
    better: int | None
    judgements: tuple[list[tuple[int, float]], list[tuple[int, float]]]


def as_given(comparison: Comparison, measure: Measure, unit: int) -> Given:
    first, second = (number_or_none(values[unit]) for values in measure.values)
    difference = number_or_none(measure.difference[unit])
    won = None if not difference or measure.better is None else int((difference > 0) != measure.better)
    judged = _judgements(comparison, measure, unit) if measure.judged else ([], [])
    return Given(measure, (first, second), difference, won, judged)


def _judgements(
    comparison: Comparison, measure: Measure, unit: int
) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
    judged = comparison.snapshot.judgements[comparison.snapshot.variant][measure.key.partition(":")[2]]
    first, second = (
        [
            (int(judged.rater[at]) + 1, float(judged.value[at]))
            for at in np.flatnonzero(judged.unit == unit)
            if judged.system[at] == place
        ]
        for place in comparison.places
    )
    return first, second
