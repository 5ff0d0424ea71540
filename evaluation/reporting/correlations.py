"""Correlations of metrics with people, by sentence and by system, over the same bootstrap samples of the sources."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.aggregation import judgement_sums, score_sums
from evaluation.comparability.better_ends import measured
from evaluation.comparability.incomplete_design import BY_PAIRS, Column, comparable_scores, has_same_sources
from evaluation.correlation.all_pairs import correlate_all
from evaluation.correlation.system_level import SystemScores, correlate_system_scores
from evaluation.numerics import Correlation, without_rounding
from evaluation.resampling import Bootstrap
from evaluation.snapshot import CriterionJudgements, StudySnapshot
from evaluation.statistics import Coefficient, of_kind

Json = dict[str, Any]
Floats = NDArray[np.float64]
Places = NDArray[np.intp]
NAMES = ("level", "metric", "criterion", "coefficient")


@dataclass(frozen=True)
class Correlated:
    """All correlations, and the systems' numbers in each resample, by direction (None: of all units) and name.

    `narrowed` keeps those over a part of the outputs that was asked for: by metric, direction and which outputs.
    """

    entries: list[Json]
    metrics: dict[tuple[int | None, str], SystemScores]
    people: dict[tuple[int | None, str], SystemScores]
    narrowed: dict[tuple[str, int | None, bytes], SystemScores] = field(default_factory=dict)

    def of(self, level: str, metric: str, criterion: str, coefficient: str) -> Json | None:
        """What a correlation holds; None where there is none of these."""
        return self._by_name.get((level, metric, criterion, coefficient))

    @cached_property
    def _by_name(self) -> dict[tuple[str, ...], Json]:
        return {tuple(entry[key] for key in NAMES): {key: entry[key] for key in entry if key not in NAMES}
                for entry in self.entries}  # fmt: skip


def correlations(snapshot: StudySnapshot, bootstrap: Bootstrap) -> Correlated:
    """An entry for each level, metric, criterion and coefficient; the bootstrap draws sources with all that is theirs.

    Judged sources are drawn among themselves, and those that are not judged, which only corpus scores know, likewise.
    """
    metrics: dict[tuple[int | None, str], SystemScores] = {}
    people: dict[tuple[int | None, str], SystemScores] = {}
    entries = [*_by_sentence(snapshot, bootstrap), *_by_system(snapshot, bootstrap, metrics, people)]
    return Correlated(entries, metrics, people)


def points_of(snapshot: StudySnapshot) -> tuple[Places, Places]:
    """The judged outputs of all systems, by system and unit: (p,) both."""
    units = len(snapshot.units.ids)
    codes = [judged.system * units + judged.unit for judged in snapshot.judgements[snapshot.variant].values()]
    distinct_codes = np.unique(np.concatenate(codes)) if codes else np.empty(0, dtype=np.intp)
    return distinct_codes // max(units, 1), distinct_codes % max(units, 1)


def human_at(snapshot: StudySnapshot, judged: CriterionJudgements, points: tuple[Places, Places]) -> Floats:
    """The mean judgement of each of some outputs.

    Args:
        snapshot: The study.
        judged: The criterion's judgements.
        points: The outputs, by system and unit, (p,) both.

    Returns:
        float64 (p,), cut to 12 digits, so that rounding breaks no tie; NaN where an output was not judged.
    """
    size = len(snapshot.systems) * len(snapshot.units.ids)
    codes = judged.system * len(snapshot.units.ids) + judged.unit
    sums, counts = np.bincount(codes, judged.value, size), np.bincount(codes, minlength=size)
    means = np.divide(sums, counts, out=np.full(size, np.nan), where=counts > 0)
    return without_rounding(means[points[0] * len(snapshot.units.ids) + points[1]])


def metric_at(snapshot: StudySnapshot, metric: str, points: tuple[Places, Places]) -> Floats:
    """The metric's own score of each of some outputs.

    Args:
        snapshot: The study.
        metric: A key of the snapshot's scores.
        points: The outputs, by system and unit, (p,) both.

    Returns:
        float64 (p,), cut likewise; NaN where an output was not scored.
    """
    nothing = np.full(len(snapshot.units.ids), np.nan)
    table = np.array([nothing if scored is None else scored.sentences for scored in snapshot.scores[metric]])
    return without_rounding(table[points]) if len(points[0]) else np.empty(0)


def _by_sentence(snapshot: StudySnapshot, bootstrap: Bootstrap) -> list[Json]:
    """A point a judged output, those of all systems together."""
    points = points_of(snapshot)
    if not len(points[0]):
        return []
    human = {name: human_at(snapshot, judged, points) for name, judged in snapshot.judgements[snapshot.variant].items()}
    metrics = {name: metric_at(snapshot, name, points) for name in snapshot.scores}
    groups = snapshot.units.home[points[1]]
    correlations = correlate_all(metrics, human, groups, of_kind(Coefficient), bootstrap)
    return _entries("sentence", {key: value for key, value in correlations.items() if _meet(snapshot, *key[:2])})


def _by_system(
    snapshot: StudySnapshot,
    bootstrap: Bootstrap,
    known_metrics: dict[tuple[int | None, str], SystemScores],
    known_people: dict[tuple[int | None, str], SystemScores],
) -> list[Json]:
    """A point a system: its score over all its outputs against its human mean, or what makes these comparable where
    systems have different sources.

    Where one of the two is about one direction, so is the other. The systems' numbers are put into the last two.
    """
    if not snapshot.systems:
        return []
    correlations: dict[tuple[str, str, str], Correlation] = {}
    for place in _directions(snapshot):
        where = None if place is None else snapshot.units.direction == place
        metrics = {
            name: systems_alone(snapshot, score_sums(snapshot, name, where))
            for name in snapshot.scores
            if _of(snapshot, name) in (None, place)
        }
        judged = snapshot.judgements[snapshot.variant].items()
        human = {
            name: systems_alone(snapshot, judgement_sums(snapshot, criterion, where))
            for name, criterion in judged
            if criterion.direction in (None, place)
        }
        xs, ys = (comparable_scores(columns, bootstrap) for columns in (metrics, human))
        known_metrics |= {(place, name): scores for name, scores in xs.items()}
        known_people |= {(place, name): means for name, means in ys.items()}
        even = [{name for name, column in columns.items() if has_same_sources(column)} for columns in (metrics, human)]
        for name in xs:
            for other in [other for other in ys if _pair(snapshot, name, other) == place]:
                note = "" if name in even[0] and other in even[1] else BY_PAIRS
                for label, coefficient in of_kind(Coefficient).items():
                    found = correlate_system_scores(coefficient, xs[name], ys[other])
                    correlations[name, other, label] = replace(found, note=found.note or note)
    order = [(name, criterion) for name in snapshot.scores for criterion in snapshot.judgements[snapshot.variant]]
    return _entries("system", dict(sorted(correlations.items(), key=lambda item: order.index(item[0][:2]))))


def systems_alone(snapshot: StudySnapshot, column: Column) -> Column:
    """A column without what was judged beside the systems, which competes with nobody."""
    rows = zip(snapshot.systems, column, strict=True)
    return [sums if row.role == "system" else None for row, sums in rows]


def _of(snapshot: StudySnapshot, metric: str) -> int | None:
    return measured(snapshot, metric).direction


def _directions(snapshot: StudySnapshot) -> list[int | None]:
    """None for what is about all units, and the places of the directions that something is about by itself."""
    named = {_of(snapshot, name) for name in snapshot.scores}
    named |= {judged.direction for judged in snapshot.judgements[snapshot.variant].values()}
    return [None, *sorted(direction for direction in named if direction is not None)]


def _meet(snapshot: StudySnapshot, metric: str, criterion: str) -> bool:
    """Whether a metric and a criterion are about the same direction, or one of them about all."""
    of = {_of(snapshot, metric), snapshot.judgements[snapshot.variant][criterion].direction}
    return len(of - {None}) < 2


def _pair(snapshot: StudySnapshot, metric: str, criterion: str) -> int | None:
    """The direction that the two are about; -1 where they do not meet."""
    if not _meet(snapshot, metric, criterion):
        return -1
    judged = snapshot.judgements[snapshot.variant][criterion].direction
    return judged if judged is not None else _of(snapshot, metric)


def _entries(level: str, correlations: Mapping[tuple[str, str, str], Correlation]) -> list[Json]:
    return [
        {"metric": metric, "criterion": criterion, "level": level, "coefficient": coefficient, **vars(value)}
        for (metric, criterion, coefficient), value in correlations.items()
    ]
