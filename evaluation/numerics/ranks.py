"""Mid-ranks."""

import numpy as np
from numpy.typing import ArrayLike

from evaluation.numerics.arrays import Floats


def mid_ranks(values: ArrayLike) -> Floats:
    """Of each value (n,) its place in ascending order, from 1; equal ones share the middle of theirs."""
    _, levels, counts = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[levels])
