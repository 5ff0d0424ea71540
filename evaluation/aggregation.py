"""Numbers of systems summed over the sources of a snapshot, with intervals and marks of significance."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.metric_contract import Floats, Scores
from evaluation.numerics import Mean
from evaluation.resampling import SufficientStatistics
from evaluation.snapshot import CriterionJudgements, StudySnapshot
from evaluation.statistics import STATISTICS
from foundation.lazy_import import lazy_import

# Each number of a study as sums over sources, over all its units or a part of them.

special = lazy_import("scipy.special")

Mask = NDArray[np.bool_]
"""Of the study's n units those that are meant."""


def method(name: str) -> Any:
    """A statistic, with the call that its own kind has."""
    return STATISTICS[name]


def score_sums(snapshot: StudySnapshot, metric: str, where: Mask | None = None) -> list[SufficientStatistics | None]:
    """The sufficient statistics of each system's corpus score.

    Args:
        snapshot: the study.
        metric: a key of its `scores`.
        where: (n_units,) the units that count; None for all.

    Returns:
        One for each system, by its place; None where it has no score of these units.
    """
    return [_score_sums(snapshot, scored, where) for scored in snapshot.scores[metric]]


def _score_sums(snapshot: StudySnapshot, scored: Scores | None, where: Mask | None) -> SufficientStatistics | None:
    if scored is None or scored.corpus is None:
        return None
    inside = scored.there if where is None else scored.there & where
    if not inside.any():
        return None
    return SufficientStatistics(snapshot.units.home[inside], scored.sufficient_statistics[inside], scored.corpus_of)


@dataclass(frozen=True)
class Estimate:
    """A number of a system over some units, with its 95% interval; NaN and None where it has none."""

    value: float
    low: float | None
    high: float | None


def estimates(systems: Sequence[SufficientStatistics]) -> list[Estimate]:
    """The numbers of several systems, with 95% intervals by the jackknife over sources.

    The number is computed without each of its sources in turn, and the interval is Student's t: of a mean with a row a
    source it is the textbook's (Efron and Stein 1981, 'The jackknife estimate of variance'). It serves the many numbers
    over parts of a study, which so need no bootstrap.

    Args:
        systems: sufficient statistics, all of one metric or criterion.

    Returns:
        One for each system; without an interval where there are fewer than two sources, or a value is undefined.
    """
    if not systems:
        return []
    by_source = [_rows_by_source(sums) for sums in systems]
    totals = np.array([rows.sum(axis=0) for rows in by_source])
    left_out = [total - rows for total, rows in zip(totals, by_source, strict=True)]
    values = systems[0].value_of(np.vstack([totals, *left_out]))
    lengths = np.array([len(rows) for rows in by_source])
    without_one = np.split(values[len(systems) :], np.cumsum(lengths)[:-1])
    found = [Estimate(float(value), None, None) for value in values[: len(systems)]]
    for sources in np.unique(lengths[lengths > 1]):
        places = np.flatnonzero(lengths == sources)
        reaches = _reaches(np.array([without_one[place] for place in places]))
        for place, reach in zip(places, reaches.tolist(), strict=True):
            if np.isfinite(reach):
                value = found[place].value
                found[place] = Estimate(value, value - reach, value + reach)
    return found


def _rows_by_source(sums: SufficientStatistics) -> Floats:
    """Sums (n_sources, k), a row a source."""
    if (np.diff(sums.groups.astype(np.intp)) > 0).all():
        return sums.rows
    sources, places = np.unique(sums.groups, return_inverse=True)
    rows = np.zeros((len(sources), sums.rows.shape[1]))
    np.add.at(rows, places, sums.rows)
    return rows


