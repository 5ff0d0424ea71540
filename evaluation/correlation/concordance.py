"""Of each point, with how many others it is concordant less discordant: O(n log n), in whole arrays."""

import numpy as np
from numpy.typing import NDArray

from evaluation.correlation.variable import Variable
from evaluation.numerics.arrays import Codes

CELLS = 32  # values of x times values of y, for each point, up to which they are counted in a table


def concordance(x: Variable, y: Variable) -> NDArray[np.int64]:
    """For each point i the sum over all j of sign(x_i - x_j) sign(y_i - y_j), (n_points,)."""
    few, many = sorted((x, y), key=lambda variable: len(variable.counts))
    if len(few.counts) * len(many.counts) <= CELLS * len(x):
        return concordance_by_level(many, few)
    return concordance_by_point(x, y)


def concordance_by_level(x: Variable, y: Variable) -> NDArray[np.int64]:
    """From the table of how many points have each two values, for few values: a mean judgement has a handful."""
    shape = len(x.counts), len(y.counts)
    cells = x.levels * shape[1] + y.levels
    table = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)
    for axis in (0, 1):
        upto = np.cumsum(table, axis=axis)
        table = 2 * upto - table - np.take(upto, [-1], axis=axis)
    return np.asarray(table.ravel()[cells], dtype=np.int64)


def concordance_by_point(x: Variable, y: Variable) -> NDArray[np.int64]:
    """With the points that lie below in both counted by a merge, the other three corners follow from how many points
    lie below, and are tied, in x, in y and in both."""
    n = len(x)
    along_x = _sorted(x.levels, -y.levels)
    a, b = x.levels[along_x], y.levels[along_x]
    along_y = n - 1 - _stable(b[::-1])  # ties in y from the largest x down: none of them counts as below
    both = _below(along_y)
    x_upto, y_upto = np.cumsum(x.counts)[a], np.cumsum(y.counts)[b]
    x_tied, y_tied = x.counts[a], y.counts[b]
    size, end = _runs(a, b)
    left = x_upto - end  # of the same x and a smaller y
    under = np.empty_like(left)  # of the same y and a smaller x
    under[along_y] = y_upto[along_y] - _runs(b[along_y], a[along_y])[1]
    sums = np.empty(n, dtype=np.int64)
    sums[along_x] = 4 * both + n - 2 * (x_upto + y_upto) + x_tied + y_tied + 2 * (left + under) + size
    return sums


def _sorted(first: Codes, then: Codes) -> Codes:
    """The order by `first`, within it by `then`."""
    order = _stable(then - then.min())
    return order[_stable(first[order])]


def _stable(levels: Codes) -> Codes:
    """The stable order of levels; those of 16 bits are sorted by their digits."""
    return np.argsort(levels.astype(np.uint16) if levels.max() < 2**16 else levels, kind="stable")


def _runs(first: Codes, then: Codes) -> tuple[Codes, Codes]:
    """How long the run of equal pairs is in which each stands, and where it ends."""
    new = np.append(True, (np.diff(first) != 0) | (np.diff(then) != 0))
    edges = np.append(np.flatnonzero(new), len(first))
    run = np.cumsum(new) - 1
    return np.diff(edges)[run], edges[1:][run]


def _below(order: Codes) -> NDArray[np.int64]:
    """For each place, how many smaller places stand before it in the permutation `order` (n,).

    The order is parted by the places' bits, the highest first: whoever has it set counts those before it in its part
    that have not. Filled up to a power of two, all parts of a round are halved evenly, so a round is a few arrays.
    """
    n = len(order)
    bits = max(1, (n - 1).bit_length())
    places = np.arange(1 << bits, dtype=np.int32)
    places[:n] = order
    counts = np.zeros(1 << bits, dtype=np.int32)
    for bit in range(bits - 1, -1, -1):
        low = (places >> bit) & 1 == 0
        before = np.cumsum(low.reshape(-1, 2 << bit), axis=1, dtype=np.int32).ravel()
        lows, highs = np.flatnonzero(low).reshape(-1, 1 << bit), np.flatnonzero(~low).reshape(-1, 1 << bit)
        counts[highs] += before[highs]
        parted = np.concatenate((lows, highs), axis=1).ravel()
        places, counts = places[parted], counts[parted]
    return counts[:n].astype(np.int64)
