"""Pearson's r: how far y lies on a straight line over x."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.correlation import ResampledValues, Variable, pearson_by_item
from evaluation.numerics import SAME_WITHIN, Floats, ratio
from evaluation.statistics._base import Coefficient
from foundation.lazy_import import lazy_import
from foundation.papers import Paper

special = lazy_import("scipy.special")


def pointed(x: Variable, y: Variable) -> tuple[float, float]:
    """r and its two-sided p (normal, independent points): of a beta distribution, as scipy has it."""
    r = float(np.clip(x.direction @ y.direction, -1, 1))
    half = len(x) / 2 - 1
    return r, 1.0 if not half else min(1.0, float(2 * special.betainc(half, half, (1 - abs(r)) / 2)))


def resampled(x: Floats, y: Floats, columns: NDArray[np.intp], weights: Floats) -> Floats:
    """r in each sample, (n_samples,), from the sums of each group, whatever the number of points."""
    return across(Variable(x), [Variable(y)], columns, weights)[0]


def across(x: Variable, ys: Sequence[Variable], columns: NDArray[np.intp], weights: Floats) -> list[Floats]:
    """r of x with each y in each sample, from one product of all groups' sums with the samples."""
    parts = [np.ones(len(x)), *_moments(x)]
    for y in ys:
        parts += [*_moments(y), x.scaled * y.scaled]
    sums = (weights @ np.column_stack([np.bincount(columns, part, weights.shape[1]) for part in parts])).T
    n, (su, suu, x_low), correlations = sums[0], sums[1:4], []
    x_constant = _constant(x, columns, weights, x_low, n)
    for y, (sv, svv, y_low, suv) in zip(ys, sums[4:].reshape(len(ys), 4, len(n)), strict=True):
        square = (n * suu - su * su) * (n * svv - sv * sv)
        square[x_constant | _constant(y, columns, weights, y_low, n)] = 0
        correlations.append(ratio(n * suv - su * sv, square))
    return correlations


def _moments(variable: Variable) -> list[Floats]:
    return [variable.scaled, variable.scaled * variable.scaled, variable.lower.astype(np.float64)]


def in_rows(x: ResampledValues, y: ResampledValues) -> Floats:
    """r of each row of x and y (n_samples, n_points)."""
    return ratio(np.einsum("dn,dn->d", x.centred, y.centred), x.square * y.square)


def _constant(
    variable: Variable, columns: NDArray[np.intp], weights: Floats, low: Floats, n: Floats
) -> NDArray[np.bool_]:
    """The samples in which all values are one, but for rounding: sums of squares cannot tell.

    A draw of `n` points that holds some of the lower half (`low` of them) and some others is not.
    """
    constant = np.zeros(len(weights), dtype=bool)
    unsure = np.flatnonzero((low <= 0) | (low >= n))
    if not len(unsure):
        return constant
    top, bottom = np.full(weights.shape[1], -np.inf), np.full(weights.shape[1], np.inf)
    np.maximum.at(top, columns, variable.values)
    np.minimum.at(bottom, columns, variable.values)
    drawn = weights[unsure] > 0
    high = np.where(drawn, top, -np.inf).max(axis=1)
    low = np.where(drawn, bottom, np.inf).min(axis=1)
    constant[unsure] = high / 2 - low / 2 <= SAME_WITHIN / 2 * np.maximum(np.abs(high), np.abs(low))
    return constant


STATISTIC = Coefficient(
    label="Pearson's r",
    paper=Paper(
        "Pearson",
        1895,
        "Note on regression and inheritance in the case of two parents",
        "https://doi.org/10.1098/rspl.1895.0041",
    ),
    pointed=pointed,
    resampled=resampled,
    across=across,
    in_rows=in_rows,
    by_item=pearson_by_item,
    fewest_for_p=5,
)
