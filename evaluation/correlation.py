"""Coefficients of correlation with their bootstrap intervals: over all points, over systems, within items."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.numerics import (
    FEWEST,
    SAME_WITHIN,
    Codes,
    Correlation,
    Floats,
    Labels,
    all_same,
    all_same_rows,
    count_distinct,
    distinct,
    ratio,
    without_rounding,
)
from evaluation.resampling import NOTE, Bootstrap, SufficientStatistics, is_large
from foundation.translation import translatable

# A variable of a correlation, with the numbers that all coefficients need, each computed once.


class Variable:
    """Finite values (n_points,) and their order."""

    def __init__(self, values: Floats) -> None:
        self.values = values
        self.concordance: dict[Variable, Codes] = {}
        """With other variables: for each point the signs of all pairs, summed (`_concordance`)."""

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def levels(self) -> Codes:
        """Each point's place among the distinct values, from 0; values that differ by rounding alone are one."""
        return np.unique(without_rounding(self.values), return_inverse=True)[1].astype(np.intp)

    @cached_property
    def ordered(self) -> Floats:
        """The places, (n,), which rank coefficients take for the values."""
        return self.levels.astype(np.float64)

    @cached_property
    def counts(self) -> Codes:
        """How many points stand at each level."""
        return np.bincount(self.levels)

    @cached_property
    def leads(self) -> Floats:
        """How many points lie below each, less how many lie above: twice the middle rank about its mean, (n,)."""
        upto = np.cumsum(self.counts)
        return (2 * upto - self.counts - len(self)).astype(np.float64)[self.levels]

    @cached_property
    def scaled(self) -> Floats:
        """About the median and within -1 and 1, so that neither an offset nor an outlier costs digits."""
        halves = self.values / 2  # the largest floats' difference is no float
        centred = halves - np.median(halves)
        return np.asarray(centred / np.max(np.abs(centred)))

    @cached_property
    def direction(self) -> Floats:
        """About the mean and of length 1: the product of two is their r."""
        centred = self.scaled - self.scaled.mean()
        return np.asarray(centred / np.linalg.norm(centred))

    @cached_property
    def lower(self) -> NDArray[np.bool_]:
        """The lower half of the points, and no point where the step to the upper half may be rounding, (n,)."""
        middle = np.median(self.values)
        below = self.values < middle if np.min(self.values) < middle else self.values <= middle
        if below.all():
            return np.zeros(len(self), dtype=bool)
        step = np.min(self.values[~below]) / 2 - np.max(self.values[below]) / 2
        return below if step > SAME_WITHIN / 2 * np.max(np.abs(self.values)) else np.zeros(len(self), dtype=bool)

    def sums_above(self, parts: Floats) -> Floats:
        """For each point the parts (n,) of the points above it, less those of the points below it, (n,)."""
        totals = np.bincount(self.levels, parts)
        upto = np.cumsum(totals)
        return np.asarray((upto[-1] - 2 * upto + totals)[self.levels])


# Values that differ between bootstrap samples, with the numbers that coefficients need, each computed once.


class ResampledValues:
    """Values (n_samples, n_points); all that is computed from them requires finite ones."""

    def __init__(self, values: Floats) -> None:
        self.values = values

    @cached_property
    def whole(self) -> NDArray[np.bool_]:
        """The samples in which every point has a value, (n_samples,)."""
        return np.asarray(np.isfinite(self.values).all(axis=1))

    @cached_property
    def settled(self) -> Floats:
        """Values that are equal but for the rounding of a sample's sums are tied."""
        return without_rounding(self.values)

    @cached_property
    def centred(self) -> Floats:
        """Each row about its mean, within -1 and 1."""
        centred = self.values - self.values.mean(axis=1, keepdims=True)
        largest = np.abs(centred).max(axis=1, keepdims=True)
        return np.asarray(centred / np.where(largest > 0, largest, 1))

    @cached_property
    def square(self) -> Floats:
        """The sum of the squares of each centred row, (n_samples,), 0 where all values are one."""
        squares = np.einsum("dn,dn->d", self.centred, self.centred)
        return np.where(all_same_rows(self.values), 0.0, squares)

    @cached_property
    def ranks(self) -> Floats:
        """The middle ranks of each row about their mean."""
        from scipy.stats import rankdata  # here, for scipy stays out of those who only list names

        return np.asarray(rankdata(self.settled, axis=1) - (self.values.shape[1] + 1) / 2)

    @cached_property
    def rank_square(self) -> Floats:
        """The sum of the squares of each row's ranks, (n_samples,)."""
        return np.asarray(np.einsum("dn,dn->d", self.ranks, self.ranks))


