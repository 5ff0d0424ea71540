"""Sign flips at any moment: could two systems change places on every source, whatever one has seen so far?

The classical counterpart asks once, by flipping the signs of paired differences at random (approximate randomization).
Here exp(x S - x^2 V / 2), with S the sum of the differences and V that of their squares, is a supermartingale for every
x where each difference is symmetric about 0 (de la Pena 1999). Its mean over x, laid down beforehand, is an e-value. It
needs no bound of the scale: where ratings lie close together on a wide scale it tells systems with far fewer of them.
"""

import numpy as np
from numpy.typing import ArrayLike

from evaluation.numerics import Floats
from evaluation.statistics import betting
from evaluation.statistics.betting import Betting, Sequence95
from foundation.papers import Paper

SLOPES = np.geomspace(0.2, 40, 14)  # the x, for differences as parts of the widest one
GRID = 1000  # steps from the least to the largest difference, in a sequence


def log_e(sums: Floats, squares: Floats) -> Floats:
    """The logarithm of the e-value, by sums of differences and of their squares, of one shape."""
    logs = [sign * slope * sums - slope**2 / 2 * squares for slope in SLOPES for sign in (1, -1)]
    return np.asarray(np.logaddexp.reduce(logs) - np.log(len(logs)))


def e_values(values: ArrayLike, ends: tuple[float, float], alpha: float = 0.05) -> Floats:
    """After each difference the e-value that the two are exchangeable, (n,). The chance that it is ever 1 / alpha or
    more where they are is at most alpha.

    Args:
        values: (n,) differences in the order in which they came.
        ends: the least and the largest possible one; only their distance matters.
        alpha: not used; bets aim at no level.
    """
    scaled = np.asarray(values, dtype=np.float64) / _wide(ends)
    return np.asarray(np.exp(np.minimum(log_e(np.cumsum(scaled), np.cumsum(scaled**2)), 700)))


def sequence(values: ArrayLike, ends: tuple[float, float], alpha: float = 0.05) -> Sequence95:
    """The places about which the differences may be symmetric, at any moment. Arguments as `e_values`."""
    given = np.asarray(values, dtype=np.float64)
    n, wide = len(given), _wide(ends)
    if not n:
        return Sequence95(None, *ends, 1.0, 0)
    places = np.linspace(*ends, GRID + 1)
    total, squares = given.sum(), (given**2).sum()
    sums = (total - n * places) / wide
    inside = log_e(sums, (squares - 2 * places * total + n * places**2) / wide**2) < np.log(1 / alpha)
    kept = places[inside] if inside.any() else np.array([given.mean()])
    step = (ends[1] - ends[0]) / GRID  # the grid's steps are on the safe side
    e = float(e_values(values, ends, alpha)[-1])
    return Sequence95(float(given.mean()), max(ends[0], kept[0] - step), min(ends[1], kept[-1] + step), e, n)


def _wide(ends: tuple[float, float]) -> float:
    return max(abs(ends[0]), abs(ends[1]))


STATISTIC = Betting(
    label="Sign flips at any moment",
    paper=Paper(
        "de la Peña", 1999, "A General Class of Exponential Inequalities for Martingales and Ratios",
        "https://doi.org/10.1214/aop/1022677266",
    ),
    e_values=e_values,
    sequence=sequence,
    rejected=betting.rejected,
)  # fmt: skip
