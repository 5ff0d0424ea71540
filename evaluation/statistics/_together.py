"""All correlations of one report over the same draws."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.statistics._base import Coefficient, Correlation, Labels
from evaluation.statistics._draws import Draws


def correlate_all(
    metrics: Mapping[str, ArrayLike],
    criteria: Mapping[str, ArrayLike],
    groups: Labels,
    coefficients: Mapping[str, Coefficient],
    draws: Draws,
) -> dict[tuple[str, str, str], Correlation]:
    """(metric, criterion, coefficient) -> Correlation, for arrays (n,) over the same n points.

    NaN marks a point that a metric or criterion does not have: the pair is taken over the points that have both,
    and its `n` says how many. `groups` (n,) are the sources; every pair and coefficient sees the same draws of them.
    """
    names = np.asarray(groups)
    found: dict[tuple[str, str, str], Correlation] = {}
    for metric, x in metrics.items():
        for criterion, y in criteria.items():
            first, second, kept = _both(x, y, names)
            for name, coefficient in coefficients.items():
                found[metric, criterion, name] = coefficient.over(draws, first, second, kept)
    return found


def _both(
    x: ArrayLike, y: ArrayLike, groups: NDArray[np.generic] | Sequence[object]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.generic]]:
    """The points that have both values."""
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    here = ~(np.isnan(first) | np.isnan(second))
    return first[here], second[here], np.asarray(groups)[here]
