"""Each number of a report as sums over sources, so that it can be had again over any draw of them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics import STATISTICS, Draws, Summed
from evaluation.tables import RANK, Judged, Record, Scored

Floats = NDArray[np.float64]
DRAWS, SEED = Record.draws, Record.seed


def draws_of(record: Record) -> Draws:
    """The draws of one report: of judged sources among themselves, and of the others beside them."""
    judged = record.judgements[record.variant].values()
    homes = [record.units.home[one.unit] for one in judged]
    named = np.unique(np.concatenate(homes)) if homes else np.empty(0, dtype=np.intp)
    return Draws(named, record.draws, record.seed, beside=record.units.home)


def scored(record: Record, metric: str) -> list[Summed | None]:
    """What each system's corpus score is made of."""
    return [_scored(record, one) for one in record.scores[metric]]


def _scored(record: Record, one: Scored | None) -> Summed | None:
    if one is None or one.corpus is None or not one.there.any():
        return None
    return Summed(record.units.home[one.there], one.rows[one.there], one.corpus_of)


def rated(record: Record, judged: Judged) -> list[Summed | None]:
    """What each system's human mean is made of: the sum and the number of judgements a text, or of ranks a source."""
    systems = range(len(record.systems))
    if judged.name == RANK:
        homes = record.units.home[judged.unit]
        ranked = STATISTICS["mean_rank"].by_sentence(homes, judged.rater, judged.system, judged.value)
        return [_ranked(*ranked[place]) if place in ranked else None for place in systems]
    return [_rated(record, judged, judged.system == place) for place in systems]


def _ranked(sources: NDArray[np.generic], ranks: Floats) -> Summed:
    return Summed(sources, np.column_stack((ranks, np.ones(len(ranks)))), mean_of)


def _rated(record: Record, judged: Judged, here: NDArray[np.bool_]) -> Summed | None:
    if not here.any():
        return None
    units, places = np.unique(judged.unit[here], return_inverse=True)
    sums = np.column_stack((np.bincount(places, judged.value[here]), np.bincount(places)))
    return Summed(record.units.home[units], sums, mean_of)


def mean_of(sums: Floats) -> Floats:
    """Sums and numbers (..., 2) to means (...); NaN where there is none."""
    return np.divide(sums[..., 0], sums[..., 1], out=np.full(sums.shape[:-1], np.nan), where=sums[..., 1] > 0)


def over_draws(columns: Sequence[Summed | None], draws: Draws) -> list[Floats | None]:
    """The value of each number in each draw, (draws,), NaN where a draw holds none of its sources."""
    given = [one for one in columns if one is not None]
    parts = [(one.groups, np.column_stack((one.rows, np.ones(len(one.rows))))) for one in given]
    sums = iter(draws.sums(parts) if parts else [])
    return [None if one is None else _value(one, next(sums)) for one in columns]


def _value(one: Summed, sums: Floats) -> Floats:
    return np.where(sums[:, -1] > 0, one.whole(sums[:, :-1]), np.nan)