def _reaches(without_one: Floats) -> Floats:
    """Half of each interval, from the values without each source (n_systems, n_sources); not finite without one."""
    sources = without_one.shape[1]
    with np.errstate(invalid="ignore"):  # of infinite values
        apart = without_one - without_one.mean(axis=1, keepdims=True)
    errors = np.sqrt((sources - 1) / sources * np.sum(apart**2, axis=1))
    return np.asarray(float(special.stdtrit(sources - 1, 0.975)) * errors)


def judgement_sums(
    snapshot: StudySnapshot, judged: CriterionJudgements, where: Mask | None = None
) -> list[SufficientStatistics | None]:
    """The parts of each system's human mean: the mean of the judgements of each unit, or of the ranks of a source.

    Each unit counts once, however many people judged it, as in WMT's tasks and mt-metrics-eval; where the study chose
    so, each judgement does.
    """
    systems = range(len(snapshot.systems))
    inside = np.ones(len(judged.unit), dtype=bool) if where is None else where[judged.unit]
    if judged.is_rank:
        homes, systems_at = snapshot.units.home[judged.unit[inside]], judged.system[inside]
        ranked = method("mean_rank").by_sentence(homes, judged.rater[inside], systems_at, judged.value[inside])
        return [_ranked(*ranked[place]) if place in ranked else None for place in systems]
    return [_rated(snapshot, judged, inside & (judged.system == place)) for place in systems]


def _ranked(sources: NDArray[np.generic], ranks: Floats) -> SufficientStatistics:
    return SufficientStatistics(sources, np.column_stack((ranks, np.ones(len(ranks)))), mean_of)


def _rated(snapshot: StudySnapshot, judged: CriterionJudgements, here: Mask) -> SufficientStatistics | None:
    if not here.any():
        return None
    units, places = np.unique(judged.unit[here], return_inverse=True)
    sums: Floats = np.asarray(np.bincount(places, judged.value[here]), dtype=np.float64)
    counts: Floats = np.bincount(places).astype(np.float64)
    if snapshot.averaging == "sentence":
        sums, counts = sums / counts, np.ones(len(units))
    if judged.weight is not None:
        weight = np.bincount(places, judged.weight[here]) / np.bincount(places)
        units, sums, counts = units[weight > 0], (sums * weight)[weight > 0], (counts * weight)[weight > 0]
        if not len(units):
            return None
    return SufficientStatistics(snapshot.units.home[units], np.column_stack((sums, counts)), mean_of)


def mean_of_judgements(snapshot: StudySnapshot, judged: CriterionJudgements, rows: NDArray[Any]) -> Mean:
    """The mean of some of a criterion's judgements with its interval: over sentences, or over judgements, as chosen."""
    units = judged.unit[rows]
    of = units if snapshot.averaging == "sentence" else None
    weights = None if judged.weight is None else judged.weight[rows]
    mean: Mean = method("mean_interval").mean(
        judged.value[rows], snapshot.units.home[units], judged.rater[rows], of, weights
    )
    return mean


def mean_of(sums: Floats) -> Floats:
    """Sums and numbers (..., 2) to means (...); NaN where there is none."""
    means: Floats = np.divide(sums[..., 0], sums[..., 1], out=np.full(sums.shape[:-1], np.nan), where=sums[..., 1] > 0)
    return means


# A star marks a difference whose p, after the correction that the study chose, is below its level.

NONE = "none"
TEST = "approximate_randomization"
"""By which systems are compared, wherever no human study planned another."""


def correct_p_values(snapshot: StudySnapshot, p: Sequence[float | None]) -> list[float | None]:
    """The p of one family of tests, such as a table's column."""
    return list(p) if snapshot.correction == NONE else list(method(snapshot.correction).adjust(p))


def significance_star(snapshot: StudySnapshot, p: float | None) -> str:
    """A star below the study's level."""
    return "*" if p is not None and p < snapshot.alpha else ""


def correction_of(snapshot: StudySnapshot) -> str:
    """'Holm'; nothing where p is not corrected."""
    return "" if snapshot.correction == NONE else str(method(snapshot.correction).label)