# A coefficient of correlation with its bootstrap interval: the three differ in their arithmetic alone.

CONSTANT = translatable("There is no interval: in too many of the bootstrap draws all values are the same.")
LACKING = translatable("There is no interval: in too many of the bootstrap draws a point has no value.")


@dataclass(frozen=True, kw_only=True)
class CorrelationCoefficient:
    """A coefficient of correlation.

    `numerics.rounding` says which values differ by rounding alone, and count as equal.

    Attributes:
        pointed: `pointed(x, y)` gives value and p. The Variables are not constant.
        resampled: `resampled(x, y, columns, weights)` gives the value in each bootstrap sample, (n_samples,). Point i
            stands in sample d weights[d, columns[i]] times. The value is NaN where a sample is constant.
        across: `across(x, ys, columns, weights)` gives the same of one x with each y.
        in_rows: `in_rows(x, y)` gives the value in each sample, (n_samples,). Points have other values in each
            (ResampledValues). The value is NaN where those of x or of y are constant.
        by_item: the value at each item after two metrics swapped scores (`pearson_by_item` and alike).
        projects: whether many points in many groups are projected to first order
            (`evaluation.resampling`).
    """

    pointed: Callable[[Variable, Variable], tuple[float, float]]
    resampled: Callable[[Floats, Floats, NDArray[np.intp], Floats], Floats]
    across: Callable[[Variable, Sequence[Variable], NDArray[np.intp], Floats], Sequence[Floats]]
    in_rows: Callable[[ResampledValues, ResampledValues], Floats]
    by_item: Callable[[Floats, Floats, Floats, NDArray[np.bool_]], Floats]
    projects: bool = False
    fewest_for_p: int = 0
    """The points below which p is not stated, since it takes the values as normal."""

    def stated(self, p: float, n: int) -> float | None:
        """p over n points, or None where there are too few to state it."""
        return p if n >= self.fewest_for_p else None

    def point(self, x: Floats, y: Floats) -> tuple[float, float]:
        """Value and p of finite arrays (n,) that are not constant."""
        return self.pointed(Variable(x), Variable(y))

    def rowwise(self, x: Floats, y: Floats) -> Floats:
        """Values (n_samples,) of finite arrays (n_samples, n_points), as `in_rows`."""
        return self.in_rows(ResampledValues(x), ResampledValues(y))

    def correlate(
        self, x: ArrayLike, y: ArrayLike, groups: Labels | None = None, draws: int = 1000, seed: int = 0
    ) -> Correlation:
        """The coefficient of x and y (n,), with p and a percentile bootstrap interval of 95%.

        The bootstrap resamples groups with all their points. Where each point is its own group p is the
        coefficient's own; else it is that of the interval (`Bootstrap.p_of_zero`), since the other takes points as
        independent.

        Args:
            x: (n_points,) the first variable.
            y: (n_points,) the second.
            groups: (n_points,) the source of each point; without it every point is its own.
            draws: the number of bootstrap samples.
            seed: of their random numbers.
        """
        names = np.arange(np.size(x)) if groups is None else groups
        return self.over(Bootstrap(names, draws, seed), x, y, names)

    def over(self, bootstrap: Bootstrap, x: ArrayLike, y: ArrayLike, groups: Labels) -> Correlation:
        """As `correlate`, over samples that are shared. ValueError: lengths differ, or a group was not resampled."""
        first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        if first.ndim != 1 or not first.shape == second.shape == (len(groups),):
            raise ValueError("x, y and groups are one-dimensional and of equal length.")
        columns = bootstrap.columns(groups) if len(groups) else np.zeros(0, dtype=np.intp)
        return self.against(Variable(first), [Variable(second)], columns, bootstrap)[0]

    def against(
        self, x: Variable, ys: Sequence[Variable], columns: NDArray[np.intp], bootstrap: Bootstrap
    ) -> list[Correlation]:
        """x with each of ys, all (n_points,), point i being of the group in column `columns[i]` of the samples."""
        n, groups = len(x), count_distinct(columns)
        why = [_no_value(x.values, y.values) for y in ys]
        known = [y for y, lacking in zip(ys, why, strict=True) if not lacking]
        few = _too_few(n, groups)
        drawn = iter([] if few or not known else self.across(x, known, columns, bootstrap.weights))
        note = NOTE if self.projects and is_large(n, groups) else ""
        correlations = []
        for y, lacking in zip(ys, why, strict=True):
            if lacking:
                correlations.append(Correlation(None, None, None, None, n, lacking))
                continue
            value, own_p = self.pointed(x, y)
            p = self.stated(own_p, n)
            resampled = None if few else next(drawn)
            interval = None if resampled is None else bootstrap.interval(resampled)
            if groups < n:
                p = None if resampled is None or interval is None else bootstrap.p_of_zero(resampled)
            if interval is None:
                correlations.append(Correlation(value, None, None, p, n, few or CONSTANT))
            else:
                correlations.append(Correlation(value, *interval, p, n, note=note))
        return correlations

    def redrawn(
        self, x: Floats, y: Floats, drawn_x: ResampledValues, drawn_y: ResampledValues, groups: int
    ) -> Correlation:
        """The bootstrap of a correlation whose points are themselves computed from the resampled sources.

        A point is a system; its corpus score and human mean differ between samples. A sample in which a point has no
        finite value has no correlation.

        Args:
            x: (n_points,) the first variable over all sources.
            y: (n_points,) the second.
            drawn_x: the first in each sample, (n_samples, n_points).
            drawn_y: the second in each sample.
            groups: how many sources the points are computed from.
        """
        n = len(x)
        if why := _no_value(x, y):
            return Correlation(None, None, None, None, n, why)
        value, own_p = self.point(x, y)
        p = self.stated(own_p, n)
        if why := _too_few(n, groups):
            return Correlation(value, None, None, p, n, why)
        whole = drawn_x.whole & drawn_y.whole
        if whole.all():
            resampled = self.in_rows(drawn_x, drawn_y)
        else:
            resampled = np.full(len(whole), np.nan)
            resampled[whole] = self.rowwise(drawn_x.values[whole], drawn_y.values[whole])
        interval = Bootstrap.interval(resampled)
        if interval is None:
            why = CONSTANT if Bootstrap.enough(whole) else LACKING
            return Correlation(value, None, None, p, n, why)
        return Correlation(value, *interval, p, n)


