"""Systems in order by a criterion, a metric or a Combined: over the same units, by settled numbers.

What is shown of a system is over all its outputs; what orders systems and marks the best is over the units that all of
the ranked ones have (`over_common_units`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evaluation.aggregation.system_sums import rated, scored
from evaluation.comparability.better_ends import better_in
from evaluation.comparability.common_units import CommonUnits, Mask, over_common_units
from evaluation.comparability.gyafc_combined import by_metrics, by_people, criteria_of, metrics_of
from evaluation.resampling.sufficient_statistics import SufficientStatistics
from evaluation.snapshot.judgements import CriterionJudgements
from evaluation.snapshot.study import StudySnapshot

Sums = Sequence[SufficientStatistics | None]
DIGITS = 10
UNRANKED = "not ranked: {has} of {of}"
OVER = "Order and best are over the {n} {units} that all ranked systems have; a number is over all that its system has."


@dataclass(frozen=True)
class SystemRanking:
    """By a system's place: its number over what all have, its `places` (1 the best, equal ones share it), and of those
    `outside` why they are not ranked. `note` says over what, where it is not all that each has."""

    values: Mapping[int, float]
    places: Mapping[int, int]
    outside: Mapping[int, str]
    note: str = ""


def by_criterion(
    record: StudySnapshot, judged: CriterionJudgements, where: Mask | None = None, direction: int | None = None
) -> SystemRanking:
    """By what people said."""
    better = better_in(record, judged, direction)
    return _ranking(
        record, _judged(record, judged), where, better, rated(record, judged, where),
        lambda over: rated(record, judged, over),
    )  # fmt: skip


def by_metric(
    record: StudySnapshot, key: str, where: Mask | None = None, direction: int | None = None
) -> SystemRanking:
    """By a key of the record's scores."""
    better = better_in(record, key, direction)
    found = _ranking(
        record, _scored(record, key), where, better, scored(record, key, where), lambda over: scored(record, key, over)
    )
    if where is not None or found.note:
        return found
    corpus = {place: one.corpus for place, one in enumerate(record.scores[key]) if one is not None}
    values = {
        place: round_for_ranking(corpus[place] or 0.0) for place in found.values
    }  # the score itself, as it is kept
    return replace(found, values=values, places=_places(values, better))


def by_combined(record: StudySnapshot, of: str, where: Mask | None = None) -> SystemRanking:
    """Of "human" or "metrics"; a unit counts where all three of its parts are."""
    made = by_people if of == "human" else by_metrics
    if of == "human":
        parts = [[_judged(record, criterion) for criterion in criteria] for criteria in criteria_of(record)]
    else:
        parts = [[_scored(record, key) for key in keys] for keys in metrics_of(record)]
    there = np.logical_and.reduce([np.logical_or.reduce(part) for part in parts])
    return _ranking(record, there, where, True, made(record, where), lambda over: made(record, over))


def round_for_ranking(value: float) -> float:
    """Without the last digits, which depend on the order of a sum."""
    return float(f"{value:.{DIGITS}g}")


def _judged(record: StudySnapshot, judged: CriterionJudgements) -> Mask:
    """What each system has, (systems, units): judgements of a source that stands twice are those of all its units."""
    found = np.zeros((len(record.systems), len(record.units.ids)), dtype=bool)
    found[judged.system, record.units.home[judged.unit]] = True
    return found[:, record.units.home]


def _scored(record: StudySnapshot, key: str) -> Mask:
    nothing = np.zeros(len(record.units.ids), dtype=bool)
    there = [nothing if one is None or one.corpus is None else one.there for one in record.scores[key]]
    return np.array(there).reshape(len(record.systems), -1)


def _ranking(
    record: StudySnapshot,
    there: Mask,
    where: Mask | None,
    better: bool | None,
    column: Sums,
    over: Callable[[Mask], Sums],
) -> SystemRanking:
    inside = there if where is None else there & where
    competing = [
        place
        for place, row in enumerate(record.systems)
        if row.role == "system" and (one := column[place]) is not None and np.isfinite(_value(one))
    ]
    found = over_common_units(inside, competing)
    same = all((inside[place] == found.where).all() for place in found.ranked)
    sums = column if same else over(found.where)
    known = {place: one for place in found.ranked if (one := sums[place]) is not None}
    values = {place: value for place, one in known.items() if np.isfinite(value := round_for_ranking(_value(one)))}
    return SystemRanking(values, _places(values, better), _outside(found), "" if same else _note(record, found))


def _value(one: SufficientStatistics) -> float:
    return float(one.value_of(one.rows.sum(axis=0)))


def _places(values: Mapping[int, float], better: bool | None) -> dict[int, int]:
    """None has a place where neither end is the better one."""
    if better is None:
        return {}
    above = {
        place: sum(other > value if better else other < value for other in values.values())
        for place, value in values.items()
    }
    return {place: 1 + n for place, n in above.items()}


def _outside(found: CommonUnits) -> dict[int, str]:
    return {place: UNRANKED.format(has=has, of=of) for place, (has, of) in found.outside.items()}


def _note(record: StudySnapshot, found: CommonUnits) -> str:
    return OVER.format(n=f"{int(found.where.sum()):,}", units=_units(record))


def _units(record: StudySnapshot) -> str:
    return "sentences" if record.unit == "sentence" else "documents"
