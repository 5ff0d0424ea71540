"""Tests of significance: exact rank tests, paired resampling tests of systems, families of tests."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, erfc, sqrt
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.numerics import FEWEST, Direction, Floats, Labels, Test
from evaluation.resampling import Bootstrap, SufficientStatistics
from foundation.translation import translatable

FEW = translatable("There is no test: it needs {fewest} sources or more that both have, and there are {n}.")

# Exact p of rank tests, ties included: the sums of ranks that chance gives, counted.
#
# Middle ranks are halves, so twice a rank is a whole number, and the sums are counted by adding one rank after another.
# The counts stay below 2^53 for as many points as `MOST`, so floats hold them exactly.

MOST = 50  # points; beyond, the normal curve is as good


def signed_rank_p(ranks: Floats, observed: float, direction: Direction) -> float:
    """p of `observed`, the sum of the positive ranks among ranks (n_pairs,), each positive with an even chance."""
    twice = _twice(ranks)
    ways = np.zeros(int(twice.sum()) + 1)
    ways[0] = 1
    for rank in twice:
        ways[rank:] += ways[:-rank].copy()
    return tails(ways, observed, direction)


def rank_sum_p(ranks: Floats, count: int, observed: float, direction: Direction) -> float:
    """p of `observed`, the rank sum of a sample of `count` among ranks (n_values,), all equally likely."""
    twice = _twice(ranks)
    ways = np.zeros((count + 1, int(twice.sum()) + 1))
    ways[0, 0] = 1
    for rank in twice:
        ways[1:, rank:] += ways[:-1, :-rank].copy()
    return tails(ways[count], observed, direction)


def tails(ways: Floats, observed: float, direction: Direction) -> float:
    """p from the number of ways to each doubled sum; two-sided p is twice the smaller tail."""
    place = round(2 * observed)
    above = float(ways[place:].sum() / ways.sum())
    below = float(ways[: place + 1].sum() / ways.sum())
    return {"greater": above, "less": below, "two-sided": min(1.0, 2 * min(above, below))}[direction]


def normal_p(statistic: float, mean: float, variance: float, direction: Direction, continuity: float = 0.0) -> float:
    """p of a statistic by the normal curve, with `continuity` taken from its distance to the mean, as scipy has it."""
    distance = {"greater": statistic - mean, "less": mean - statistic, "two-sided": abs(statistic - mean)}[direction]
    above = erfc((distance - continuity) / sqrt(2 * variance)) / 2
    return min(1.0, 2 * above) if direction == "two-sided" else above


def ties_of(ranks: Floats) -> float:
    """The sum of t^3 - t over the groups of t equal ranks, by which ties lessen the variance of a sum of ranks."""
    counts = np.unique(ranks, return_counts=True)[1].astype(np.float64)
    return float((counts**3 - counts).sum())


def _twice(ranks: Floats) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.rint(2 * ranks).astype(np.int64)


# Families of tests: the draws of a resampling test in one, and code that all corrections share.

SortedP: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float64]]
FEWEST_DRAWS, MOST_DRAWS = 1000, 100_000


def draws_for(tests: int, alpha: float, fewest: int = FEWEST_DRAWS, most: int = MOST_DRAWS) -> int:
    """How many draws a resampling test takes in a family of tests, so that its p can be significant at all.

    The least p that n draws can give is 1 / (n + 1), which Holm's correction multiplies by the number of tests: there
    are enough draws for that to stay below half of alpha, up to a bound.

    Args:
        tests: In the family over which p is corrected.
        alpha: The level.
        fewest: Draws that are taken in any case.
        most: The bound.
    """
    return min(max(fewest, ceil(2 * tests / alpha)), max(fewest, most))


def is_reachable(tests: int, alpha: float, draws: int) -> bool:
    """Whether a corrected p can be below alpha after so many draws."""
    return tests / (draws + 1) < alpha


def adjust_family(p_values: Sequence[float | None], adjusted: Callable[[SortedP], SortedP]) -> list[float | None]:
    """Correct the p of one family of tests.

    Args:
        p_values: None where there is no test.
        adjusted: the correction of ascending p (n_tests,), in the same order.

    Returns:
        The corrected p in the order given; None stays None.

    Raises:
        ValueError: a p lies outside 0 to 1.
    """
    tested = [place for place, p in enumerate(p_values) if p is not None]
    p = np.array([p_values[place] for place in tested], dtype=np.float64)
    if not np.all((p >= 0) & (p <= 1)):
        raise ValueError("A p lies between 0 and 1.")
    adjusted_p: list[float | None] = [None] * len(p_values)
    order = np.argsort(p, kind="stable")
    for place, value in zip(order, adjusted(p[order]), strict=True):
        adjusted_p[tested[place]] = float(value)
    return adjusted_p


# Two systems over the same sources: code that all paired resampling tests share.
#
# A comparison is two SufficientStatistics: of means of judgements, or of corpus scores of one metric. Only the sources
# that both systems have count, each with all its outputs and judgements. The resamples of a comparison depend on its
# number of sources and the seed alone, so its p is the same whatever else is compared beside it, and one matrix serves
# all comparisons with equally many sources.

Comparison: TypeAlias = tuple[SufficientStatistics, SufficientStatistics]
Resample: TypeAlias = Callable[[Sequence[tuple[Floats, Floats]], int, int], Iterable[tuple[Floats, Floats]]]
"""(pairs of sums by source (n_sources, n_sums), n_resamples, seed) -> each pair's sums in each resample, (n_resamples,
n_sums) both; those of one pair at a time are asked for, so that they need not all be in memory."""

ROUNDING = 1e-9  # a resampled difference that is short of the observed one by less than this part of it is as large


@dataclass(frozen=True)
class ResampledDifference:
    """The difference of two systems, over `sources` sources, and in each of the `resamples` (n_resamples,).

    A difference no larger than `rounding` counts as none.
    """

    difference: float
    resamples: Floats
    sources: int
    rounding: float


@dataclass(frozen=True)
class _BySource:
    """`sums` (G, k) of the sources `names`, sorted."""

    names: NDArray[np.generic]
    sums: Floats


def mean_of_judgements(values: ArrayLike, groups: Labels | None = None) -> SufficientStatistics:
    """The mean of judgements (n,), of the sources `groups` (n,), as sums. ValueError: lengths differ."""
    scores = np.asarray(values, dtype=np.float64)
    names = np.arange(len(scores)) if groups is None else np.asarray(groups)
    if scores.ndim != 1 or names.shape != scores.shape:
        raise ValueError("Judgements and groups are one-dimensional and of equal length.")
    return SufficientStatistics(names, np.column_stack((scores, np.ones(len(scores)))), _mean)


def pair(a: ArrayLike, b: ArrayLike, groups: Labels | None, groups_b: Labels | None) -> Comparison:
    """Two systems' judgements; `groups_b` are those of `a` where it is left out. ValueError: lengths differ."""
    if groups is None and groups_b is None and np.shape(a) != np.shape(b):
        raise ValueError("Without groups the judgements are pairs, of equal length.")
    return mean_of_judgements(a, groups), mean_of_judgements(b, groups if groups_b is None else groups_b)


