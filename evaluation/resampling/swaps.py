"""Two metrics that swap scores on random systems and items: PERM-BOTH (Deutsch, Dror and Roth 2021)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.numerics.arrays import Floats
from evaluation.numerics.ratio import ratio
from evaluation.numerics.rounding import SAME_WITHIN
from foundation.seeds import generator

ROUNDING = 1e-12  # a resampled difference that is short of the observed one by less counts as as large


@dataclass(frozen=True)
class Swaps:
    """Where two metrics swap scores, in each resample: an output hit by its system and by its item keeps its scores.

    Attributes:
        systems: (n_resamples, n_systems) whether the system is hit.
        items: (n_resamples, n_items) whether the item is hit.
    """

    systems: NDArray[np.bool_]
    items: NDArray[np.bool_]


def draw_swaps(shape: tuple[int, ...], n_resamples: int, seed: int) -> Swaps:
    """Swaps of scores of `shape` (n_systems, n_items): every system and item is hit with an even chance."""
    numbers = generator(seed, "perm_both", *shape)
    return Swaps(*(numbers.integers(0, 2, (n_resamples, size), dtype=np.uint8).astype(np.bool_) for size in shape))


def standardize(scores: Floats) -> Floats:
    """Scores less their mean over their standard deviation; NaN stays NaN."""
    return np.asarray((scores - np.nanmean(scores)) / np.nanstd(scores))


def swapped_sums(swaps: Swaps, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Sums over items of two metrics' scores after they have swapped.

    Args:
        swaps: where they swap.
        x: (n_systems, n_items) the first metric's scores, NaN where there is none.
        y: the second metric's, of the same shape.

    Returns:
        The sums in the first metric's place and those in the second's, (n_resamples, n_systems) each.
    """
    x, y = np.nan_to_num(x), np.nan_to_num(y)
    moved = swaps.items.astype(np.float64) @ (y - x).T
    total_x, total_y = x.sum(axis=1), y.sum(axis=1)
    first = np.where(swaps.systems, total_y - moved, total_x + moved)
    return first, total_x + total_y - first


def pearson_of_sums(n: int, total: Floats, square: Floats, product: Floats) -> Floats:
    """Pearson's r between a metric's scores and people's, both standardized, in each resample.

    Args:
        n: the number of outputs.
        total: (n_resamples,) the sum of the metric's scores.
        square: the sum of their squares, of the same shape.
        product: the sum of their products with people's.

    Returns:
        The correlations, (n_resamples,); NaN in a resample whose scores are all the same, but for rounding.
    """
    about_mean = square - total * total / n
    return ratio(product, n * np.where(about_mean <= SAME_WITHIN * square, 0.0, about_mean))
