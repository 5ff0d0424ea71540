"""Kendall's tau-b: concordant less discordant pairs of points, over the pairs that are not tied."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import unwrap
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.correlation import ResampledValues, Variable, kendall_by_item
from evaluation.exact_permutations import EXACT_POINTS, exact_p
from evaluation.numerics import Codes, Floats, Test, count_distinct, ratio
from evaluation.resampling import POINTS, is_large, project
from evaluation.statistics._base import Coefficient, Statistic
from foundation.lazy_import import lazy_import
from foundation.papers import Paper
from foundation.translation import translatable

# Concordant less discordant pairs of each point with all others: O(n log n), in whole arrays.

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


sparse = lazy_import("scipy.sparse")
special = lazy_import("scipy.special")
stats = lazy_import("scipy.stats")

ROWS = 256  # points compared with all others at a time
INT8 = 127  # points of one group whose signs can be summed in a byte


def pointed(x: Variable, y: Variable) -> tuple[float, float]:
    """tau-b and its two-sided p: exact for few points, ties and all (`exact_p`), else scipy's normal approximation.

    Without ties scipy's is exact for few points too.
    """
    tied = min(len(x.counts), len(y.counts)) < len(x)
    if tied and len(x) <= EXACT_POINTS:
        return tau(x, y), _p_of_few(x, y)
    if len(x) <= POINTS:
        # Without SciPy's handling of axes and NaN around it, which takes as long as tau itself.
        result = unwrap(stats.kendalltau)(x.ordered, y.ordered, variant="b")
        return float(result.statistic), float(result.pvalue)
    n, form = float(len(x)), float(_concordance(x, y).sum())
    (x_pairs, x_triples, x_spread), (y_pairs, y_triples, y_spread) = _ties(x), _ties(y)
    pairs = n * (n - 1)
    variance = (pairs * (2 * n + 5) - x_spread - y_spread) / 18
    variance += x_pairs * y_pairs / (2 * pairs) + x_triples * y_triples / (9 * pairs * (n - 2))
    return tau(x, y), float(2 * special.ndtr(-abs(form / 2) / np.sqrt(variance)))


def tau(x: Variable, y: Variable) -> float:
    """tau-b alone."""
    pairs = float(len(x) * (len(x) - 1))
    form, (x_pairs, *_), (y_pairs, *_) = float(_concordance(x, y).sum()), _ties(x), _ties(y)
    return float(np.clip(form / np.sqrt((pairs - x_pairs) * (pairs - y_pairs)), -1, 1))


def _p_of_few(x: Variable, y: Variable) -> float:
    first, second = np.triu_indices(len(x), 1)
    signs, others = (np.sign(np.subtract.outer(of.levels, of.levels)) for of in (x, y))
    own = signs[first, second]
    return exact_p(lambda orders: np.asarray(others[orders[:, first], orders[:, second]] @ own), len(x))


def _ties(variable: Variable) -> tuple[float, float, float]:
    """Sums over tied values of their parts in the variance of concordant less discordant pairs (Kendall 1945).

    They are t (t - 1), t (t - 1) (t - 2) and t (t - 1) (2 t + 5), t points sharing a value.
    """
    t = variable.counts.astype(np.float64)
    pairs = t * (t - 1)
    return float(pairs.sum()), float(pairs @ (t - 2)), float(pairs @ (2 * t + 5))


def _concordance(x: Variable, y: Variable) -> NDArray[np.int64]:
    """Computed once for the coefficient and its bootstrap samples."""
    if y not in x.concordance:
        x.concordance[y] = concordance(x, y)
    return x.concordance[y]


def resampled(x: Floats, y: Floats, columns: NDArray[np.intp], weights: Floats) -> Floats:
    """tau-b in each bootstrap sample, (n_samples,), exactly that of the sample written out point by point.

    With A[g, h] the sum of sign(xi - xj) sign(yi - yj) over the points i of group g and j of group h, a draw of
    weights w has w'Aw concordant less discordant pairs, and tau-b is xy / sqrt(xx yy) of such forms. So pairs are
    counted once (n squared signs, in bytes, some rows at a time), not once a draw.
    """
    order = np.argsort(columns, kind="stable")
    present, starts = np.unique(columns[order], return_index=True)
    x_ranks, y_ranks = _ranks(x)[order], _ranks(y)[order]
    used = weights[:, present].astype(_exactly(weights.sum(axis=1).max() * np.max(np.diff(starts, append=len(x)))))
    form = np.zeros(len(weights))
    for first, last in _blocks(starts, len(x)):
        rows = slice(starts[first], starts[last] if last < len(starts) else len(x))
        signs = _signs(x_ranks[rows], x_ranks) * _signs(y_ranks[rows], y_ranks)
        sums = _summed(signs, starts[first:last] - starts[first], starts)
        pairs = (used @ sums.T.astype(used.dtype)).astype(np.float64)
        form += np.einsum("dg,dg->d", pairs, weights[:, present[first:last]])
    groups = columns[order]
    return ratio(form, _untied(x_ranks, groups, weights) * _untied(y_ranks, groups, weights))


def _exactly(points: float) -> type[np.float32 | np.float64]:
    """The smaller float where all sums over pairs of so many points are whole numbers that it holds."""
    return np.float32 if points < 2**12 else np.float64


def _untied(ranks: NDArray[np.int32], columns: NDArray[np.intp], weights: Floats) -> Floats:
    """Ordered pairs of points with different values in each sample, (n_samples,): all pairs less the tied ones."""
    totals = weights @ sparse.csr_array(
        (np.ones(len(ranks)), (columns, ranks)), shape=(weights.shape[1], ranks.max() + 1)
    )
    points = weights @ np.bincount(columns, minlength=weights.shape[1])
    return np.asarray(points * points - np.einsum("dl,dl->d", totals, totals))


def across(x: Variable, ys: Sequence[Variable], columns: NDArray[np.intp], weights: Floats) -> list[Floats]:
    """tau-b of x with each y in each sample: exact for few points, to first order for many (`first_order_projection`).

    The form is the sum of p_i p_j sign(xi - xj) sign(yi - yj); its slope at a point is the point's share.
    """
    if not is_large(len(x), count_distinct(columns)):
        return [resampled(x.ordered, y.ordered, columns, weights) for y in ys]
    n = len(x)
    untied = [2 * (n - variable.counts[variable.levels]) / n for variable in (x, *ys)]
    forms = project(untied + [2 * _concordance(x, y) / n for y in ys], 2, columns, weights)
    squares, products = forms[1 : len(ys) + 1], forms[len(ys) + 1 :]
    return [ratio(product, forms[0] * square) for product, square in zip(products, squares, strict=True)]


def in_rows(x: ResampledValues, y: ResampledValues) -> Floats:
    """tau-b of each row of x and y (n_samples, n_points), from the signs of all pairs: for few points."""
    first, second = np.triu_indices(x.values.shape[1], 1)
    forms = np.empty((3, len(x.values)))
    for start in range(0, len(x.values), ROWS):
        rows = slice(start, start + ROWS)
        a, b = (np.sign(part[:, first] - part[:, second]) for part in (x.settled[rows], y.settled[rows]))
        forms[:, rows] = [np.einsum("dp,dp->d", left, right) for left, right in ((a, b), (a, a), (b, b))]
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


# tau-c, for variables of which one has fewer values than the other: tau-b cannot be 1 there. It stands in no report.


@dataclass(frozen=True, kw_only=True)
class TauC(Statistic):
    """`of(x, y) -> Test`: the value is the test's `statistic`."""

    of: Callable[[ArrayLike, ArrayLike], Test]