def by_source(a: ArrayLike, b: ArrayLike, groups: Labels | None, groups_b: Labels | None) -> tuple[Floats, Floats]:
    """Each system's mean in the sources that both have, (G,) each; as `pair`."""
    first, second = _BySources().common(*pair(a, b, groups, groups_b))
    return _mean(first), _mean(second)


def shared_difference(a: SufficientStatistics, b: SufficientStatistics) -> tuple[float | None, int]:
    """The difference of two systems over the sources that both have, and how many these are; None where it has none."""
    both = _BySources().common(a, b)
    difference = _difference((a, b), both) if len(both[0]) else np.nan
    return (difference if np.isfinite(difference) else None), len(both[0])


def resample_differences(
    comparisons: Sequence[Comparison], redraw: Resample, draws: int, seed: int
) -> list[ResampledDifference | Test]:
    """The resampled difference of each comparison, or the Test that says why there is none."""
    results: list[ResampledDifference | Test | None] = [None] * len(comparisons)
    sums = _BySources()
    systems = {id(statistics): statistics for comparison in comparisons for statistics in comparison}
    gaps = {key: int(np.sum(~np.isfinite(of.rows).all(axis=1))) for key, of in systems.items()}
    alike: dict[int, list[int]] = {}
    pairs: dict[int, tuple[Floats, Floats]] = {}
    for place, (a, b) in enumerate(comparisons):
        if lacking := gaps[id(a)] + gaps[id(b)]:
            rows = len(a.rows) + len(b.rows)
            why = f"{lacking} of the {rows} values lack{'s' if lacking == 1 else ''} a number."
            results[place] = Test(None, None, rows, None, why)
            continue
        pairs[place] = sums.common(a, b)
        alike.setdefault(len(pairs[place][0]), []).append(place)
    for sources, places in alike.items():
        if sources < FEWEST:
            for place in places:
                results[place] = _too_few(comparisons[place], pairs[place])
            continue
        drawn = redraw([pairs[place] for place in places], draws, seed)
        for place, (drawn_a, drawn_b) in zip(places, drawn, strict=True):
            results[place] = _drawn(comparisons[place], pairs[place], drawn_a, drawn_b)
    return [_checked(result) for result in results if result is not None]


