"""Correlations over systems, with a bootstrap over sources: a point is a system, a sample draws sources.

In each sample every system's corpus score and human mean are computed over the drawn sources, from sufficient
statistics; then the coefficient over the systems.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from evaluation.correlation.bootstrap_values import ResampledValues
from evaluation.correlation.coefficient import CorrelationCoefficient
from evaluation.numerics import FEWEST, Correlation, Floats, distinct, without_rounding
from evaluation.resampling import Bootstrap, SufficientStatistics

Numbers: TypeAlias = Mapping[str, Sequence[SufficientStatistics | None]]
"""For each metric or criterion the systems' numbers, in one order of systems; None where a system has none."""


@dataclass(frozen=True)
class SystemScores:
    """A metric's or criterion's values of all systems, NaN where there is none.

    Attributes:
        values: (n_systems,) over all sources, cut to 12 digits: systems that are equal but for rounding are tied.
        drawn: (n_samples, n_systems) in each bootstrap sample.
        groups: each system's sources, up to as many as an interval asks for.
        own: whether they are the systems' own numbers, and no values that make them comparable.
    """

    values: Floats
    drawn: Floats
    groups: list[set[object]]
    own: bool = True
    _over: dict[bytes, ResampledValues] = field(default_factory=dict)

    def over(self, systems: NDArray[np.intp]) -> ResampledValues:
        """The values of some systems (their places) in each sample, cached for pairs over the same systems."""
        key = systems.tobytes()
        if key not in self._over:
            self._over[key] = ResampledValues(self.drawn[:, systems])
        return self._over[key]


def correlate_systems(
    metrics: Numbers, criteria: Numbers, coefficients: Mapping[str, CorrelationCoefficient], bootstrap: Bootstrap
) -> dict[tuple[str, str, str], Correlation]:
    """(metric, criterion, coefficient) -> Correlation over the systems that have both; `n` says how many.

    Every number is computed over the same samples. ValueError: a source is not among the resampled ones.
    """
    xs, ys = bootstrap_system_scores(metrics, criteria, bootstrap)
    return {
        (metric, criterion, name): correlate_system_scores(coefficient, xs[metric], ys[criterion])
        for metric in metrics
        for criterion in criteria
        for name, coefficient in coefficients.items()
    }


def bootstrap_system_scores(
    metrics: Numbers, criteria: Numbers, bootstrap: Bootstrap
) -> tuple[dict[str, SystemScores], dict[str, SystemScores]]:
    """SystemScores by name of the metrics and of the criteria: over all sources and in each bootstrap sample."""
    known = _resampled([*metrics.values(), *criteria.values()], bootstrap)
    first, second = known[: len(metrics)], known[len(metrics) :]
    return dict(zip(metrics, first, strict=True)), dict(zip(criteria, second, strict=True))


def correlate_system_scores(
    coefficient: CorrelationCoefficient, x: SystemScores, y: SystemScores, systems: NDArray[np.bool_] | None = None
) -> Correlation:
    """The coefficient over the systems that have both values; `systems` (n_systems,) may narrow them down."""
    both = scored_by_both(x, y, systems)
    sources = min(len(set().union(*(scores.groups[system] for system in both))) for scores in (x, y))
    return coefficient.redrawn(x.values[both], y.values[both], x.over(both), y.over(both), sources)


def scored_by_both(x: SystemScores, y: SystemScores, systems: NDArray[np.bool_] | None = None) -> NDArray[np.intp]:
    """The places of the systems that have both values, among those of `systems` (n_systems,)."""
    here = ~(np.isnan(x.values) | np.isnan(y.values))
    return np.flatnonzero(here if systems is None else here & systems)


def _resampled(columns: Sequence[Sequence[SufficientStatistics | None]], bootstrap: Bootstrap) -> list[SystemScores]:
    """All numbers in one pass over the samples."""
    given = [sums for column in columns for sums in column if sums is not None]
    counted = [(sums.groups, np.column_stack((sums.rows, np.ones(len(sums.rows))))) for sums in given]
    resampled = iter(bootstrap.sums(counted) if counted else [])
    return [_column(column, [next(resampled) for sums in column if sums], len(bootstrap.weights)) for column in columns]


def _column(column: Sequence[SufficientStatistics | None], sums: Sequence[Floats], n_resamples: int) -> SystemScores:
    """`sums` (n_resamples, k + 1) of those that are there; the last is how many of a system's rows a sample holds."""
    values, drawn = np.full(len(column), np.nan), np.full((len(column), n_resamples), np.nan)
    present = [system for system, statistics in enumerate(column) if statistics is not None]
    for system, resampled in zip(present, sums, strict=True):
        statistics = column[system]
        assert statistics is not None
        values[system] = without_rounding(statistics.value_of(statistics.rows.sum(axis=0)))
        drawn[system] = np.where(resampled[:, -1] > 0, statistics.value_of(resampled[:, :-1]), np.nan)
    return SystemScores(
        values,
        drawn.T,
        [set(distinct(statistics.groups)[:FEWEST].tolist()) if statistics else set() for statistics in column],
    )
