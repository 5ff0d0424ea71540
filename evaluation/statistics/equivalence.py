"""Equivalence and non-inferiority by two one-sided t tests (TOST): is the difference within a margin?"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evaluation.numerics import FEWEST, Labels, all_same
from evaluation.significance import by_source
from evaluation.statistics._base import Statistic
from foundation.lazy_import import lazy_import
from foundation.papers import Paper

special = lazy_import("scipy.special")  # scipy.stats takes half a second to load


@dataclass(frozen=True)
class Equivalence:
    """The mean difference of two systems over `n` sources, the first's less the second's.

    `low` and `high` end the interval of level 1 - 2 alpha: the two are equivalent at alpha by every margin that holds
    it, so `within` is the least such margin, and the first is not worse by more than `not_worse_by` (0: it is better).
    With a margin, `p` is that of equivalence and `p_not_worse` that of non-inferiority.
    """

    difference: float | None
    low: float | None
    high: float | None
    n: int
    within: float | None = None
    not_worse_by: float | None = None
    p: float | None = None
    p_not_worse: float | None = None
    undefined: str = ""


@dataclass(frozen=True, kw_only=True)
class EquivalenceStatistic(Statistic):
    """`compare(a, b, groups_a, groups_b, margin=None, alpha=0.05) -> Equivalence`."""

    compare: Callable[..., Equivalence]


def compare(
    a: ArrayLike,
    b: ArrayLike,
    groups: Labels | None = None,
    groups_b: Labels | None = None,
    margin: float | None = None,
    alpha: float = 0.05,
) -> Equivalence:
    """Whether two systems differ by less than a margin, where high values are good.

    A source counts once, with the mean of each system's judgements of it.

    Args:
        a: (n_judgements,) the first system's values.
        b: the second's.
        groups: (n_judgements,) the sources of `a`. Without them the values are pairs.
        groups_b: the sources of `b`.
        margin: the largest difference that does not matter, above 0, in units of the values.
        alpha: the level of each of the two tests.

    Raises:
        ValueError: lengths differ, or the margin is not above 0.
    """
    if margin is not None and not margin > 0:
        raise ValueError("A margin is above 0.")
    first, second = by_source(a, b, groups, groups_b)
    n = len(first)
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        return Equivalence(None, None, None, n, undefined="A value is not a number.")
    if n < FEWEST:
        why = f"It needs {FEWEST} sources or more that both have, and there are {n}."
        return Equivalence(None, None, None, n, undefined=why)
    apart = first - second
    difference = float(apart.mean())
    if all_same(apart):
        return Equivalence(difference, None, None, n, undefined="All sources have the same difference.")
    error = float(apart.std(ddof=1)) / np.sqrt(n)
    reach = float(special.stdtrit(n - 1, 1 - alpha)) * error
    low, high = difference - reach, difference + reach
    margins = max(abs(low), abs(high)), max(0.0, -low)
    if margin is None:
        return Equivalence(difference, low, high, n, *margins)
    p_not_worse = float(special.stdtr(n - 1, -(difference + margin) / error))
    p_not_better = float(special.stdtr(n - 1, (difference - margin) / error))
    return Equivalence(difference, low, high, n, *margins, max(p_not_worse, p_not_better), p_not_worse)


STATISTIC = EquivalenceStatistic(
    label="Two one-sided tests",
    paper=Paper(
        "Lakens",
        2017,
        "Equivalence Tests: A Practical Primer for t Tests, Correlations, and Meta-Analyses",
        "https://doi.org/10.1177/1948550617697177",
    ),
    compare=compare,
)
