"""Correlations of metrics with people, by sentence and by system, over the same bootstrap samples of the sources."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.aggregation import judgement_sums, score_sums
from evaluation.comparability.better_ends import measured
from evaluation.comparability.common_scores import CommonScores, Mask, common_systems, competing
from evaluation.comparability.incomplete_design import BY_PAIRS, Column, comparable_scores, has_same_sources
from evaluation.correlation import SystemScores, correlate_all, correlate_system_scores, scored_by_both
from evaluation.numerics import Correlation, without_rounding
from evaluation.resampling import Bootstrap, SufficientStatistics
from evaluation.snapshot import CriterionJudgements, StudySnapshot
from evaluation.statistics import STATISTICS, Coefficient, of_kind
from evaluation.statistics.boot_both import of_means
from evaluation.statistics.pairwise_accuracy import Pairing

# The numbers of a report in bootstrap samples of its sources.

Floats = NDArray[np.float64]
DRAWS, SEED = StudySnapshot.draws, StudySnapshot.seed


def bootstrap_of(snapshot: StudySnapshot) -> Bootstrap:
    """The bootstrap samples of one report: judged sources are drawn among themselves, and so are the others."""
    judged = snapshot.judgements[snapshot.variant].values()
    homes = [snapshot.units.home[judgements.unit] for judgements in judged]
    named = np.unique(np.concatenate(homes)) if homes else np.empty(0, dtype=np.intp)
    return Bootstrap(named, snapshot.draws, snapshot.seed, beside=snapshot.units.home)


def resampled_scores(columns: Sequence[SufficientStatistics | None], bootstrap: Bootstrap) -> list[Floats | None]:
    """Numbers of systems in each bootstrap sample of the sources.

    Args:
        columns: What each number is computed from; None where a system has none.
        bootstrap: The bootstrap samples.

    Returns:
        For each number float64 (n_samples,), NaN where a sample holds none of its sources; None where it is None.
    """
    given = [column for column in columns if column is not None]
    parts = [
        (statistics.groups, np.column_stack((statistics.rows, np.ones(len(statistics.rows))))) for statistics in given
    ]
    sums = iter(bootstrap.sums(parts) if parts else [])
    return [None if column is None else _value(column, next(sums)) for column in columns]


def _value(statistics: SufficientStatistics, sums: Floats) -> Floats:
    return np.where(sums[:, -1] > 0, statistics.value_of(sums[:, :-1]), np.nan)


Json = dict[str, Any]
Places = NDArray[np.intp]
NAMES = ("level", "metric", "criterion", "coefficient")


@dataclass(frozen=True)
class Correlated:
    """All correlations, and the systems' numbers in each resample, by direction (None: of all units) and name.

    `narrowed` keeps those over parts of the outputs that were asked for, by metric, direction and outputs.
    """

    entries: list[Json]
    metrics: dict[tuple[int | None, str], SystemScores]
    people: dict[tuple[int | None, str], SystemScores]
    narrowed: dict[tuple[str, int | None, bytes], SystemScores] = field(default_factory=dict)

    def of(self, level: str, metric: str, criterion: str, coefficient: str) -> Json | None:
        """One correlation; None where there is none of these."""
        return self._by_name.get((level, metric, criterion, coefficient))

    @cached_property
    def _by_name(self) -> dict[tuple[str, ...], Json]:
        return {tuple(entry[key] for key in NAMES): {key: entry[key] for key in entry if key not in NAMES}
                for entry in self.entries}  # fmt: skip


def correlations(snapshot: StudySnapshot, bootstrap: Bootstrap) -> Correlated:
    """An entry for each level, metric, criterion and coefficient; the bootstrap draws sources with all their outputs.

    Judged sources are drawn among themselves. So are those that are not judged, which only corpus scores know.
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
    """A column without the texts judged beside the systems, which compete with nobody."""
    rows = zip(snapshot.systems, column, strict=True)
    return [sums if row.role == "system" else None for row, sums in rows]


def _of(snapshot: StudySnapshot, metric: str) -> int | None:
    return measured(snapshot, metric).direction


def _directions(snapshot: StudySnapshot) -> list[int | None]:
    """None, for measures of all units, and the places of the directions that single measures are about."""
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


# A ranking of metrics by system: each system's scores and human mean over the outputs that all metrics scored.
#
# Where systems have different sources, both are the values that make them comparable (`incomplete_design`).

COEFFICIENT = "pearson"


