"""Cumulative link mixed models: ordinal values by fixed effects and two crossed kinds of normal effects, by Laplace."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from evaluation.numerics import Codes, Floats
from foundation.lazy_import import lazy_import

linalg, optimize, special = map(lazy_import, ("scipy.linalg", "scipy.optimize", "scipy.special"))

NEWTON = 50  # steps to the most likely random effects
CLOSE = 1e-10
STEP = 1e-4  # of the numerical Hessian


@dataclass(frozen=True)
class OrdinalData:
    """`level` (n,) from 0 to `levels` - 1, fixed effects `design` (n, k), and two groupings (n,), the first with fewer
    groups; a grouping of one group has no effect."""

    level: Codes
    levels: int
    design: Floats
    first: Codes
    second: Codes

    @cached_property
    def sizes(self) -> tuple[int, int]:
        return int(self.first.max()) + 1, int(self.second.max()) + 1

    @cached_property
    def crossing(self) -> "Crossing":
        return Crossing(self.first, self.second, self.sizes)


@dataclass(frozen=True)
class Fitted:
    """A fit: thresholds (levels - 1,), fixed effects (k,), the deviations of the two random effects, their most likely
    values, the covariance of all parameters, and the log likelihood by Laplace's approximation.

    The parameters are the thresholds, the fixed effects, and the deviations of the groupings that have effects.
    """

    thresholds: Floats
    effects: Floats
    deviations: tuple[float, float]
    first: Floats
    second: Floats
    covariance: Floats
    log_likelihood: float


def fit(data: OrdinalData) -> Fitted | None:
    """The model log(P(y <= j) / P(y > j)) = threshold_j - design effects - u - v, with normal u and v, as R's `clmm`.

    The random effects are integrated out by Laplace's approximation. Its gradient is exact; the covariance is the
    inverse of the numerical Hessian. None: no maximum is found.
    """
    _ = linalg.cholesky, optimize.minimize  # what is loaded later has threads of its own
    with threadpool_limits(1):  # the products are many and small: several threads only wait for one another
        return _fit(data, [size > 1 for size in data.sizes])


def _fit(data: OrdinalData, free: list[bool]) -> Fitted | None:
    shares = np.cumsum(np.bincount(data.level, minlength=data.levels))[:-1] / len(data.level)
    cuts = special.logit(shares)
    start = np.concatenate((cuts[:1], np.log(np.diff(cuts)), np.zeros(data.design.shape[1]), np.full(sum(free), 0.5)))
    laplace = _Laplace(data, free)
    found = optimize.minimize(laplace, start, jac=True, method="BFGS", options={"gtol": 1e-5, "maxiter": 500})
    point = laplace.unfolded(found.x)
    if not np.isfinite(found.fun) or np.max(np.abs(found.jac)) > 1e-2:
        return None
    hessian = np.empty((len(point), len(point)))
    for place in range(len(point)):
        step = np.zeros(len(point))
        step[place] = STEP
        hessian[place] = (laplace.at(point + step)[1] - laplace.at(point - step)[1]) / (2 * STEP)
    value, _ = laplace.at(point)
    fixed = data.levels - 1, data.levels - 1 + data.design.shape[1]
    spread = laplace.deviations(point)
    return Fitted(
        point[: fixed[0]], point[fixed[0] : fixed[1]], (abs(spread[0]), abs(spread[1])),
        spread[0] * laplace.modes[0], spread[1] * laplace.modes[1],
        np.asarray(np.linalg.pinv((hessian + hessian.T) / 2, hermitian=True), dtype=np.float64), -value,
    )  # fmt: skip


class _Laplace:
    """The negative log likelihood and its gradient; the most likely random effects are kept from one call to the next.

    The thresholds are searched as the first and the logarithms of the steps between them.
    """

    def __init__(self, data: OrdinalData, free: list[bool]) -> None:
        self.data, self.free = data, free
        self.modes = [np.zeros(size) for size in data.sizes]

    def unfolded(self, searched: Floats) -> Floats:
        """The parameters of a point of the search."""
        cuts = self.data.levels - 1
        thresholds = np.cumsum(np.concatenate((searched[:1], np.exp(np.minimum(searched[1:cuts], 20)))))
        return np.concatenate((thresholds, searched[cuts:]))

    def __call__(self, searched: Floats) -> tuple[float, Floats]:
        value, gradient = self.at(self.unfolded(searched))
        cuts = self.data.levels - 1
        behind = np.cumsum(gradient[:cuts][::-1])[::-1]  # a step moves all thresholds behind it
        steps = behind[1:] * np.exp(np.minimum(searched[1:cuts], 20))
        return value, np.concatenate((behind[:1], steps, gradient[cuts:]))

    def deviations(self, point: Floats) -> tuple[float, float]:
        given = iter(point[len(point) - sum(self.free) :])
        first, second = (float(next(given)) if free else 0.0 for free in self.free)
        return first, second

    def at(self, point: Floats) -> tuple[float, Floats]:
        data, spread = self.data, self.deviations(point)
        cuts = data.levels - 1
        fixed = data.design @ point[cuts : cuts + data.design.shape[1]]
        bounds = np.concatenate(([-np.inf], point[:cuts], [np.inf]))
        parts, inverse = self._modes(bounds, fixed, spread)
        if parts is None or inverse is None:
            return np.inf, np.zeros(len(point))
        penalty = sum(float(modes @ modes) for modes in self.modes) / 2
        value = penalty - float(np.log(parts.chance).sum()) + inverse.log_determinant / 2
        return value, self._gradient(parts, inverse, spread)

    def _modes(
        self, bounds: Floats, fixed: Floats, spread: tuple[float, float]
    ) -> "tuple[_Parts | None, _Inverse | None]":
        """Newton's method with halved steps, from the modes of the call before."""
        data = self.data
        parts = _Parts.of(data.level, bounds, self._shift(fixed, spread, self.modes))
        value = self._joint(parts, self.modes)
        for _ in range(NEWTON):
            slopes = [
                spread[at] * np.bincount(codes, parts.slope, size) + self.modes[at]
                for at, (codes, size) in enumerate(zip((data.first, data.second), data.sizes, strict=True))
            ]
            inverse = _Inverse.of(data, parts.weight, spread)
            if inverse is None:
                return None, None
            moves = inverse.times(slopes)
            if max(float(np.max(np.abs(move))) for move in moves) < CLOSE:
                return parts, inverse
            for _ in range(30):
                tried = [modes - move for modes, move in zip(self.modes, moves, strict=True)]
                parts = _Parts.of(data.level, bounds, self._shift(fixed, spread, tried))
                if (now := self._joint(parts, tried)) <= value + 1e-9:
                    break
                moves = [move / 2 for move in moves]
            self.modes, value = tried, now
        return parts, _Inverse.of(data, parts.weight, spread)

    def _shift(self, fixed: Floats, spread: tuple[float, float], modes: list[Floats]) -> Floats:
        data = self.data
        return np.asarray(fixed + spread[0] * modes[0][data.first] + spread[1] * modes[1][data.second])

    @staticmethod
    def _joint(parts: "_Parts", modes: list[Floats]) -> float:
        return sum(float(of @ of) for of in modes) / 2 - float(np.log(parts.chance).sum())

    def _gradient(self, parts: "_Parts", inverse: "_Inverse", spread: tuple[float, float]) -> Floats:
        """With a = the row of a judgement in the random effects, q = H^-1 of half the slope of log det H by them."""
        data, groups = self.data, (self.data.first, self.data.second)
        lever = inverse.levers(spread)  # H^-1 a at a judgement's own two groups, (n, 2)
        spreads = np.array(spread)
        half = lever @ spreads / 2  # half of a' H^-1 a
        bent = half * parts.bend
        by_group = [spread[at] * np.bincount(groups[at], bent, data.sizes[at]) for at in range(2)]
        turned = inverse.times([np.asarray(of, dtype=np.float64) for of in by_group])
        own = [turned[at][groups[at]] for at in range(2)]
        moved = spread[0] * own[0] + spread[1] * own[1]  # a' q
        along = parts.slope + bent - parts.weight * moved  # by the sum of all effects
        upper, lower = (-of[0] + half * of[2] - of[1] * moved for of in (parts.up, parts.down))
        cuts = np.bincount(data.level, upper, data.levels)[:-1] + np.bincount(data.level, lower, data.levels)[1:]
        by_spread = [
            float(np.sum(along * self.modes[at][groups[at]] + parts.weight * lever[:, at] - parts.slope * own[at]))
            for at in range(2) if self.free[at]
        ]  # fmt: skip
        return np.concatenate((cuts, along @ data.design, by_spread))