ONE_POINT = translatable("A correlation needs three points or more; there is 1.")
TWO_POINTS = translatable("A correlation needs three points or more; there are {n}.")
FEW_POINTS = translatable("There is no interval: it needs {fewest} points or more, and there are {n}.")
FEW_GROUPS = translatable("There is no interval: it needs {fewest} groups of points or more, and there are {n}.")
ALIKE = {
    "first": translatable("All {n} values of the first variable are the same."),
    "second": translatable("All {n} values of the second variable are the same."),
}


def _no_value(x: Floats, y: Floats) -> str:
    if len(x) < 3:  # any two lie on a line
        return ONE_POINT if len(x) == 1 else TWO_POINTS.format(n=len(x))
    lacking = int(np.sum(~(np.isfinite(x) & np.isfinite(y))))
    if lacking:
        return f"{lacking} of the {len(x)} points lack{'s' if lacking == 1 else ''} a number."
    for name, values in (("first", x), ("second", y)):
        if all_same(values):
            return ALIKE[name].format(n=len(x))
    return ""


def _too_few(points: int, groups: int) -> str:
    """Why there is no interval; empty where there are points and groups enough."""
    if points < FEWEST:
        return FEW_POINTS.format(fewest=FEWEST, n=points)
    if groups < FEWEST:
        return FEW_GROUPS.format(fewest=FEWEST, n=groups)
    return ""


