"""The Mann-Whitney test of two samples: a worker's scores of good items against those of items broken on purpose."""

import numpy as np
from numpy.typing import ArrayLike

from evaluation import significance
from evaluation.numerics import FEWEST, Direction, Floats, Test, all_same, mid_ranks, without_rounding
from evaluation.statistics._base import SampleTest
from foundation.papers import Paper
from foundation.translation import translatable

FEW = translatable("There is no test: it needs {fewest} values or more, and there are {n}.")
SAME = translatable("There is no test: all {n} values are the same.")


def compare(x: ArrayLike, y: ArrayLike, direction: Direction = "two-sided") -> Test:
    """Whether x (n,) lies above y (m,); "greater" tests only that it does. `statistic` is U of x.

    p is exact up to 50 values in all, ties included, and a normal one (ties and continuity corrected) beyond.
    `effect` is the common language effect size: how often a value of x is above one of y, equal ones as half.
    """
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if first.ndim != 1 or second.ndim != 1:
        raise ValueError("x and y are one-dimensional.")
    both = np.concatenate((first, second))
    n = len(both)
    if why := _no_test(len(first), len(second), both):
        return Test(None, None, n, None, why)
    ranks = mid_ranks(without_rounding(both))
    rank_sum = float(ranks[: len(first)].sum())
    u = rank_sum - len(first) * (len(first) + 1) / 2
    effect = u / (len(first) * len(second))
    return Test(u, _p(ranks, len(first), rank_sum, direction), n, effect)


def _p(ranks: Floats, count: int, rank_sum: float, direction: Direction) -> float:
    n, pairs = len(ranks), count * (len(ranks) - count)
    if n <= significance.MOST:
        return significance.rank_sum_p(ranks, count, rank_sum, direction)
    variance = pairs / 12 * (n + 1 - significance.ties_of(ranks) / (n * (n - 1)))
    return significance.normal_p(rank_sum, count * (n + 1) / 2, variance, direction, continuity=0.5)


def _no_test(first: int, second: int, both: np.ndarray[tuple[int], np.dtype[np.float64]]) -> str:
    if not (first and second):
        return translatable("There is no test: one of the two samples is empty.")
    if not np.isfinite(both).all():
        return translatable("There is no test: a value is not a number.")
    if len(both) < FEWEST:
        return FEW.format(fewest=FEWEST, n=len(both))
    if all_same(both):
        return SAME.format(n=len(both))
    return ""


STATISTIC = SampleTest(
    label="Mann-Whitney test",
    paper=Paper(
        "Mann and Whitney",
        1947,
        "On a test of whether one of two random variables is stochastically larger than the other",
        "https://doi.org/10.1214/aoms/1177730491",
    ),
    effect=translatable("common language effect size"),
    compare=compare,
)
