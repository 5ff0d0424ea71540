"""Bootstrap draws of whole groups, shared by every metric and coefficient of one report.

The percentile interval of Efron (1979); groups are drawn, not points, because outputs of one source are alike
(Field and Welsh 2007, 'Bootstrapping clustered data').
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from foundation.seeds import generator

DEFINED = 0.9  # the part of the draws that must have a value for an interval to be stated


class Draws:
    """`weights[d, g]`: how often draw d holds group `names[g]`; each draw takes as many groups as there are.

    Equal sets of group names and equal seeds give equal draws, whatever the order of the points.
    """

    def __init__(self, groups: Sequence[object] | NDArray[np.generic], draws: int = 1000, seed: int = 0) -> None:
        self.names: NDArray[np.generic] = np.unique(np.asarray(groups))
        count = len(self.names)
        taken = generator(seed, "bootstrap", count).integers(0, max(count, 1), size=(draws, count))
        flat = taken + count * np.arange(draws)[:, None]
        self.weights: NDArray[np.float64] = (
            np.bincount(flat.ravel(), minlength=draws * count).reshape(draws, count).astype(np.float64)
        )

    def columns(self, groups: Sequence[object] | NDArray[np.generic]) -> NDArray[np.intp]:
        """The column of each point's group in `weights`. ValueError: a group that is not among the draws."""
        wanted = np.asarray(groups)
        places = np.minimum(np.searchsorted(self.names, wanted), len(self.names) - 1)
        if not np.array_equal(self.names[places], wanted):
            raise ValueError("A point's group is not among the groups that were drawn.")
        return places.astype(np.intp)

    @staticmethod
    def interval(values: NDArray[np.float64]) -> tuple[float, float] | None:
        """The 2.5th and 97.5th percentile of the draws that have a value; None where under 9 in 10 have one."""
        defined = values[np.isfinite(values)]
        if len(defined) == 0 or len(defined) < DEFINED * len(values):
            return None
        low, high = np.percentile(defined, [2.5, 97.5])
        return float(low), float(high)


def ratio(top: NDArray[np.float64], square: NDArray[np.float64]) -> NDArray[np.float64]:
    """top / sqrt(square), within -1 and 1; NaN where square is not above zero."""
    empty = np.full_like(top, np.nan)
    return np.clip(np.divide(top, np.sqrt(np.maximum(square, 0)), out=empty, where=square > 0), -1, 1)
