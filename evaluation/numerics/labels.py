"""Labels as whole numbers."""

import numpy as np

from evaluation.numerics.arrays import Codes, Labels

ROOM = 1_000_000  # numbers up to here may have a place each


def label_codes(labels: Labels) -> Codes:
    """The place of each label among the distinct ones."""
    names = np.asarray(labels)
    if names.dtype.kind in "iu" and len(names) and names.min() >= 0 and names.max() < ROOM + 4 * len(names):
        present = np.bincount(names.astype(np.intp)) > 0  # small numbers need no sorting
        return np.asarray((np.cumsum(present) - 1)[names], dtype=np.intp)
    return np.unique(names, return_inverse=True)[1].astype(np.intp)
