"""Correlation averaged by system: over the items of each system, and the mean of these."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.numerics import FEWEST, SAME_WITHIN, Codes, Correlation, Floats, Labels, count_distinct, ratio
from evaluation.resampling import Bootstrap
from evaluation.statistics._base import Statistic
from evaluation.statistics.item_average import FEW
from foundation.papers import Paper
from foundation.translation import translatable

FEWER = 4  # how much larger than the groups of a row all of them are, where those alone are summed
TOGETHER = 16  # rows whose samples are in hand at a time
NONE_THERE = translatable("No system has two items or more with different scores from people and metric both.")


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
    counts = np.diff(starts, append=len(rows))
    here = np.repeat(np.isfinite(by_system), counts)
    if (known := count_distinct(columns[here])) < FEWEST:
        return Correlation(value, None, None, None, n, FEW.format(fewest=FEWEST, groups=known))
    sums, counts = _over_rows(bootstrap.weights, counts[defined], columns[here], x[here], human[here])
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


def _over_rows(
    weights: Floats, counts: NDArray[np.intp], columns: NDArray[np.intp], x: Floats, human: Floats
) -> tuple[Floats, Floats]:
    """In each sample the sum over runs of points of Pearson's r, and how many have one, (n_samples,) both; `counts` are
    the points of each run."""
    starts = np.cumsum(counts) - counts
    x, human = (side - np.repeat(np.add.reduceat(side, starts) / counts, counts) for side in (x, human))
    used = np.flatnonzero(np.bincount(columns, minlength=weights.shape[1]))
    if 2 * len(used) < weights.shape[1]:
        weights, columns = weights[:, used], np.searchsorted(used, columns)
    row = np.repeat(np.arange(len(counts)), counts)
    cells, cell = np.unique(row * weights.shape[1] + columns, return_inverse=True)
    terms = (None, x, human, x * x, human * human, x * human)
    by_cell = np.array([np.bincount(cell, term, len(cells)) for term in terms])  # points of one group together
    row, column = np.divmod(cells, weights.shape[1])
    of_row = np.bincount(row, minlength=len(counts))
    few = FEWER * int(of_row.max()) <= weights.shape[1]  # one rater's points are of few groups
    turned = np.ascontiguousarray(weights.T) if few else weights.T
    ends, sums, defined = np.cumsum(of_row), np.zeros(len(weights)), np.zeros(len(weights))
    for first in range(0, len(counts), TOGETHER):
        last = min(first + TOGETHER, len(counts))
        part = slice(ends[first] - of_row[first], ends[last - 1])
        inside = row[part] - first, column[part]
        drawn = _in_samples((_sums_of_few if few else _sums_of_all)(turned, inside, by_cell[:, part], last - first))
        known = np.isfinite(drawn)
        sums += np.where(known, drawn, 0.0).sum(axis=0)
        defined += known.sum(axis=0)
    return sums, defined


def _sums_of_all(turned: Floats, cells: tuple[Codes, Codes], values: Floats, rows: int) -> Floats:
    """The sums of values (terms, n_cells) of rows and groups in each sample, (terms, rows, n_samples)."""
    table = np.zeros((len(values), rows, len(turned)))
    table[:, cells[0], cells[1]] = values
    return np.asarray(table.reshape(-1, len(turned)) @ turned).reshape(len(values), rows, -1)


def _sums_of_few(turned: Floats, cells: tuple[Codes, Codes], values: Floats, rows: int) -> Floats:
    """The same from the few groups of each row alone."""
    counts = np.bincount(cells[0], minlength=rows)
    within = np.arange(len(cells[0])) - np.repeat(np.cumsum(counts) - counts, counts)
    groups = np.zeros((rows, counts.max()), dtype=np.intp)
    table = np.zeros((rows, len(values), counts.max()))
    groups[cells[0], within] = cells[1]
    table[cells[0], :, within] = values.T
    return np.asarray((table @ turned[groups]).transpose(1, 0, 2))


def _in_samples(sums: Floats) -> Floats:
    """Pearson's r from sums (6, ...) of 1, x, human, their squares and their product, in each sample; NaN where one
    side's are all the same."""
    _, sum_x, sum_h, square_x, square_h, product = sums
    n = np.maximum(sums[0], 1)
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
