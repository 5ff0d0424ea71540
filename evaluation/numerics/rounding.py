"""Which values differ by the rounding of floating-point sums alone."""

import numpy as np
from numpy.typing import NDArray

from evaluation.numerics.arrays import Floats

SAME_WITHIN = 1e-12  # values that differ by less than this part of their size differ by rounding alone


def all_same(values: Floats) -> bool:
    """Whether the values are one, but for rounding."""
    high, low = np.max(values), np.min(values)
    return bool(high / 2 - low / 2 <= SAME_WITHIN / 2 * max(abs(high), abs(low)))  # halves: the full span may overflow


def all_same_rows(values: Floats) -> NDArray[np.bool_]:
    """`all_same` of each row, (draws, n) to (draws,)."""
    high, low = values.max(axis=1), values.min(axis=1)
    return np.asarray(high / 2 - low / 2 <= SAME_WITHIN / 2 * np.maximum(np.abs(high), np.abs(low)))


def without_rounding(values: Floats) -> Floats:
    """Values cut to 12 digits, so that those that are equal but for the rounding of a draw's sums are tied."""
    part, power = np.frexp(values)
    with np.errstate(over="ignore"):
        cut = np.ldexp(np.round(part * 2**40) / 2**40, power)
    return np.where(np.isinf(cut), values, cut)  # the largest float has none above it


def difference_without_rounding(first: Floats, second: Floats) -> Floats:
    """first - second, cut where the digits of the larger of all of them end: what rounding alone makes is zero."""
    largest = max((float(np.max(np.abs(values))) for values in (first, second) if len(values)), default=0.0)
    step = np.ldexp(1.0, int(np.frexp(largest)[1]) - 40)
    return np.asarray(np.round((first - second) / step) * step)