@dataclass(frozen=True)
class _Parts:
    """The chance of each judgement, and its derivatives.

    `slope` and `weight` are the first two of the negative log chance by the sum of effects, `bend` is that of the
    weight. `up` and `down` are those of the log chance, slope and weight by the threshold above and below. `at` are the
    densities above and below by the chance, with their slopes, `ends` the densities alone.
    """

    chance: Floats
    slope: Floats
    weight: Floats
    second: Floats
    at: tuple[tuple[Floats, Floats], tuple[Floats, Floats]]
    ends: tuple[Floats, Floats]

    @classmethod
    def of(cls, level: Codes, bounds: Floats, shift: Floats) -> "_Parts":
        high, low = bounds[level + 1] - shift, bounds[level] - shift
        upto, above, under, over = (special.expit(at) for at in (high, -high, low, -low))
        # A difference of small tails keeps its digits.
        chance = np.maximum(np.where(low > 0, over - above, upto - under), 1e-300)
        ends = upto * above, under * over
        up, down = (
            (of / chance, of * (rest - part) / chance)
            for of, part, rest in zip(ends, (upto, under), (above, over), strict=True)
        )
        slope, second = up[0] - down[0], up[1] - down[1]
        return cls(chance, slope, slope**2 - second, second, (up, down), ends)

    @cached_property
    def thirds(self) -> tuple[Floats, Floats]:
        """The second derivatives of the densities above and below, by the chance."""
        up, down = (of * (1 - 6 * of) / self.chance for of in self.ends)
        return up, down

    @property
    def bend(self) -> Floats:
        third = self.thirds[0] - self.thirds[1]
        return 2 * self.slope * self.weight + third - self.second * self.slope

    @property
    def up(self) -> tuple[Floats, Floats, Floats]:
        first, second = self.at[0]
        by_slope = second - self.slope * first
        return first, by_slope, 2 * self.slope * by_slope - self.thirds[0] + self.second * first

    @property
    def down(self) -> tuple[Floats, Floats, Floats]:
        first, second = self.at[1]
        by_slope = self.slope * first - second
        return -first, by_slope, 2 * self.slope * by_slope + self.thirds[1] - self.second * first


