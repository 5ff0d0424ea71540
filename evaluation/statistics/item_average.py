"""Correlation averaged by item: over the systems at each item, and the mean of these, as WMT has it by segment."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.numerics import FEWEST, SAME_WITHIN, Correlation, Floats, Labels, count_distinct, ratio
from evaluation.resampling import Bootstrap
from evaluation.statistics import coefficient_named
from evaluation.statistics._base import Statistic
from foundation.papers import Paper
from foundation.translation import translatable

NONE_THERE = translatable("At no item two systems or more have different scores from people and metric both.")
FEW = translatable("There is no interval: it needs {fewest} sources or more with such items, and there are {groups}.")


@dataclass(frozen=True, kw_only=True)
class ItemAverage(Statistic):
    """`correlate(x, human, ...) -> Correlation`; `over(bootstrap, x, human, groups, ...)` shares samples."""

    correlate: Callable[..., Correlation]
    over: Callable[..., Correlation]


def correlate(
    x: ArrayLike, human: ArrayLike, coefficient: str = "pearson", groups: Labels | None = None, draws: int = 1000,
    seed: int = 0,
) -> Correlation:  # fmt: skip
    """The mean over items of the coefficient over systems, with a percentile interval over resampled sources. No p.

    Args:
        x: (n_systems, n_items) the metric's scores. An output without one of the two (NaN) does not enter.
        human: people's, of the same shape.
        coefficient: pearson, spearman or kendall.
        groups: (n_items,) the items' sources. Without them each item is its own.
        draws: the number of bootstrap samples.
        seed: of their random numbers.

    Returns:
        `n` counts the items that have a coefficient: those where neither side's scores are all the same.

    Raises:
        ValueError: shapes differ, or the coefficient is unknown.
    """
    names = np.arange(np.shape(human)[-1]) if groups is None else groups
    return over(Bootstrap(names, draws, seed), x, human, names, coefficient)


def over(
    bootstrap: Bootstrap, x: ArrayLike, human: ArrayLike, groups: Labels, coefficient: str = "pearson"
) -> Correlation:
    """The same over samples of the groups (n_items,), of which some may have no item here."""
    first, second = np.array(x, dtype=np.float64), np.array(human, dtype=np.float64)
    if first.ndim != 2 or first.shape != second.shape or first.shape[1] != len(groups):
        raise ValueError("x and human are two-dimensional, systems by items, and of equal shape.")
    coefficient_named(coefficient)
    lacking = ~(np.isfinite(first) & np.isfinite(second))
    first[lacking] = second[lacking] = np.nan
    by_item = of_items(first, second, coefficient)
    defined = np.isfinite(by_item)
    n = int(defined.sum())
    if not n:
        return Correlation(None, None, None, None, 0, NONE_THERE)
    value = float(by_item[defined].mean())
    columns = bootstrap.columns(groups)[defined]
    if (known := count_distinct(columns)) < FEWEST:
        return Correlation(value, None, None, None, n, FEW.format(fewest=FEWEST, groups=known))
    sums = bootstrap.weights @ np.column_stack(
        [np.bincount(columns, part, bootstrap.weights.shape[1]) for part in (by_item[defined], np.ones(n))]
    )
    drawn = np.divide(sums[:, 0], sums[:, 1], out=np.full(len(sums), np.nan), where=sums[:, 1] > 0)
    interval = Bootstrap.interval(drawn)
    low, high = interval or (None, None)
    return Correlation(value, low, high, None, n)


def of_items(x: Floats, human: Floats, coefficient: str) -> Floats:
    """The coefficient over the rows of each column (n_items,), NaN where there is none."""
    if not x.size:
        return np.full(x.shape[1], np.nan)
    if coefficient == "pearson":
        return _pearson(x, human)
    no_swaps = np.zeros((1, len(x)), dtype=bool)
    return np.asarray(coefficient_named(coefficient).by_item(x, x, human, no_swaps)[0])


def _pearson(x: Floats, human: Floats) -> Floats:
    """r at each item, NaN where all of one side are the same."""
    here = np.isfinite(x)
    n = np.maximum(here.sum(axis=0), 1)
    first, second = (_about_mean(values, here, n) for values in (x, human))
    squares = np.einsum("si,si->i", first, first) * np.einsum("si,si->i", second, second)
    return ratio(np.einsum("si,si->i", first, second), squares)


def _about_mean(values: Floats, here: NDArray[np.bool_], n: NDArray[np.intp]) -> Floats:
    """In units of the item's largest; zero where there is none, and where all are the same but for rounding."""
    filled = np.where(here, values, 0.0)
    size = np.abs(filled).max(axis=0)
    filled = filled / np.where(size > 0, size, 1.0)
    about = np.where(here, filled - filled.sum(axis=0) / n, 0.0)
    return np.where(np.abs(about).max(axis=0) <= SAME_WITHIN, 0.0, about)


STATISTIC = ItemAverage(
    label="Correlation averaged by item",
    paper=Paper(
        "Freitag et al.",
        2021,
        "Results of the WMT21 Metrics Shared Task: Evaluating Metrics with Expert-based Human Evaluations on TED and "
        "News Domain",
        "https://aclanthology.org/2021.wmt-1.73/",
    ),
    correlate=correlate,
    over=over,
)
