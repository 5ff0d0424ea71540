"""Spearman's rho: Pearson's r of the ranks, tied values at the middle of their places."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.correlation import ResampledValues, Variable, spearman_by_item
from evaluation.exact_permutations import EXACT_POINTS, exact_p
from evaluation.numerics import Floats, count_distinct, ratio
from evaluation.resampling import is_large, project
from evaluation.statistics._base import Coefficient
from foundation.lazy_import import lazy_import
from foundation.papers import Paper

special = lazy_import("scipy.special")

BATCH = 128  # draws at a time, so that they stay in the processor's cache


def rho(x: Variable, y: Variable) -> float:
    """The coefficient alone, which needs no more than NumPy."""
    return float(np.clip(x.leads @ y.leads / np.sqrt((x.leads @ x.leads) * (y.leads @ y.leads)), -1, 1))


def pointed(x: Variable, y: Variable) -> tuple[float, float]:
    """rho and its two-sided p: exact for few points (`exact_p`), else by Student's t as scipy has it."""
    found = rho(x, y)
    if len(x) <= EXACT_POINTS:
        return found, exact_p(lambda orders: y.leads[orders] @ x.leads, len(x))
    free = len(x) - 2
    with np.errstate(divide="ignore"):
        t = found * np.sqrt(np.float64(free) / ((1 + found) * (1 - found)))
    return found, float(2 * special.stdtr(free, -abs(t)))


def resampled(x: Floats, y: Floats, columns: NDArray[np.intp], weights: Floats) -> Floats:
    """rho in each bootstrap sample, (n_samples,), exactly that of the sample written out point by point.

    Points are sorted once; a draw's ranks are running sums of its weights. Ranks are taken about their mean, which
    makes them halves of whole numbers, so the sums carry no rounding.
    """
    order = np.argsort(x, kind="stable")
    groups = columns[order]
    x_levels = _levels(x[order])
    y_levels = _levels(y[order])
    parts = [
        _batch(x_levels, y_levels, np.ascontiguousarray(weights[start : start + BATCH].T)[groups])
        for start in range(0, len(weights), BATCH)
    ]
    return np.concatenate(parts)


def across(x: Variable, ys: Sequence[Variable], columns: NDArray[np.intp], weights: Floats) -> list[Floats]:
    """rho of x with each y in each sample: exact for few points, to first order for many (`first_order_projection`).

    The form is the sum of p_i p_j p_k sign(xi - xj) sign(yi - yk), the covariance of the middle ranks.
    """
    if not is_large(len(x), count_distinct(columns)):
        return [resampled(x.ordered, y.ordered, columns, weights) for y in ys]
    slopes = [_own_slopes(variable) for variable in (x, *ys)] + [_slopes(x, y) for y in ys]
    forms = project(slopes, 3, columns, weights)
    squares, products = forms[1 : len(ys) + 1], forms[len(ys) + 1 :]
    return [ratio(product, forms[0] * square) for product, square in zip(products, squares, strict=True)]


def _slopes(x: Variable, y: Variable) -> Floats:
    """The slopes of the form in each point's share: as the point ranked, and as one that others are ranked by."""
    n = len(x)
    return (x.leads * y.leads + x.sums_above(y.leads) + y.sums_above(x.leads)) / n**2


def _own_slopes(variable: Variable) -> Floats:
    return (variable.leads**2 + 2 * variable.sums_above(variable.leads)) / len(variable) ** 2


def in_rows(x: ResampledValues, y: ResampledValues) -> Floats:
    """rho of each row of x and y (n_samples, n_points)."""
    return ratio(np.einsum("dn,dn->d", x.ranks, y.ranks), x.rank_square * y.rank_square)


def _levels(values: Floats) -> NDArray[np.intp]:
    """Each point's place among the distinct values, from 0."""
    return np.unique(values, return_inverse=True)[1].astype(np.intp)


def _batch(x_levels: NDArray[np.intp], y_levels: NDArray[np.intp], times: Floats) -> Floats:
    """rho of each sample, which holds a point `times` (n_points, n_samples) times; points in the order of x."""
    x_totals, x_ranks = _ranks(x_levels, times)
    by_y = np.argsort(y_levels, kind="stable")
    y_totals, y_ranks = _ranks(y_levels[by_y], times[by_y])
    together = y_ranks[y_levels]
    together *= times
    if len(x_totals) < len(times):
        together = np.add.reduceat(together, _starts(x_levels), axis=0)
    product = np.einsum("ld,ld->d", together, x_ranks)
    x_square = np.einsum("ld,ld,ld->d", x_totals, x_ranks, x_ranks)
    y_square = np.einsum("ld,ld,ld->d", y_totals, y_ranks, y_ranks)
    return ratio(product, x_square * y_square)


def _ranks(levels: NDArray[np.intp], times: Floats) -> tuple[Floats, Floats]:
    """How often a sample holds each level, and its mid-rank about the mean, (n_levels, n_samples); points sorted."""
    starts = _starts(levels)
    totals = times if len(starts) == len(times) else np.add.reduceat(times, starts, axis=0)
    ranks = np.cumsum(totals, axis=0)
    half = ranks[-1] / 2
    ranks -= totals / 2
    ranks -= half
    return totals, ranks


def _starts(levels: NDArray[np.intp]) -> NDArray[np.intp]:
    """Where each level begins in sorted levels."""
    return np.flatnonzero(np.diff(levels, prepend=-1)).astype(np.intp)


STATISTIC = Coefficient(
    label="Spearman's rho",
    paper=Paper(
        "Spearman",
        1904,
        "The proof and measurement of association between two things",
        "https://doi.org/10.2307/1412159",
    ),
    pointed=pointed,
    resampled=resampled,
    across=across,
    in_rows=in_rows,
    by_item=spearman_by_item,
    projects=True,
)