def compare_many(
    redraw: Resample,
    decide: Callable[[ResampledDifference], Test],
    comparisons: Sequence[Comparison],
    draws: int = 1000,
    seed: int = 0,
) -> list[Test]:
    """A Test for each comparison, over the sources both have.

    Args:
        redraw: the resamples of such a test.
        decide: the Test of a resampled difference.
        comparisons: pairs of SufficientStatistics.
        draws: the number of resamples.
        seed: of their random numbers.
    """
    differences = resample_differences(comparisons, redraw, draws, seed)
    return [resampled if isinstance(resampled, Test) else decide(resampled) for resampled in differences]


def compare(
    redraw: Resample,
    decide: Callable[[ResampledDifference], Test],
    a: ArrayLike,
    b: ArrayLike,
    groups: Labels | None = None,
    groups_b: Labels | None = None,
    draws: int = 1000,
    seed: int = 0,
) -> Test:
    """The difference of two means of judgements, a less b; see `compare_many`."""
    return compare_many(redraw, decide, [pair(a, b, groups, groups_b)], draws, seed)[0]


def p_of(values: Floats, difference: float, rounding: float = 0.0) -> float:
    """The share of values (n_resamples,) as far from zero as the observed difference, itself counted as one of them.

    A value nearer by no more than `rounding` is as far. If the difference is none but for rounding, every value is.
    """
    as_far = int(np.sum(np.abs(values) >= abs(difference) * (1 - ROUNDING) - rounding))
    return (as_far + 1) / (len(values) + 1)


class _BySources:
    """Sums by source, computed once for each number: a baseline stands in many comparisons."""

    def __init__(self) -> None:
        self._numbers: dict[int, _BySource] = {}
        self._names: dict[int, tuple[NDArray[np.generic], NDArray[np.intp]]] = {}

    def common(self, a: SufficientStatistics, b: SufficientStatistics) -> tuple[Floats, Floats]:
        """Both sums over the sources that both have, (G, k) each."""
        first, second = self._of(a), self._of(b)
        if np.array_equal(first.names, second.names):
            return first.sums, second.sums
        _, in_first, in_second = np.intersect1d(first.names, second.names, assume_unique=True, return_indices=True)
        return first.sums[in_first], second.sums[in_second]

    def _of(self, statistics: SufficientStatistics) -> _BySource:
        if id(statistics) not in self._numbers:
            self._numbers[id(statistics)] = self._summed(statistics)
        return self._numbers[id(statistics)]

    def _summed(self, statistics: SufficientStatistics) -> _BySource:
        groups: NDArray[Any] = statistics.groups
        if (groups[1:] > groups[:-1]).all():  # a row a source, in order
            return _BySource(statistics.groups, statistics.rows)
        if id(statistics.groups) not in self._names:
            names, places = np.unique(statistics.groups, return_inverse=True)
            self._names[id(statistics.groups)] = (names, places.astype(np.intp))
        names, places = self._names[id(statistics.groups)]
        sums = [np.bincount(places, column, len(names)) for column in statistics.rows.T]
        return _BySource(names, np.column_stack(sums))


def _mean(sums: Floats) -> Floats:
    return np.asarray(sums[..., 0] / sums[..., 1])


def _drawn(
    comparison: Comparison, pair: tuple[Floats, Floats], drawn_a: Floats, drawn_b: Floats
) -> ResampledDifference:
    a, b = comparison
    values = a.value_of(drawn_a), b.value_of(drawn_b)
    largest = max(float(np.max(np.abs(value), initial=0, where=np.isfinite(value))) for value in values)
    return ResampledDifference(_difference(comparison, pair), values[0] - values[1], len(pair[0]), 1e-13 * largest)


def _difference(comparison: Comparison, pair: tuple[Floats, Floats]) -> float:
    a, b = comparison
    return float(a.value_of(pair[0].sum(axis=0)) - b.value_of(pair[1].sum(axis=0)))


def _too_few(comparison: Comparison, pair: tuple[Floats, Floats]) -> Test:
    sources = len(pair[0])
    value = _difference(comparison, pair) if sources else None
    why = FEW.format(fewest=FEWEST, n=sources)
    return Test(value, None, sources, None, why)


def _checked(resampled: ResampledDifference | Test) -> ResampledDifference | Test:
    if isinstance(resampled, Test):
        return resampled
    finite = np.isfinite(resampled.resamples)
    if not np.isfinite(resampled.difference):
        return Test(None, None, resampled.sources, None, translatable("There is no test: one of the two has no value."))
    if not Bootstrap.enough(finite):
        why = translatable("There is no test: in too many of the draws one of the two has no value.")
        return Test(resampled.difference, None, resampled.sources, None, why)
    if abs(resampled.difference) <= resampled.rounding and np.all(
        np.abs(resampled.resamples[finite]) <= resampled.rounding
    ):
        return Test(
            0.0, None, resampled.sources, None, translatable("There is no test: both are the same in every draw.")
        )
    difference = 0.0 if abs(resampled.difference) <= resampled.rounding else resampled.difference
    return ResampledDifference(difference, resampled.resamples[finite], resampled.sources, resampled.rounding)
