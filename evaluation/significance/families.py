"""What corrections for multiple testing share: they sort p, and pass over tests that have none."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

SortedP: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float64]]


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