def tau_c(x: ArrayLike, y: ArrayLike) -> Test:
    """Stuart's tau-c and its two-sided p, which is that of tau-b: both ask whether pairs are concordant.

    Args:
        x: (n,) values.
        y: (n,) others.
    """
    first, second = (Variable(np.asarray(values, dtype=np.float64)) for values in (x, y))
    n = len(first)
    if not (np.isfinite(first.values).all() and np.isfinite(second.values).all()):
        return Test(None, None, n, undefined="A value is not a number.")
    least = min(len(first.counts), len(second.counts)) if n else 0
    if least < 2:
        return Test(None, None, n, undefined=translatable("One of the two does not vary."))
    form = float(_concordance(first, second).sum())
    return Test(form / n**2 * least / (least - 1), pointed(first, second)[1], n)


ENTRIES = {
    "kendall": Coefficient(
        label="Kendall's tau-b",
        paper=Paper("Kendall", 1945, "The treatment of ties in ranking problems", "https://doi.org/10.2307/2332303"),
        pointed=pointed,
        resampled=resampled,
        across=across,
        in_rows=in_rows,
        by_item=kendall_by_item,
        projects=True,
    ),
    "kendall_c": TauC(
        label="Kendall's tau-c",
        paper=Paper(
            "Stuart", 1953, "The estimation and comparison of strengths of association in contingency tables",
            "https://doi.org/10.2307/2333101",
        ),
        of=tau_c,
    ),
}  # fmt: skip
