"""A ranking of metrics by system: each system's scores and human mean over the outputs that all metrics scored.

Where systems have different sources, both are the values that make them comparable (`incomplete_design`).
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from evaluation.aggregation import judgement_sums
from evaluation.comparability.better_ends import measured
from evaluation.comparability.common_scores import CommonScores, Mask, common_systems, competing
from evaluation.comparability.incomplete_design import comparable_scores, has_same_sources
from evaluation.correlation.system_level import SystemScores, correlate_system_scores, scored_by_both
from evaluation.reporting.correlations import Correlated
from evaluation.resampling import Bootstrap, SufficientStatistics
from evaluation.snapshot import CriterionJudgements, StudySnapshot
from evaluation.statistics import STATISTICS
from evaluation.statistics.boot_both import of_means
from evaluation.statistics.pairwise_accuracy import Pairing

Json = dict[str, Any]
COEFFICIENT = "pearson"


class SystemLevelRanking:
    """The numbers of one criterion. What was computed over the very same outputs is taken, the rest is made anew."""

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
        """Each metric's correlation over the common systems, and what stands beside it."""
        if not self.common.mask.size:
            return {}
        return {name: self._row(name) for name in self.common.metrics}

    def _row(self, name: str) -> Json:
        x, y = self._metric(name), self.human
        fields = vars(correlate_system_scores(STATISTICS[COEFFICIENT], x, y, self.systems))  # type: ignore[arg-type]
        both = scored_by_both(x, y, self.systems)
        interval = of_means(x.drawn[:, both], y.drawn[:, both], self.bootstrap.seed)
        turn = -1 if (measured(self.snapshot, name).better is False) != (self.judged.better is False) else 1
        order = Pairing(np.zeros(len(both))).accuracy(turn * x.values[both], y.values[both], 0.0)
        beside = {"both_low": interval.low, "both_high": interval.high, "both_undefined": interval.undefined}
        return {**fields, **beside, "accuracy": order.value, "epsilon": order.epsilon}

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
        """What the systems' means over the common outputs are made of."""
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
