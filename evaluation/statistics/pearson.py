"""Pearson's r: how far y lies on a straight line over x."""

import numpy as np
from numpy.typing import NDArray
from scipy.stats import pearsonr

from evaluation.statistics._base import SAME, Coefficient, Floats, all_same_rows
from evaluation.statistics._draws import ratio
from foundation.papers import Paper


def point(x: Floats, y: Floats) -> tuple[float, float]:
    """r and its two-sided p (normal, independent points)."""
    found = pearsonr(_scaled(x), _scaled(y))
    return float(found.statistic), float(found.pvalue)


def resampled(x: Floats, y: Floats, columns: NDArray[np.intp], weights: Floats) -> Floats:
    """r in each draw, (draws,), from the sums of each group: draws x groups work, whatever the number of points."""
    u, v = _scaled(x), _scaled(y)
    groups = weights.shape[1]
    sums = [np.bincount(columns, part, groups) for part in (np.ones_like(u), u, v, u * u, v * v, u * v)]
    n, su, sv, suu, svv, suv = (weights @ np.column_stack(sums)).T
    square = (n * suu - su * su) * (n * svv - sv * sv)
    square[_constant(x, columns, weights) | _constant(y, columns, weights)] = 0
    return ratio(n * suv - su * sv, square)


def rowwise(x: Floats, y: Floats) -> Floats:
    """r of each row of x and y (draws, n)."""
    u, v = _centred_rows(x), _centred_rows(y)
    square = np.einsum("dn,dn->d", u, u) * np.einsum("dn,dn->d", v, v)
    square[all_same_rows(x) | all_same_rows(y)] = 0
    return ratio(np.einsum("dn,dn->d", u, v), square)


def _centred_rows(values: Floats) -> Floats:
    """Each row about its mean, within -1 and 1."""
    centred = values - values.mean(axis=1, keepdims=True)
    largest = np.abs(centred).max(axis=1, keepdims=True)
    return np.asarray(centred / np.where(largest > 0, largest, 1))


def _scaled(values: Floats) -> Floats:
    """About the median and within -1 and 1, so that neither an offset nor an outlier costs digits."""
    halves = values / 2  # the largest floats' difference is no float
    centred = halves - np.median(halves)
    return np.asarray(centred / np.max(np.abs(centred)))


def _constant(values: Floats, columns: NDArray[np.intp], weights: Floats) -> NDArray[np.bool_]:
    """The draws in which all values are one, but for rounding: sums of squares cannot tell."""
    top, bottom = np.full(weights.shape[1], -np.inf), np.full(weights.shape[1], np.inf)
    np.maximum.at(top, columns, values)
    np.minimum.at(bottom, columns, values)
    drawn = weights > 0
    high = np.where(drawn, top, -np.inf).max(axis=1)
    low = np.where(drawn, bottom, np.inf).min(axis=1)
    return np.asarray(high / 2 - low / 2 <= SAME / 2 * np.maximum(np.abs(high), np.abs(low)))


STATISTIC = Coefficient(
    label="Pearson's r",
    paper=Paper(
        "Pearson",
        1895,
        "Note on regression and inheritance in the case of two parents",
        "https://doi.org/10.1098/rspl.1895.0041",
    ),
    point=point,
    resampled=resampled,
    rowwise=rowwise,
)