class Crossing:
    """The pairs of a first and a second group that have judgements: few, where each person judges a part.

    A matrix of both groupings, (r, s), is its values at these pairs. `pair` (n,) is that of each judgement, `rows` and
    `columns` the groups of each pair. `left` and `right` are all two pairs of one second group, `cells` the place of
    their first groups in a matrix (r, r).
    """

    def __init__(self, first: Codes, second: Codes, sizes: tuple[int, int]) -> None:
        self.sizes = sizes
        places, self.pair = np.unique(second * sizes[0] + first, return_inverse=True)
        self.columns, self.rows = np.divmod(places, sizes[0])
        counts = np.bincount(self.columns, minlength=sizes[1])
        self.few = int((counts**2).sum()) <= sizes[0] * sizes[1]
        if self.few:
            of_each = counts[self.columns]
            self.left = np.repeat(np.arange(len(places)), of_each)
            starts = (np.cumsum(counts) - counts)[self.columns]
            within = np.arange(len(self.left)) - np.repeat(np.cumsum(of_each) - of_each, of_each)
            self.right = np.repeat(starts, of_each) + within
            self.cells = self.rows[self.left] * sizes[0] + self.rows[self.right]

    def squared(self, values: Floats) -> Floats:
        """The matrix of these values times itself turned, (r, r)."""
        if not self.few:
            whole = self._whole(values)
            return np.asarray(whole @ whole.T)
        products = _sums(self.cells, values[self.left] * values[self.right], self.sizes[0] ** 2)
        return products.reshape(self.sizes[0], self.sizes[0])

    def at_pairs(self, small: Floats, values: Floats) -> Floats:
        """A matrix (r, r) times that of the values, at the pairs."""
        if not self.few:
            return np.asarray((small @ self._whole(values))[self.rows, self.columns])
        return _sums(self.left, small.ravel()[self.cells] * values[self.right], len(self.rows))

    def times(self, values: Floats, given: Floats) -> Floats:
        """The matrix of these values times a vector (s,)."""
        return _sums(self.rows, values * given[self.columns], self.sizes[0])

    def turned_times(self, values: Floats, given: Floats) -> Floats:
        """The matrix turned times a vector (r,)."""
        return _sums(self.columns, values * given[self.rows], self.sizes[1])

    def _whole(self, values: Floats) -> Floats:
        whole = np.zeros(self.sizes)
        whole[self.rows, self.columns] = values
        return whole