class SystemLevelRanking:
    """The numbers of one criterion. Those over the very same outputs are taken as computed, the others are computed."""

    def __init__(
        self,
        snapshot: StudySnapshot,
        judged: CriterionJudgements,
        correlated: Correlated,
        metrics: Sequence[str],
        bootstrap: Bootstrap,
    ) -> None:
        self.snapshot, self.judged, self.correlated, self.bootstrap = snapshot, judged, correlated, bootstrap
        self.here = competing(snapshot)
        self.where = np.ones(len(snapshot.units.ids), dtype=bool)
        if judged.direction is not None:
            self.where = snapshot.units.direction == judged.direction
        self.own = {name: self._scored(name) for name in metrics}
        said = np.bincount(judged.system, minlength=len(snapshot.systems)) > 0
        self.common: CommonScores = common_systems(
            {name: mask & (self.here & said)[:, None] for name, mask in self.own.items()}
        )

    def rows(self) -> dict[str, Json]:
        """Each metric's correlation over the common systems, with the numbers beside it."""
        if not self.common.mask.size:
            return {}
        return {name: self._row(name) for name in self.common.metrics}

    def correlation_of(self, first: str, second: str) -> float:
        """Pearson's r of two metrics over the systems that both have a number of; NaN where there is none."""
        pair = self._metric(first), self._metric(second)
        found = correlate_system_scores(STATISTICS[COEFFICIENT], *pair, self.systems).value  # type: ignore[arg-type]
        return np.nan if found is None else found

    def _row(self, name: str) -> Json:
        x, y = self._metric(name), self.human
        both = scored_by_both(x, y, self.systems)
        known = self.correlated.of("system", name, self.judged.name, COEFFICIENT)
        if known is None or not self._are_known(name, x, y) or len(both) < len(scored_by_both(x, y)):
            known = vars(correlate_system_scores(STATISTICS[COEFFICIENT], x, y, self.systems))  # type: ignore[arg-type]
        interval = of_means(x.drawn[:, both], y.drawn[:, both], self.bootstrap.seed)
        turn = -1 if (measured(self.snapshot, name).better is False) != (self.judged.better is False) else 1
        order = Pairing(np.zeros(len(both))).accuracy(turn * x.values[both], y.values[both], 0.0)
        beside = {"both_low": interval.low, "both_high": interval.high, "both_undefined": interval.undefined}
        return {**known, **beside, "accuracy": order.value, "epsilon": order.epsilon}

    def _are_known(self, name: str, x: SystemScores, y: SystemScores) -> bool:
        """Whether a metric's numbers and people's are those that all correlations were computed from."""
        key = self.judged.direction
        metric, people = self.correlated.metrics.get((key, name)), self.correlated.people.get((key, self.judged.name))
        return x.own and y.own and x is metric and y is people

    def _scored(self, name: str) -> Mask:
        """The outputs that a metric scored, (systems, units)."""
        nothing = np.zeros(len(self.where), dtype=bool)
        given = self.snapshot.scores[name]
        return np.array(
            [
                scored.there & self.where
                if scored is not None and scored.corpus is not None and row.role == "system"
                else nothing
                for row, scored in zip(self.snapshot.systems, given, strict=True)
            ],
            dtype=bool,
        ).reshape(len(given), len(self.where))

    def _metric(self, name: str) -> SystemScores:
        """The metric over the common outputs, which are those of another criterion too, as a rule."""
        key = name, self.judged.direction, self.common.mask.tobytes()
        if key not in self.correlated.narrowed:
            self.correlated.narrowed[key] = self._narrowed(name)
        return self.correlated.narrowed[key]

    def _narrowed(self, name: str) -> SystemScores:
        mask = self.common.mask
        column: list[SufficientStatistics | None] = []
        for place, scored in enumerate(self.snapshot.scores[name]):
            if scored is None or not mask[place].any():
                column.append(None)
            else:
                homes, rows = self.snapshot.units.home[mask[place]], scored.sufficient_statistics[mask[place]]
                column.append(SufficientStatistics(homes, rows, scored.corpus_of))
        if has_same_sources(column) and np.array_equal(self.own[name][self.systems], mask[self.systems]):
            known = self.correlated.metrics[self.judged.direction, name]
            if known.own:
                return known
        return comparable_scores({name: column}, self.bootstrap)[name]

    @cached_property
    def human(self) -> SystemScores:
        """The means over the common outputs; those that are known where every judged one is among these."""
        judged = self.judged
        column = self.human_column
        inside = self.common.mask[judged.system, judged.unit]
        if has_same_sources(column) and inside[self.systems[judged.system]].all():
            known = self.correlated.people[judged.direction, judged.name]
            if known.own:
                return known
        return comparable_scores({judged.name: column}, self.bootstrap)[judged.name]

    @cached_property
    def systems(self) -> Mask:
        """The systems that are compared, (n_systems,)."""
        return np.asarray(self.common.mask.any(axis=1), dtype=bool)

    @cached_property
    def human_column(self) -> list[SufficientStatistics | None]:
        """The sums that the systems' means over the common outputs are computed from."""
        homes = [set(self.snapshot.units.home[inside_units].tolist()) for inside_units in self.common.mask]
        return [
            None if sums is None or not self.systems[place] else _only(sums, homes[place])
            for place, sums in enumerate(judgement_sums(self.snapshot, self.judged, self.where))
        ]


def _only(statistics: SufficientStatistics, homes: set[int]) -> SufficientStatistics | None:
    """The rows of these sources."""
    inside = np.isin(statistics.groups, list(homes))
    return (
        SufficientStatistics(statistics.groups[inside], statistics.rows[inside], statistics.value_of)
        if inside.any()
        else None
    )
