"""Kendall's tau-b: concordant less discordant pairs of points, over the pairs that are not tied."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.stats import kendalltau

from evaluation.statistics._base import Coefficient, Floats, settled
from evaluation.statistics._draws import ratio
from foundation.papers import Paper

ROWS = 256  # points compared with all others at a time
INT8 = 127  # points of one group whose signs can be summed in a byte


def point(x: Floats, y: Floats) -> tuple[float, float]:
    """tau-b and its two-sided p (scipy's: exact for few points without ties, else the normal approximation)."""
    found = kendalltau(x, y, variant="b")
    return float(found.statistic), float(found.pvalue)


def resampled(x: Floats, y: Floats, columns: NDArray[np.intp], weights: Floats) -> Floats:
    """tau-b in each draw, (draws,), exactly that of the draw written out point by point.

    With A[g, h] the sum of sign(xi - xj) sign(yi - yj) over the points i of group g and j of group h, a draw of
    weights w has w'Aw concordant less discordant pairs, and tau-b is xy / sqrt(xx yy) of such forms. So pairs are
    counted once (n squared signs, in bytes, some rows at a time), not once a draw.
    """
    order = np.argsort(columns, kind="stable")
    present, starts = np.unique(columns[order], return_index=True)
    x_ranks, y_ranks = _ranks(x)[order], _ranks(y)[order]
    used = weights[:, present]
    forms = np.zeros((3, len(weights)))
    for first, last in _blocks(starts, len(x)):
        rows = slice(starts[first], starts[last] if last < len(starts) else len(x))
        a, b = _signs(x_ranks[rows], x_ranks), _signs(y_ranks[rows], y_ranks)
        inner = starts[first:last] - starts[first]
        for form, signs in zip(forms, (a * b, a * a, b * b), strict=True):
            sums = _summed(signs, inner, starts)
            form += np.einsum("dg,dg->d", used @ sums.T, used[:, first:last])
    return ratio(forms[0], forms[1] * forms[2])


def rowwise(x: Floats, y: Floats) -> Floats:
    """tau-b of each row of x and y (draws, n): draws x n x n signs, for the few points that systems are."""
    forms = np.empty((3, len(x)))
    for start in range(0, len(x), ROWS):
        rows = slice(start, start + ROWS)
        a, b = (np.sign(part[:, :, None] - part[:, None, :]) for part in (settled(x[rows]), settled(y[rows])))
        forms[:, rows] = [np.einsum("dij,dij->d", left, right) for left, right in ((a, b), (a, a), (b, b))]
    return ratio(forms[0], forms[1] * forms[2])


def _ranks(values: Floats) -> NDArray[np.int32]:
    return np.unique(values, return_inverse=True)[1].astype(np.int32)


def _blocks(starts: NDArray[np.intp], n: int) -> list[tuple[int, int]]:
    """Ranges of groups of about ROWS points each; a group is never split."""
    firsts = np.unique(np.searchsorted(starts, np.arange(0, n, ROWS)))
    edges = [*(int(first) for first in firsts if first < len(starts)), len(starts)]
    return list(pairwise(edges))


def _signs(rows: NDArray[np.int32], ranks: NDArray[np.int32]) -> NDArray[np.int8]:
    """sign(row - rank), (rows, n)."""
    above, below = rows[:, None] > ranks, rows[:, None] < ranks
    return above.view(np.int8) - below.view(np.int8)


def _summed(signs: NDArray[np.int8], inner: NDArray[np.intp], starts: NDArray[np.intp]) -> Floats:
    """Signs (rows, n) summed within pairs of groups, (groups of the rows, groups)."""
    largest = int(np.max(np.diff(inner, append=len(signs))))
    kind = np.int8 if largest <= INT8 else np.int64
    down = np.add.reduceat(signs, inner, axis=0, dtype=kind)
    return np.add.reduceat(down, starts, axis=1, dtype=np.int64).astype(np.float64)


STATISTIC = Coefficient(
    label="Kendall's tau-b",
    paper=Paper("Kendall", 1945, "The treatment of ties in ranking problems", "https://doi.org/10.2307/2332303"),
    point=point,
    resampled=resampled,
    rowwise=rowwise,
)