# The correlations of every metric with every criterion, over the same bootstrap samples.


def correlate_all(
    metrics: Mapping[str, ArrayLike],
    criteria: Mapping[str, ArrayLike],
    groups: Labels,
    coefficients: Mapping[str, CorrelationCoefficient],
    bootstrap: Bootstrap,
) -> dict[tuple[str, str, str], Correlation]:
    """Correlate every metric with every criterion.

    Everything that depends on the order of one variable is computed once for all pairs over the same points.

    Args:
        metrics: scores by name, (n_points,) each. NaN marks a point without a score. A pair is taken over the points
            that have both. Its `n` says how many.
        criteria: people's scores by name, (n_points,) each.
        groups: (n_points,) the source of each point.
        coefficients: by name.
        bootstrap: the samples of the sources. They are the same for every pair and coefficient.

    Returns:
        A Correlation by (metric, criterion, coefficient).
    """
    xs, ys = (
        {name: np.asarray(value, dtype=np.float64) for name, value in given.items()} for given in (metrics, criteria)
    )
    columns = bootstrap.columns(groups) if len(groups) else np.zeros(0, dtype=np.intp)
    shared = _Shared(ys)
    correlations: dict[tuple[str, str, str], Correlation] = {}
    for metric, x in xs.items():
        for here, names in _alike({name: ~(np.isnan(x) | np.isnan(y)) for name, y in ys.items()}):
            first, seconds = Variable(x[here]), [shared.of(name, here) for name in names]
            for label, coefficient in coefficients.items():
                every = coefficient.against(first, seconds, columns[here], bootstrap)
                correlations |= {(metric, name, label): value for name, value in zip(names, every, strict=True)}
    return {
        (metric, name, label): correlations[metric, name, label]
        for metric in xs
        for name in ys
        for label in coefficients
    }


class _Shared:
    """The criteria over the points that a pair has; each is kept until it is asked for over other points."""

    def __init__(self, criteria: Mapping[str, Floats]) -> None:
        self.criteria = criteria
        self.variables: dict[str, tuple[bytes, Variable]] = {}

    def of(self, name: str, here: NDArray[np.bool_]) -> Variable:
        points = np.packbits(here).tobytes()
        if name not in self.variables or self.variables[name][0] != points:
            self.variables[name] = points, Variable(self.criteria[name][here])
        return self.variables[name][1]


def _alike(present: Mapping[str, NDArray[np.bool_]]) -> list[tuple[NDArray[np.bool_], list[str]]]:
    """Names by the points they have."""
    by_points: dict[bytes, tuple[NDArray[np.bool_], list[str]]] = {}
    for name, here in present.items():
        by_points.setdefault(np.packbits(here).tobytes(), (here, []))[1].append(name)
    return list(by_points.values())


# Correlations over systems at each item, after two metrics have swapped their scores on some systems.
#
# x, y and human are scores (n_systems, n_items) of two metrics and of people, NaN in all three where one is missing.
# Each row of `swaps` (n_choices, n_systems) says on which systems y stands in x's place. Every function returns the
# coefficient of the first metric with people, (n_choices, n_items), NaN where it is not defined.
#
# A coefficient is made of sums over systems (Pearson) or over pairs of systems (Spearman, Kendall), and each term
# depends on which metric stands at one system or at two. So the terms of all items are computed once, and a choice of
# swaps picks among them: one matrix product serves all choices and items.

Swaps = NDArray[np.bool_]
TIGHT = 1e-13  # a row's variance that is less than this part of its squares is rounding


