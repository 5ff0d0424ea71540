"""What the corrections of a family of tests share: the order of the p, and those that are not there."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

SortedP: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float64]]


def adjust_family(p_values: Sequence[float | None], adjusted: Callable[[SortedP], SortedP]) -> list[float | None]:
    """`adjusted` takes and gives the p that are there, smallest first. ValueError: a p outside 0 to 1."""
    tested = [place for place, p in enumerate(p_values) if p is not None]
    p = np.array([p_values[place] for place in tested], dtype=np.float64)
    if not np.all((p >= 0) & (p <= 1)):
        raise ValueError("A p lies between 0 and 1.")
    found: list[float | None] = [None] * len(p_values)
    order = np.argsort(p, kind="stable")
    for place, value in zip(order, adjusted(p[order]), strict=True):
        found[tested[place]] = float(value)
    return found
