"""Judged outputs as points: what people and a metric gave each, and how far the two agree."""

import numpy as np

from evaluation.statistics._base import Correlation
from evaluation.statistics._draws import Draws
from evaluation.statistics._together import correlate_all
from evaluation.tables._record import Floats, Judged, Places, Record
from evaluation.tables._sums import Mask, method


def points(record: Record, judged: Judged, where: Mask | None = None) -> tuple[Places, Places, Floats]:
    """The judged outputs (p,) of all systems: system, unit and mean judgement."""
    size = len(record.units.ids)
    inside = np.ones(len(judged.unit), dtype=bool) if where is None else where[judged.unit]
    codes, at = np.unique(judged.system[inside] * size + judged.unit[inside], return_inverse=True)
    means: Floats = np.bincount(at, judged.value[inside], len(codes)) / np.maximum(np.bincount(at), 1)
    return codes // max(size, 1), codes % max(size, 1), means


def scores_at(record: Record, metric: str, systems: Places, units: Places) -> Floats:
    """The metric's own score of each of these outputs (p,); NaN where it has none."""
    nothing = np.full(len(record.units.ids), np.nan)
    table = np.array([nothing if one is None else one.sentences for one in record.scores[metric]])
    found: Floats = table[systems, units] if len(units) else np.empty(0)
    return found


def correlation(
    record: Record, metric: str, judged: Judged, coefficient: str, where: Mask | None = None
) -> Correlation:
    """Of a metric and a criterion over the judged outputs of some units; its interval draws sources."""
    systems, units, means = points(record, judged, where)
    homes = record.units.home[units]
    draws = Draws(homes, record.draws, record.seed)
    found = correlate_all(
        {metric: scores_at(record, metric, systems, units)}, {judged.name: means}, homes,
        {coefficient: method(coefficient)}, draws,
    )  # fmt: skip
    return found[metric, judged.name, coefficient]