def pearson_by_item(x: Floats, y: Floats, human: Floats, swaps: Swaps) -> Floats:
    """Pearson's r from sums over systems; `swaps` as the module says."""
    here = ~np.isnan(human)
    n = here.sum(axis=0)
    about = human - _mean(human, n)
    middle = _mean(x + y, 2 * n)  # of both, so that sums of squares lose few digits
    x, y = x - middle, y - middle
    square, whole, product = (
        _chosen(swaps, np.nan_to_num(first), np.nan_to_num(second))
        for first, second in ((x * x, y * y), (x, y), (x * about, y * about))
    )
    spread = square - whole * whole / np.maximum(n, 1)
    spread[spread <= TIGHT * square] = 0
    return ratio(product, spread * _constant_to_zero(human, np.nansum(about * about, axis=0)))


def spearman_by_item(x: Floats, y: Floats, human: Floats, swaps: Swaps) -> Floats:
    """Spearman's rho: Pearson's r of the number of systems below each, less the number above."""
    ranks = _signs_of_all(human).sum(axis=1)
    product, square = np.zeros((2, len(swaps), human.shape[1]))
    for system in range(len(human)):
        own = np.zeros_like(product)
        for swapped in (False, True):
            rows = swaps[:, system] == swapped
            value = (y if swapped else x)[system]
            signs = [np.nan_to_num(np.sign(value - other)) for other in (x, y)]
            for sign in signs:
                sign[system] = 0
            own[rows] = _chosen(swaps[rows], *signs)
        product += own * ranks[system]
        square += own * own
    return ratio(product, square * np.sum(ranks * ranks, axis=0))


def kendall_by_item(x: Floats, y: Floats, human: Floats, swaps: Swaps) -> Floats:
    """Kendall's tau-b from the signs of all pairs of systems."""
    pairs = list(combinations(range(len(human)), 2))
    signs = np.array([np.nan_to_num(np.sign(human[a] - human[b])) for a, b in pairs])
    product, untied = np.zeros((2, len(swaps), human.shape[1]))
    for first, own in ((False, x), (True, y)):
        for second, other in ((False, x), (True, y)):
            table = np.array([np.nan_to_num(np.sign(own[a] - other[b])) for a, b in pairs])
            choice = np.array([(swaps[:, a] == first) & (swaps[:, b] == second) for a, b in pairs], dtype=float).T
            product += choice @ (table * signs)
            untied += choice @ np.abs(table)
    return ratio(product, untied * np.abs(signs).sum(axis=0))


def _mean(values: Floats, n: NDArray[np.intp]) -> Floats:
    return np.asarray(np.nansum(values, axis=0) / np.maximum(n, 1))


def _constant_to_zero(values: Floats, squares: Floats) -> Floats:
    """Squares about the mean, zero where all values of an item are one."""
    high, low = np.nan_to_num(values, nan=-np.inf).max(axis=0), np.nan_to_num(values, nan=np.inf).min(axis=0)
    return np.where(high > low, squares, 0.0)


def _signs_of_all(values: Floats) -> Floats:
    """sign(a - b) of all pairs of systems, (n_systems, n_systems, n_items); zero where one is missing."""
    return np.nan_to_num(np.sign(values[:, None] - values[None]))


def _chosen(swaps: Swaps, x: Floats, y: Floats) -> Floats:
    """x, or y where swapped, summed over systems: (n_choices, n_items)."""
    return np.asarray(~swaps @ x + swaps @ y)


# Correlations over systems, with a bootstrap over sources: a point is a system, a sample draws sources.
#
# In each sample every system's corpus score and human mean are computed over the drawn sources, from sufficient
# statistics; then the coefficient over the systems.

Numbers: TypeAlias = Mapping[str, Sequence[SufficientStatistics | None]]
"""For each metric or criterion the systems' numbers, in one order of systems; None where a system has none."""


@dataclass(frozen=True)
class SystemScores:
    """A metric's or criterion's values of all systems, NaN where there is none.

    Attributes:
        values: (n_systems,) over all sources, cut to 12 digits. Systems that are equal but for rounding are tied.
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
    """The values of `sums` (n_resamples, k + 1); the last column counts a system's rows in each sample."""
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
