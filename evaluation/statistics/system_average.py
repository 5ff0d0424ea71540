"""Correlation averaged by system: over the items of each system, and the mean of these."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.numerics import FEWEST, SAME_WITHIN, Correlation, Floats, Labels, count_distinct, ratio
from evaluation.resampling import Bootstrap
from evaluation.statistics._base import Statistic
from evaluation.statistics.item_average import FEW
from foundation.papers import Paper

NONE_THERE = "Of no system two items or more have different scores from people and metric both."


@dataclass(frozen=True, kw_only=True)
class SystemAverage(Statistic):
    """`correlate(x, human, ...) -> Correlation`; `over(bootstrap, x, human, groups)` shares samples."""

    correlate: Callable[..., Correlation]
    over: Callable[..., Correlation]


def correlate(
    x: ArrayLike, human: ArrayLike, groups: Labels | None = None, draws: int = 1000, seed: int = 0
) -> Correlation:
    """The mean over systems of Pearson's r over items, with a percentile interval over resampled sources. No p.

    Args:
        x: (n_systems, n_items) the metric's scores. An output without one of the two (NaN) does not enter.
        human: people's, of the same shape.
        groups: (n_items,) the items' sources. Without them each item is its own.
        draws: the number of bootstrap samples.
        seed: of their random numbers.

    Returns:
        `n` counts the systems that have a coefficient: those where neither side's scores are all the same.

    Raises:
        ValueError: shapes differ.
    """
    names = np.arange(np.shape(human)[-1]) if groups is None else groups
    return over(Bootstrap(names, draws, seed), x, human, names)


def over(bootstrap: Bootstrap, x: ArrayLike, human: ArrayLike, groups: Labels) -> Correlation:
    """The same over samples of the groups (n_items,), of which some may have no item here."""
    first, second = np.array(x, dtype=np.float64), np.array(human, dtype=np.float64)
    if first.ndim != 2 or first.shape != second.shape or first.shape[1] != len(groups):
        raise ValueError("x and human are two-dimensional, systems by items, and of equal shape.")
    here = np.isfinite(first) & np.isfinite(second)
    return of_points(bootstrap, np.nonzero(here)[0], first[here], second[here], np.asarray(groups)[np.nonzero(here)[1]])


def of_points(bootstrap: Bootstrap, rows: NDArray[np.intp], x: Floats, human: Floats, groups: Labels) -> Correlation:
    """The same over points (n,), each with the number of its system, which do not fall."""
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    by_system = _of_rows(starts, x, human)
    defined = np.flatnonzero(np.isfinite(by_system))
    if not len(defined):
        return Correlation(None, None, None, None, 0, NONE_THERE)
    value, n = float(by_system[defined].mean()), len(defined)
    columns = bootstrap.columns(groups)
    parts = [slice(*ends) for ends in zip(starts, np.append(starts[1:], len(rows)), strict=True)]
    if (known := count_distinct(np.concatenate([columns[parts[place]] for place in defined]))) < FEWEST:
        return Correlation(value, None, None, None, n, FEW.format(fewest=FEWEST, groups=known))
    drawn = np.array([
        _in_samples(bootstrap, columns[part], x[part], human[part]) for part in (parts[place] for place in defined)
    ])  # fmt: skip
    counts = np.isfinite(drawn).sum(axis=0)
    sums = np.nansum(drawn, axis=0)
    interval = Bootstrap.interval(np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0))
    low, high = interval or (None, None)
    return Correlation(value, low, high, None, n)


def _of_rows(starts: NDArray[np.intp], x: Floats, human: Floats) -> Floats:
    """Pearson's r of each run of points (n_rows,), NaN where one side's are all the same."""
    if not len(starts):
        return np.empty(0)
    first, second = (_about_mean(starts, side) for side in (x, human))
    products = ((first, second), (first, first), (second, second))
    product, square_x, square_h = (np.add.reduceat(one * other, starts) for one, other in products)
    return ratio(product, square_x * square_h)


def _about_mean(starts: NDArray[np.intp], values: Floats) -> Floats:
    """In units of the run's largest; zero where all of a run are the same but for rounding."""
    counts = np.diff(starts, append=len(values))
    size = np.maximum.reduceat(np.abs(values), starts)
    scaled = values / np.repeat(np.where(size > 0, size, 1.0), counts)
    about = scaled - np.repeat(np.add.reduceat(scaled, starts) / counts, counts)
    flat = np.maximum.reduceat(np.abs(about), starts) <= SAME_WITHIN
    return np.where(np.repeat(flat, counts), 0.0, about)


def _in_samples(bootstrap: Bootstrap, columns: NDArray[np.intp], x: Floats, human: Floats) -> Floats:
    """Pearson's r of one system's points in each sample, (n_samples,); NaN where one side's are all the same."""
    x, human = (values - values.mean() for values in (x, human))
    terms = (np.ones(len(x)), x, human, x * x, human * human, x * human)
    weights = bootstrap.weights
    if 2 * len(columns) < weights.shape[1]:  # one rater's points are of few groups
        used, columns = np.unique(columns, return_inverse=True)
        weights = weights[:, used]
    by_group = np.column_stack([np.bincount(columns, term, weights.shape[1]) for term in terms])
    n, sum_x, sum_h, square_x, square_h, product = (weights @ by_group).T
    n = np.maximum(n, 1)
    spread_x, spread_h = square_x - sum_x**2 / n, square_h - sum_h**2 / n
    flat = (spread_x <= SAME_WITHIN * square_x) | (spread_h <= SAME_WITHIN * square_h)
    return ratio(product - sum_x * sum_h / n, np.where(flat, 0.0, spread_x * spread_h))


STATISTIC = SystemAverage(
    label="Correlation averaged by system",
    paper=Paper(
        "Freitag et al.",
        2022,
        "Results of WMT22 Metrics Shared Task: Stop Using BLEU - Neural Metrics Are Better and More Robust",
        "https://aclanthology.org/2022.wmt-1.2/",
    ),
    correlate=correlate,
    over=over,
)
