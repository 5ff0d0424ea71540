"""Correlations over systems at each item, after two metrics have swapped their scores on some systems.

x, y and human are scores (n_systems, n_items) of two metrics and of people, NaN in all three where one is missing. Each
row of `swaps` (n_choices, n_systems) says on which systems y stands in x's place. Every function returns the
coefficient of the first metric with people, (n_choices, n_items), NaN where it is not defined.

A coefficient is made of sums over systems (Pearson) or over pairs of systems (Spearman, Kendall), and each term depends
on which metric stands at one system or at two. So the terms of all items are computed once, and a choice of swaps picks
among them: one matrix product serves all choices and items.
"""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from evaluation.numerics import Floats, ratio

Swaps = NDArray[np.bool_]
TIGHT = 1e-13  # a row's variance that is less than this part of its squares is rounding


def pearson_by_item(x: Floats, y: Floats, human: Floats, swaps: Swaps) -> Floats:
    """Pearson's r from sums over systems; `swaps` as the module says."""
    here = ~np.isnan(human)
    n = here.sum(axis=0)
    about = human - _mean(human, n)
    middle = _mean(x + y, 2 * n)  # of both, so that sums of squares lose few digits
    x, y = x - middle, y - middle
    square, whole, product = (
        _chosen(swaps, np.nan_to_num(first), np.nan_to_num(second))
        for first, second in ((x * x, y * y), (x, y), (x * about, y * about))
    )
    spread = square - whole * whole / np.maximum(n, 1)
    spread[spread <= TIGHT * square] = 0
    return ratio(product, spread * _constant_to_zero(human, np.nansum(about * about, axis=0)))


def spearman_by_item(x: Floats, y: Floats, human: Floats, swaps: Swaps) -> Floats:
    """Spearman's rho: Pearson's r of the number of systems below each, less the number above."""
    ranks = _signs_of_all(human).sum(axis=1)
    product, square = np.zeros((2, len(swaps), human.shape[1]))
    for system in range(len(human)):
        own = np.zeros_like(product)
        for swapped in (False, True):
            rows = swaps[:, system] == swapped
            value = (y if swapped else x)[system]
            signs = [np.nan_to_num(np.sign(value - other)) for other in (x, y)]
            for sign in signs:
                sign[system] = 0
            own[rows] = _chosen(swaps[rows], *signs)
        product += own * ranks[system]
        square += own * own
    return ratio(product, square * np.sum(ranks * ranks, axis=0))


def kendall_by_item(x: Floats, y: Floats, human: Floats, swaps: Swaps) -> Floats:
    """Kendall's tau-b from the signs of all pairs of systems."""
    pairs = list(combinations(range(len(human)), 2))
    signs = np.array([np.nan_to_num(np.sign(human[a] - human[b])) for a, b in pairs])
    product, untied = np.zeros((2, len(swaps), human.shape[1]))
    for first, own in ((False, x), (True, y)):
        for second, other in ((False, x), (True, y)):
            table = np.array([np.nan_to_num(np.sign(own[a] - other[b])) for a, b in pairs])
            choice = np.array([(swaps[:, a] == first) & (swaps[:, b] == second) for a, b in pairs], dtype=float).T
            product += choice @ (table * signs)
            untied += choice @ np.abs(table)
    return ratio(product, untied * np.abs(signs).sum(axis=0))


def _mean(values: Floats, n: NDArray[np.intp]) -> Floats:
    return np.asarray(np.nansum(values, axis=0) / np.maximum(n, 1))


def _constant_to_zero(values: Floats, squares: Floats) -> Floats:
    """Squares about the mean, zero where all values of an item are one."""
    high, low = np.nan_to_num(values, nan=-np.inf).max(axis=0), np.nan_to_num(values, nan=np.inf).min(axis=0)
    return np.where(high > low, squares, 0.0)


def _signs_of_all(values: Floats) -> Floats:
    """sign(a - b) of all pairs of systems, (n_systems, n_systems, n_items); zero where one is missing."""
    return np.nan_to_num(np.sign(values[:, None] - values[None]))


def _chosen(swaps: Swaps, x: Floats, y: Floats) -> Floats:
    """x, or y where swapped, summed over systems: (n_choices, n_items)."""
    return np.asarray(~swaps @ x + swaps @ y)
