"""Each number of a study as sums over sources, over all its units or a part of them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics import STATISTICS
from evaluation.statistics._summed import Summed
from evaluation.tables._base import RANK
from evaluation.tables._record import Floats, Judged, Record, Scored

Mask = NDArray[np.bool_]
"""Of the study's n units those that are meant."""


def method(name: str) -> Any:
    """A statistic, with the call that its own kind has."""
    return STATISTICS[name]


def scored(record: Record, metric: str, where: Mask | None = None) -> list[Summed | None]:
    """What each system's corpus score is made of."""
    return [_scored(record, one, where) for one in record.scores[metric]]


def _scored(record: Record, one: Scored | None, where: Mask | None) -> Summed | None:
    if one is None or one.corpus is None:
        return None
    there = one.there if where is None else one.there & where
    return Summed(record.units.home[there], one.rows[there], one.corpus_of) if there.any() else None


def interval(one: Summed) -> tuple[float | None, float | None]:
    """95% about a number, by the jackknife: what it is without each of its sources, and Student's t.

    Of a mean with a row a source it is the textbook's interval (Efron and Stein 1981, 'The jackknife estimate of
    variance'). It is for the many numbers over parts of a study, which need no draws so; None where there are fewer
    than two sources, or one of the values is undefined.
    """
    from scipy.special import stdtrit  # takes a second to load, which a web process would wait for

    places = np.unique(one.groups, return_inverse=True)[1]
    sources = int(places.max(initial=-1)) + 1
    if sources < 2:
        return None, None
    sums = one.rows
    if sources < len(places):
        sums = np.zeros((sources, one.rows.shape[1]))
        np.add.at(sums, places, one.rows)
    total = sums.sum(axis=0)
    value, without = float(one.whole(total)), one.whole(total - sums)
    error = float(np.sqrt((sources - 1) / sources * np.sum((without - without.mean()) ** 2)))
    reach = float(stdtrit(sources - 1, 0.975)) * error
    return (value - reach, value + reach) if np.isfinite(value + reach) else (None, None)


def rated(record: Record, judged: Judged, where: Mask | None = None) -> list[Summed | None]:
    """What each system's human mean is made of: the sum and the number of judgements a text, or of ranks a source."""
    systems = range(len(record.systems))
    inside = np.ones(len(judged.unit), dtype=bool) if where is None else where[judged.unit]
    if judged.name == RANK:
        homes, at = record.units.home[judged.unit[inside]], judged.system[inside]
        ranked = method("mean_rank").by_sentence(homes, judged.rater[inside], at, judged.value[inside])
        return [_ranked(*ranked[place]) if place in ranked else None for place in systems]
    return [_rated(record, judged, inside & (judged.system == place)) for place in systems]


def _ranked(sources: NDArray[np.generic], ranks: Floats) -> Summed:
    return Summed(sources, np.column_stack((ranks, np.ones(len(ranks)))), mean_of)


def _rated(record: Record, judged: Judged, here: Mask) -> Summed | None:
    if not here.any():
        return None
    units, places = np.unique(judged.unit[here], return_inverse=True)
    sums = np.column_stack((np.bincount(places, judged.value[here]), np.bincount(places))).astype(np.float64)
    return Summed(record.units.home[units], sums, mean_of)


def mean_of(sums: Floats) -> Floats:
    """Sums and numbers (..., 2) to means (...); NaN where there is none."""
    found: Floats = np.divide(sums[..., 0], sums[..., 1], out=np.full(sums.shape[:-1], np.nan), where=sums[..., 1] > 0)
    return found
