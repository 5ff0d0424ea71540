"""Systems in order by a criterion, a metric or a Combined: over the same units, by settled numbers.

The number shown for a system is over all its outputs. The order and the mark of the best are over the units that all
ranked systems have (`over_common_units`). If that would leave out half of the systems or more, each two are compared
over the units that both have (`values_by_pairs`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evaluation.aggregation import judgement_sums, score_sums
from evaluation.comparability.better_ends import better_in
from evaluation.comparability.gyafc_combined import by_metrics, by_people, criteria_of, metrics_of
from evaluation.comparability.incomplete_design import values_by_pairs
from evaluation.comparability.joint_scores import joint_sums, judged_on_all
from evaluation.numerics import FEWEST
from evaluation.resampling import SufficientStatistics
from evaluation.snapshot import CriterionJudgements, JointScore, StudySnapshot

# Which systems are ranked together, and over which units: those that all of them have.
#
# A system that lacks a few outputs is ranked with the others over what all have; one that would take away more than a
# tenth of the units stays outside, with its own number and a word that it is not ranked.

Mask = NDArray[np.bool_]
LEAST = 0.9
"""The share of the units of all ranked systems that each of them has."""


@dataclass(frozen=True)
class CommonUnits:
    """Systems by place: those `ranked`, over the units of `where`, and those `outside`.

    Each of `outside` has its number of the ranked systems' units, and their number.
    """

    ranked: tuple[int, ...]
    where: Mask
    outside: Mapping[int, tuple[int, int]]


def over_common_units(present: Mask, competing: Sequence[int]) -> CommonUnits:
    """Decide over which units systems are ranked, and which systems are.

    While some system has less than nine tenths of the units of all that are still in, one leaves: the one without which
    the others share most of their units, among equals the one with the fewest. A last system is ranked only if no other
    competes.

    Args:
        present: bool (n_systems, n_units), the units of each system.
        competing: The places of the systems that compete.

    Returns:
        The ranked systems, the units that all of them have (n_units,), and the units of each other system.
    """
    inside = [place for place in competing if present[place].any()]
    alone = len(inside) == 1
    while len(inside) > 1 and shares(present[inside]).min() < LEAST:
        inside.remove(_leaving(present, inside))
    if len(inside) == 1 and not alone:
        inside = []
    where: Mask = np.asarray(present[inside].all(axis=0)) if inside else np.zeros(present.shape[1], dtype=bool)
    if not where.any():
        inside = []
    union = present[inside or list(competing)].any(axis=0)
    outside = {
        place: (int((present[place] & union).sum()), int(union.sum())) for place in competing if place not in inside
    }
    return CommonUnits(tuple(inside), where, outside)


def shares(present: Mask) -> NDArray[np.float64]:
    """The share that each system has of the units of all of them."""
    every = present.any(axis=0).sum()
    shared: NDArray[np.float64] = present.sum(axis=1) / max(every, 1)
    return shared


def _leaving(present: Mask, inside: Sequence[int]) -> int:
    def left(place: int) -> tuple[float, int, int]:
        rest = [other for other in inside if other != place]
        return (round(float(shares(present[rest]).sum()), 9), -int(present[place].sum()), place)

    return max(inside, key=left)


Sums = Sequence[SufficientStatistics | None]
DIGITS = 10
UNRANKED = "not ranked: {has} of {of}"
BY_PAIRS = (
    "Systems have different {units}, so each two are compared over those that both have; the order is by the values "
    "that fit these differences best (least squares). A number is over all that its system has."
)
NO_ORDER = (
    "No order: the systems share too few {units}. Give all systems the same ones, or to each two at least {fewest} "
    "that both have."
)
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
    snapshot: StudySnapshot, judged: CriterionJudgements, where: Mask | None = None, direction: int | None = None
) -> SystemRanking:
    """Rank systems by people's judgements.

    Args:
        snapshot: The study.
        judged: The criterion's judgements.
        where: bool (n_units,), the units; None for all.
        direction: The place of the direction that says which end is better; None for the criterion's own.

    Returns:
        The ranking, over the units that all ranked systems have.
    """
    better = better_in(snapshot, judged, direction)
    return _ranking(
        snapshot, _judged(snapshot, judged), where, better, judgement_sums(snapshot, judged, where),
        lambda over: judgement_sums(snapshot, judged, over),
    )  # fmt: skip


def by_metric(
    snapshot: StudySnapshot, key: str, where: Mask | None = None, direction: int | None = None
) -> SystemRanking:
    """Rank systems by a metric.

    Args:
        snapshot: The study.
        key: A key of the snapshot's scores.
        where: bool (n_units,), the units; None for all.
        direction: The place of the direction that says which end is better; None for the scores' own.

    Returns:
        The ranking, over the units that all ranked systems have.
    """
    better = better_in(snapshot, key, direction)
    ranking = _ranking(
        snapshot,
        _scored(snapshot, key),
        where,
        better,
        score_sums(snapshot, key, where),
        lambda over: score_sums(snapshot, key, over),
    )
    if where is not None or ranking.note:
        return ranking
    corpus = {place: scored.corpus for place, scored in enumerate(snapshot.scores[key]) if scored is not None}
    values = {
        place: round_for_ranking(corpus[place] or 0.0) for place in ranking.values
    }  # the score itself, as it is kept
    return replace(ranking, values=values, places=_places(values, better))


def by_combined(snapshot: StudySnapshot, of: str, where: Mask | None = None) -> SystemRanking:
    """Rank systems by GYAFC's Combined; a unit counts where all three of its parts are.

    Args:
        snapshot: The study.
        of: "human" or "metrics".
        where: bool (n_units,), the units; None for all.

    Returns:
        The ranking, over the units that all ranked systems have.
    """
    sums_over = by_people if of == "human" else by_metrics
    if of == "human":
        parts = [[_judged(snapshot, criterion) for criterion in criteria] for criteria in criteria_of(snapshot)]
    else:
        parts = [[_scored(snapshot, key) for key in keys] for keys in metrics_of(snapshot)]
    present = np.logical_and.reduce([np.logical_or.reduce(part) for part in parts])
    return _ranking(snapshot, present, where, True, sums_over(snapshot, where), lambda over: sums_over(snapshot, over))


def by_joint_score(snapshot: StudySnapshot, joint: JointScore, where: Mask | None = None) -> SystemRanking:
    """Rank systems by a joint score that is defined; a unit counts where all of its criteria are judged.

    Args:
        snapshot: The study.
        joint: The score.
        where: bool (n_units,), the units; None for all.

    Returns:
        The ranking, over the units that all ranked systems have.
    """
    return _ranking(
        snapshot, judged_on_all(snapshot, joint), where, True, joint_sums(snapshot, joint, where),
        lambda over: joint_sums(snapshot, joint, over),
    )  # fmt: skip


def round_for_ranking(value: float) -> float:
    """Without the last digits, which depend on the order of a sum."""
    return float(f"{value:.{DIGITS}g}")


def _judged(snapshot: StudySnapshot, judged: CriterionJudgements) -> Mask:
    """Whether each system was judged at each unit, (n_systems, n_units): a doubled source counts at all its units."""
    present = np.zeros((len(snapshot.systems), len(snapshot.units.ids)), dtype=bool)
    present[judged.system, snapshot.units.home[judged.unit]] = True
    return present[:, snapshot.units.home]


def _scored(snapshot: StudySnapshot, key: str) -> Mask:
    nothing = np.zeros(len(snapshot.units.ids), dtype=bool)
    present = [nothing if scored is None or scored.corpus is None else scored.there for scored in snapshot.scores[key]]
    return np.array(present).reshape(len(snapshot.systems), len(snapshot.units.ids))


def _ranking(
    snapshot: StudySnapshot,
    present: Mask,
    where: Mask | None,
    better: bool | None,
    column: Sums,
    over: Callable[[Mask], Sums],
) -> SystemRanking:
    inside = present if where is None else present & where
    competing = [
        place
        for place, row in enumerate(snapshot.systems)
        if row.role == "system" and (system_sums := column[place]) is not None and np.isfinite(_value(system_sums))
    ]
    common = over_common_units(inside, competing)
    if len(competing) > 1 and 2 * len(common.ranked) <= len(competing):
        by_pairs = values_by_pairs(column, competing)
        if len(by_pairs) > len(common.ranked):
            return _by_pairs(snapshot, inside, competing, by_pairs, better)
        if not common.ranked:
            note = NO_ORDER.format(units=_units(snapshot), fewest=FEWEST)
            return SystemRanking({}, {}, _outside(common.outside), note)
    same = all((inside[place] == common.where).all() for place in common.ranked)
    sums = column if same else over(common.where)
    known = {place: system_sums for place in common.ranked if (system_sums := sums[place]) is not None}
    values = {
        place: value
        for place, system_sums in known.items()
        if np.isfinite(value := round_for_ranking(_value(system_sums)))
    }
    note = "" if same else OVER.format(n=f"{int(common.where.sum()):,}", units=_units(snapshot))
    return SystemRanking(values, _places(values, better), _outside(common.outside), note)


def _by_pairs(
    snapshot: StudySnapshot, inside: Mask, competing: Sequence[int], fitted: Mapping[int, float], better: bool | None
) -> SystemRanking:
    values = {place: round_for_ranking(value) for place, value in fitted.items()}
    union = inside[list(values)].any(axis=0)
    outside = {
        place: (int((inside[place] & union).sum()), int(union.sum())) for place in competing if place not in values
    }
    note = BY_PAIRS.format(units=_units(snapshot))
    return SystemRanking(values, _places(values, better), _outside(outside), note)


def _value(sums: SufficientStatistics) -> float:
    return float(sums.value_of(sums.rows.sum(axis=0)))


def _places(values: Mapping[int, float], better: bool | None) -> dict[int, int]:
    """None has a place where neither end is the better one."""
    if better is None:
        return {}
    above = {
        place: sum(other > value if better else other < value for other in values.values())
        for place, value in values.items()
    }
    return {place: 1 + n for place, n in above.items()}


def _outside(outside: Mapping[int, tuple[int, int]]) -> dict[int, str]:
    return {place: UNRANKED.format(has=has, of=of) for place, (has, of) in outside.items()}


def _units(snapshot: StudySnapshot) -> str:
    return "sentences" if snapshot.unit == "sentence" else "documents"
