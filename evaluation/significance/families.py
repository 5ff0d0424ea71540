"""Families of tests: how many draws a resampling test takes in one, and what corrections for multiple testing share."""

from collections.abc import Callable, Sequence
from math import ceil
from typing import TypeAlias

import numpy as np

SortedP: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float64]]
FEWEST_DRAWS, MOST_DRAWS = 1000, 100_000


def draws_for(tests: int, alpha: float, fewest: int = FEWEST_DRAWS, most: int = MOST_DRAWS) -> int:
    """How many draws a resampling test takes in a family of tests, so that its p can be significant at all.

    The least p that n draws can give is 1 / (n + 1), which Holm's correction multiplies by the number of tests: there
    are enough draws for that to stay below half of alpha, up to a bound.

    Args:
        tests: In the family over which p is corrected.
        alpha: The level.
        fewest: Draws that are taken in any case.
        most: The bound.
    """
    return min(max(fewest, ceil(2 * tests / alpha)), max(fewest, most))


def is_reachable(tests: int, alpha: float, draws: int) -> bool:
    """Whether a corrected p can be below alpha after so many draws."""
    return tests / (draws + 1) < alpha


def adjust_family(p_values: Sequence[float | None], adjusted: Callable[[SortedP], SortedP]) -> list[float | None]:
    """Correct the p of one family of tests.

    Args:
        p_values: None where there is no test.
        adjusted: the correction of ascending p (n_tests,), in the same order.

    Returns:
        The corrected p in the order given; None stays None.

    Raises:
        ValueError: a p lies outside 0 to 1.
    """
    tested = [place for place, p in enumerate(p_values) if p is not None]
    p = np.array([p_values[place] for place in tested], dtype=np.float64)
    if not np.all((p >= 0) & (p <= 1)):
        raise ValueError("A p lies between 0 and 1.")
    adjusted_p: list[float | None] = [None] * len(p_values)
    order = np.argsort(p, kind="stable")
    for place, value in zip(order, adjusted(p[order]), strict=True):
        adjusted_p[tested[place]] = float(value)
    return adjusted_p
