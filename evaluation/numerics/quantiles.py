"""Quantiles of many values: NumPy's own, of few values, takes ten times as long as the sorting."""

from collections.abc import Sequence

import numpy as np

from evaluation.numerics.arrays import Floats


def quantiles(values: Floats, shares: Sequence[float]) -> list[float]:
    """The same numbers as `numpy.quantile` (linear between two values) of finite values (n,), to the last digit.

    Args:
        values: (n,) finite, one at least.
        shares: from 0 to 1, such as 0.025.
    """
    ordered = np.sort(values)
    return [_between(ordered, (len(ordered) - 1) * share) for share in shares]


def _between(ordered: Floats, place: float) -> float:
    below = int(place)
    part = place - below
    low, high = float(ordered[below]), float(ordered[min(below + 1, len(ordered) - 1)])
    return low + (high - low) * part if part < 0.5 else high - (high - low) * (1 - part)
