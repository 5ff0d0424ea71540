"""Wilcoxon's signed-rank test between two systems, as PLABA compares its models."""

import numpy as np
from numpy.typing import ArrayLike

from evaluation import significance
from evaluation.numerics import FEWEST, Direction, Floats, Labels, Test, difference_without_rounding, mid_ranks
from evaluation.significance import by_source
from evaluation.statistics._base import PairedTest
from foundation.papers import Paper
from foundation.translation import translatable

FEW = translatable("There is no test: it needs {fewest} pairs or more, and there are {n}.")
SAME = translatable("There is no test: both are the same in all {n} pairs.")


def compare(
    a: ArrayLike,
    b: ArrayLike,
    groups: Labels | None = None,
    groups_b: Labels | None = None,
    direction: Direction = "two-sided",
) -> Test:
    """Whether a's values lie above b's; `statistic` is the sum of the ranks of the sources in which a is above.

    A source counts once, with the mean of each system's judgements of it. Sources in which both are equal are left
    out of the ranks and stay in `n`. p is exact up to 50 others, ties among them included, and a normal one (ties
    corrected) beyond. `effect` is the matched-pairs rank-biserial correlation (Kerby 2014), -1 to 1. ValueError:
    lengths differ.
    """
    first, second = by_source(a, b, groups, groups_b)
    n = len(first)
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        return Test(None, None, n, None, translatable("There is no test: a value is not a number."))
    if n < FEWEST:
        return Test(None, None, n, None, FEW.format(fewest=FEWEST, n=n))
    apart = difference_without_rounding(first, second)
    apart = apart[np.abs(apart) > 0]
    if len(apart) == 0:
        return Test(None, None, n, None, SAME.format(n=n))
    ranks = mid_ranks(np.abs(apart))
    above, total = float(ranks[apart > 0].sum()), float(ranks.sum())
    return Test(above, _p(ranks, above, direction), n, 2 * above / total - 1)


def _p(ranks: Floats, above: float, direction: Direction) -> float:
    n = len(ranks)
    if n <= significance.MOST:
        return significance.signed_rank_p(ranks, above, direction)
    variance = (n * (n + 1) * (2 * n + 1) - significance.ties_of(ranks) / 2) / 24
    return significance.normal_p(above, n * (n + 1) / 4, variance, direction)


STATISTIC = PairedTest(
    label="Wilcoxon signed-rank test",
    paper=Paper("Wilcoxon", 1945, "Individual comparisons by ranking methods", "https://doi.org/10.2307/3001968"),
    effect=translatable("rank-biserial correlation"),
    compare=compare,
)
