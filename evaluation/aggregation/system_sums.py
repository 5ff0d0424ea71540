"""Each number of a study as sums over sources, over all its units or a part of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.resampling.sufficient_statistics import SufficientStatistics
from evaluation.snapshot.arrays import Floats
from evaluation.snapshot.judgements import RANK, CriterionJudgements
from evaluation.snapshot.study import StudySnapshot
from evaluation.snapshot.systems import ScoredOutputs
from evaluation.statistics import STATISTICS
from foundation.lazy_import import lazy_import

special = lazy_import("scipy.special")

Mask = NDArray[np.bool_]
"""Of the study's n units those that are meant."""


def method(name: str) -> Any:
    """A statistic, with the call that its own kind has."""
    return STATISTICS[name]


def score_sums(snapshot: StudySnapshot, metric: str, where: Mask | None = None) -> list[SufficientStatistics | None]:
    """What each system's corpus score is made of."""
    return [_scored(snapshot, one, where) for one in snapshot.scores[metric]]


def _scored(snapshot: StudySnapshot, one: ScoredOutputs | None, where: Mask | None) -> SufficientStatistics | None:
    if one is None or one.corpus is None:
        return None
    there = one.there if where is None else one.there & where
    return SufficientStatistics(snapshot.units.home[there], one.rows[there], one.corpus_of) if there.any() else None


@dataclass(frozen=True)
class Estimate:
    """A number of a system over some units, with its 95% interval; NaN and None where it has none."""

    value: float
    low: float | None
    high: float | None


def estimates(found: Sequence[SufficientStatistics]) -> list[Estimate]:
    """Of several systems, whose numbers are worked out alike; their intervals by the jackknife over sources.

    It takes what a number is without each of its sources, and Student's t: of a mean with a row a source it is the
    textbook's interval (Efron and Stein 1981, 'The jackknife estimate of variance'). It is for the many numbers over
    parts of a study, which need no draws so; None where there are fewer than two sources, or a value is undefined.
    """
    if not found:
        return []
    by_source = [_by_source(one) for one in found]
    totals = np.array([rows.sum(axis=0) for rows in by_source])
    without = [total - rows for total, rows in zip(totals, by_source, strict=True)]
    whole = found[0].value_of(np.vstack([totals, *without]))
    ends = np.cumsum([len(rows) for rows in by_source])[:-1]
    values = np.split(whole[len(found) :], ends)
    return [_number(float(value), of) for value, of in zip(whole[: len(found)], values, strict=True)]


def _by_source(one: SufficientStatistics) -> Floats:
    """A row a source."""
    if (np.diff(one.groups.astype(np.intp)) > 0).all():
        return one.rows
    names, places = np.unique(one.groups, return_inverse=True)
    sums = np.zeros((len(names), one.rows.shape[1]))
    np.add.at(sums, places, one.rows)
    return sums


def _number(value: float, without: Floats) -> Estimate:
    sources = len(without)
    if sources < 2 or not np.isfinite(without).all():
        return Estimate(value, None, None)
    error = float(np.sqrt((sources - 1) / sources * np.sum((without - without.mean()) ** 2)))
    reach = float(special.stdtrit(sources - 1, 0.975)) * error
    return Estimate(value, value - reach, value + reach)


def judgement_sums(
    snapshot: StudySnapshot, judged: CriterionJudgements, where: Mask | None = None
) -> list[SufficientStatistics | None]:
    """What each system's human mean is made of: the sum and the number of judgements a text, or of ranks a source."""
    systems = range(len(snapshot.systems))
    inside = np.ones(len(judged.unit), dtype=bool) if where is None else where[judged.unit]
    if judged.name == RANK:
        homes, at = snapshot.units.home[judged.unit[inside]], judged.system[inside]
        ranked = method("mean_rank").by_sentence(homes, judged.rater[inside], at, judged.value[inside])
        return [_ranked(*ranked[place]) if place in ranked else None for place in systems]
    return [_rated(snapshot, judged, inside & (judged.system == place)) for place in systems]


def _ranked(sources: NDArray[np.generic], ranks: Floats) -> SufficientStatistics:
    return SufficientStatistics(sources, np.column_stack((ranks, np.ones(len(ranks)))), mean_of)


def _rated(snapshot: StudySnapshot, judged: CriterionJudgements, here: Mask) -> SufficientStatistics | None:
    if not here.any():
        return None
    units, places = np.unique(judged.unit[here], return_inverse=True)
    sums = np.column_stack((np.bincount(places, judged.value[here]), np.bincount(places))).astype(np.float64)
    return SufficientStatistics(snapshot.units.home[units], sums, mean_of)


def mean_of(sums: Floats) -> Floats:
    """Sums and numbers (..., 2) to means (...); NaN where there is none."""
    found: Floats = np.divide(sums[..., 0], sums[..., 1], out=np.full(sums.shape[:-1], np.nan), where=sums[..., 1] > 0)
    return found
