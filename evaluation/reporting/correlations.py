"""How far each metric agrees with people: correlations by sentence and by system, over the same draws of sources."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics import Coefficient, Correlation, Draws, correlate_all, correlate_summed, of_kind
from evaluation.tables import Judged, Record
from evaluation.tables._sums import rated, scored

Json = dict[str, Any]
Floats = NDArray[np.float64]
Places = NDArray[np.intp]


def correlations(record: Record, draws: Draws) -> list[Json]:
    """An entry for each level, metric, criterion and coefficient; the bootstrap draws sources with all that is theirs.

    Judged sources are drawn among themselves, and those that are not judged, which only corpus scores know, likewise.
    """
    return [*_by_sentence(record, draws), *_by_system(record, draws)]


def points_of(record: Record) -> tuple[Places, Places]:
    """The judged outputs of all systems, by system and unit: (p,) both."""
    units = len(record.units.ids)
    codes = [one.system * units + one.unit for one in record.judgements[record.variant].values()]
    found = np.unique(np.concatenate(codes)) if codes else np.empty(0, dtype=np.intp)
    return found // max(units, 1), found % max(units, 1)


def human_at(record: Record, judged: Judged, points: tuple[Places, Places]) -> Floats:
    """The mean judgement of each of these outputs (p,); NaN where there is none."""
    size = len(record.systems) * len(record.units.ids)
    codes = judged.system * len(record.units.ids) + judged.unit
    sums, counts = np.bincount(codes, judged.value, size), np.bincount(codes, minlength=size)
    means = np.divide(sums, counts, out=np.full(size, np.nan), where=counts > 0)
    return means[points[0] * len(record.units.ids) + points[1]]


def metric_at(record: Record, metric: str, points: tuple[Places, Places]) -> Floats:
    """The metric's own score of each of these outputs (p,); NaN where it has none."""
    nothing = np.full(len(record.units.ids), np.nan)
    table = np.array([nothing if one is None else one.sentences for one in record.scores[metric]])
    return table[points] if len(points[0]) else np.empty(0)


def _by_sentence(record: Record, draws: Draws) -> list[Json]:
    """A point a judged output, those of all systems together."""
    points = points_of(record)
    if not len(points[0]):
        return []
    human = {name: human_at(record, one, points) for name, one in record.judgements[record.variant].items()}
    metrics = {name: metric_at(record, name, points) for name in record.scores}
    groups = record.units.home[points[1]]
    return _entries("sentence", correlate_all(metrics, human, groups, of_kind(Coefficient), draws))


def _by_system(record: Record, draws: Draws) -> list[Json]:
    """A point a system: its score over all its outputs against its human mean."""
    if not record.systems:
        return []
    metrics = {name: scored(record, name) for name in record.scores}
    human = {name: rated(record, one) for name, one in record.judgements[record.variant].items()}
    return _entries("system", correlate_summed(metrics, human, of_kind(Coefficient), draws))


def _entries(level: str, found: Mapping[tuple[str, str, str], Correlation]) -> list[Json]:
    return [
        {"metric": metric, "criterion": criterion, "level": level, "coefficient": coefficient, **asdict(value)}
        for (metric, criterion, coefficient), value in found.items()
    ]