def _sums(places: Codes, values: Floats, count: int) -> Floats:
    return np.asarray(np.bincount(places, values, count), dtype=np.float64)


@dataclass(frozen=True)
class _Inverse:
    """The inverse of H = I + A' W A by blocks. H's own block of the second grouping is diagonal, with the roots `ends`
    (s,), and `scaled` is that of both groupings by these, at its pairs. `root` (r, r) is Cholesky's of what is left of
    the first grouping's block."""

    data: OrdinalData
    root: Floats
    ends: Floats
    scaled: Floats
    log_determinant: float

    @classmethod
    def of(cls, data: OrdinalData, weight: Floats, spread: tuple[float, float]) -> "_Inverse | None":
        crossing, (rows, columns) = data.crossing, data.sizes
        first = 1 + spread[0] ** 2 * np.bincount(data.first, weight, rows)
        ends = np.sqrt(1 + spread[1] ** 2 * np.bincount(data.second, weight, columns))
        scaled = spread[0] * spread[1] * _sums(crossing.pair, weight, len(crossing.rows)) / ends[crossing.columns]
        try:
            root = linalg.cholesky(np.diag(first) - crossing.squared(scaled), lower=True, check_finite=False)
        except np.linalg.LinAlgError:
            return None
        log_determinant = 2 * float(np.log(np.diag(root)).sum() + np.log(ends).sum())
        return cls(data, root, ends, scaled, log_determinant)

    def times(self, given: list[Floats]) -> list[Floats]:
        """H^-1 times a vector of both groupings."""
        second, crossing = given[1] / self.ends, self.data.crossing
        first = self._solved(given[0] - crossing.times(self.scaled, second))
        return [first, (second - crossing.turned_times(self.scaled, first)) / self.ends]

    def levers(self, spread: tuple[float, float]) -> NDArray[np.float64]:
        """H^-1 a at the two groups of each judgement, (n, 2)."""
        crossing, small = self.data.crossing, self._solved(np.eye(len(self.root)))
        across = -crossing.at_pairs(small, self.scaled)
        large = (1 - np.bincount(crossing.columns, self.scaled * across, len(self.ends))) / self.ends**2
        both, own = (across / self.ends[crossing.columns])[crossing.pair], np.diag(small)[self.data.first]
        return np.column_stack(
            (spread[0] * own + spread[1] * both, spread[0] * both + spread[1] * large[self.data.second])
        )  # fmt: skip

    def _solved(self, given: Floats) -> Floats:
        return np.asarray(linalg.cho_solve((self.root, True), given, check_finite=False), dtype=np.float64)
