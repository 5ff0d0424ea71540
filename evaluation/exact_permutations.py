"""The exact p of a rank correlation over few points: all orders of the second variable are equally likely.

Where values are tied it is the distribution given the ties, as of scipy's `permutation_test`; without ties it is that
of R's `cor.test` (exact).
"""

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from evaluation.numerics import Codes, Floats

EXACT_POINTS = 9
"""The most points whose orders are all counted, as in R's `cor.test` for rho: 362,880."""
ROWS = 40_320  # orders at a time


@cache
def _orders(points: int) -> NDArray[np.int8]:
    """All orders, (n!, points)."""
    if points <= 1:
        return np.zeros((1, points), dtype=np.int8)
    before = _orders(points - 1)
    return np.vstack([np.insert(before, place, points - 1, axis=1) for place in range(points)])


def exact_p(statistic: Callable[[NDArray[np.int8]], Floats | Codes], points: int) -> float:
    """The share of all orders whose statistic is as far from 0 as that of the points as they stand.

    Args:
        statistic: of orders (n_orders, points), a whole number each, so that equal ones are told without rounding.
        points: at most EXACT_POINTS.
    """
    orders = _orders(points)
    found = abs(statistic(np.arange(points, dtype=np.int8)[None])[0])
    parts = (orders[start : start + ROWS] for start in range(0, len(orders), ROWS))
    return float(sum(np.count_nonzero(np.abs(statistic(part)) >= found) for part in parts) / len(orders))
