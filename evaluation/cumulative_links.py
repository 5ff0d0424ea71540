"""Cumulative link mixed models: ordinal values by fixed effects and two crossed kinds of normal effects, by Laplace."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from threadpoolctl import threadpool_limits

from evaluation.numerics import Codes, Floats
from foundation.lazy_import import lazy_import

linalg, special = map(lazy_import, ("scipy.linalg", "scipy.special"))

NEWTON = 50  # steps to the most likely random effects
CLOSE = 1e-10
SLOW = 0.1  # of the step before: a longer one asks for a matrix of its own
STEPS, HALVED = 500, 30  # of the search, and how often one of them is halved
NEAR = 1e-10  # of the log likelihood, twice what the next step would gain
ROUNDED = 1e-9  # of a log likelihood
STEP = 1e-4  # of the numerical Hessian
FAR = 15.0  # log odds of an effect that has no end
LEAST = 1e-6  # of the largest curvature; what is flatter is taken for this


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
    _ = linalg.lapack  # what is loaded later has threads of its own
    with threadpool_limits(1):  # the products are many and small: several threads only wait for one another
        return _fit(data, [size > 1 for size in data.sizes])


def _fit(data: OrdinalData, free: list[bool]) -> Fitted | None:
    laplace = _Laplace(data, free)
    top = _search(laplace, laplace.start())
    fixed = data.levels - 1, data.levels - 1 + data.design.shape[1]
    if top is None or np.max(np.abs(top[fixed[0] : fixed[1]]), initial=0) > FAR:
        return None
    point, covariance, value = _at_top(laplace, laplace.unfolded(top))
    spread = laplace.deviations(point)
    return Fitted(
        point[: fixed[0]], point[fixed[0] : fixed[1]], (abs(spread[0]), abs(spread[1])),
        spread[0] * laplace.modes[0], spread[1] * laplace.modes[1], covariance, -value,
    )  # fmt: skip


def _search(laplace: "_Laplace", place: Floats) -> Floats | None:
    """The place of the maximum by the method of Broyden, Fletcher, Goldfarb and Shanno, which learns the Hessian from
    the gradients on its way; None: it ended nowhere."""
    (value, slope), inverse = laplace(place), laplace.expected_inverse(place)
    for _ in range(STEPS):
        move, modes = -inverse @ slope, laplace.modes
        gain = -float(slope @ move)
        if gain < NEAR:
            return place
        for _ in range(HALVED):
            further, steeper = laplace(place + move)
            if further <= value - 1e-4 * gain + ROUNDED:
                break
            move, gain, laplace.modes = move / 2, gain / 2, modes
        else:
            return None
        turn = steeper - slope
        if (curved := float(turn @ move)) > 1e-12:
            side = np.eye(len(move)) - np.outer(move, turn) / curved
            inverse = side @ inverse @ side.T + np.outer(move, move) / curved
        place, value, slope = place + move, further, steeper
    return None


def _at_top(laplace: "_Laplace", point: Floats) -> tuple[Floats, Floats, float]:
    """From a point beside the maximum Newton's last step, the inverse of the numerical Hessian, and the value there."""
    value, gradient = laplace.at(point)
    hessian, modes = np.empty((len(point), len(point))), laplace.modes
    for place in range(len(point)):
        step = np.zeros(len(point))
        step[place] = STEP
        laplace.modes = modes
        ahead = laplace.at(point + step)[1]
        laplace.modes = [2 * here - there for here, there in zip(modes, laplace.modes, strict=True)]
        hessian[place] = (ahead - laplace.at(point - step)[1]) / (2 * STEP)
    covariance = np.asarray(np.linalg.pinv((hessian + hessian.T) / 2, hermitian=True), dtype=np.float64)
    laplace.modes, moved = modes, point - covariance @ gradient
    closer, slope = laplace.at(moved)
    if np.max(np.abs(slope)) < np.max(np.abs(gradient)):
        return moved, covariance, closer
    laplace.modes = modes
    return point, covariance, value


class _Laplace:
    """The negative log likelihood and its gradient; the most likely random effects are kept from one call to the next.

    The thresholds are searched as the first and the logarithms of the steps between them.
    """

    def __init__(self, data: OrdinalData, free: list[bool]) -> None:
        self.data, self.free = data, free
        self.modes = [np.zeros(size) for size in data.sizes]
        self.inverse: _Inverse | None = None  # of the call before

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
        parts, inverse, joint = self._most_likely(point)
        if parts is None or inverse is None:
            return np.inf, np.zeros(len(point))
        return joint + inverse.log_determinant / 2, self._gradient(parts, inverse, self.deviations(point))

    def start(self) -> Floats:
        """Where a search begins: the thresholds of all judgements together, and deviations by how far the sums of
        slopes in groups are from what chance makes of them."""
        data = self.data
        shares = np.cumsum(np.bincount(data.level, minlength=data.levels))[:-1] / len(data.level)
        cuts = special.logit(shares)
        parts = _Parts.of(data.level, np.concatenate(([-np.inf], cuts, [np.inf])), np.zeros(len(data.level)))
        spreads = []
        for codes, free in zip((data.first, data.second), self.free, strict=True):
            slopes, weights = np.bincount(codes, parts.slope), np.bincount(codes, parts.weight)
            spreads += [np.sqrt(np.clip((slopes @ slopes - weights.sum()) / (weights @ weights), 0.01, 1))] * free
        return np.concatenate((cuts[:1], np.log(np.diff(cuts)), np.zeros(data.design.shape[1]), spreads))

    def expected_inverse(self, searched: Floats) -> Floats:
        """An approximate inverse of the Hessian for the begin of a search.

        The most likely random effects follow thresholds and fixed effects; the deviations have the information of
        normal values.
        """
        point = self.unfolded(searched)
        parts, inverse, _ = self._most_likely(point)
        if parts is None or inverse is None:
            return np.eye(len(point))
        data, spread, cuts = self.data, self.deviations(point), self.data.levels - 1
        kinds = list(zip((data.first, data.second), data.sizes, spread, strict=True))
        mixed, own = parts.by_fixed(data)
        sums = [[of * _sums(codes, column, size) for codes, size, of in kinds] for column in mixed.T]
        turned = np.array([np.concatenate(inverse.times(of)) for of in sums])
        weights = [np.bincount(codes, parts.weight, size) for codes, size, _ in kinds]
        told = [
            2 * of**2 * float(((each / (1 + of**2 * each)) ** 2).sum())
            for of, each in zip(spread, weights, strict=True)
        ]
        hessian = np.diag([0.0] * len(own) + [one for one, free in zip(told, self.free, strict=True) if free])
        hessian[: len(own), : len(own)] = own - np.array([np.concatenate(of) for of in sums]) @ turned.T
        steps = np.eye(len(point))
        steps[:cuts, :cuts] = np.tril([[1.0, *np.exp(np.minimum(searched[1:cuts], 20))]] * cuts)
        values, vectors = np.linalg.eigh(steps.T @ hessian @ steps)
        return np.asarray((vectors / np.maximum(values, LEAST * values[-1])) @ vectors.T)

    def _most_likely(self, point: Floats) -> "tuple[_Parts | None, _Inverse | None, float]":
        """The parts and the joint value at the most likely random effects, by Newton's method with halved steps from
        the effects before.

        Its matrix stays, from the call before too, as long as each step is a tenth of the last one or less.
        """
        data, spread, inverse = self.data, self.deviations(point), self.inverse
        cuts = data.levels - 1
        fixed = data.design @ point[cuts : cuts + data.design.shape[1]]
        bounds = np.concatenate(([-np.inf], point[:cuts], [np.inf]))
        parts = _Parts.of(data.level, bounds, self._shift(fixed, spread, self.modes))
        value, last, fresh = self._joint(parts, self.modes), 1.0, False
        for _ in range(NEWTON):
            slopes = [
                spread[at] * np.bincount(codes, parts.slope, size) + self.modes[at]
                for at, (codes, size) in enumerate(zip((data.first, data.second), data.sizes, strict=True))
            ]
            moves, longest = _step(inverse, slopes)
            if longest > SLOW * last:
                inverse, fresh = _Inverse.of(data, parts.weight, spread), True
                if inverse is None:
                    break
                moves, longest = _step(inverse, slopes)
            if longest < CLOSE:
                break
            for _ in range(HALVED):
                tried = [modes - move for modes, move in zip(self.modes, moves, strict=True)]
                parts = _Parts.of(data.level, bounds, self._shift(fixed, spread, tried))
                if (now := self._joint(parts, tried)) <= value + ROUNDED:
                    break
                moves = [move / 2 for move in moves]
            self.modes, value, last, fresh = tried, now, longest, False
        self.inverse = inverse if fresh else _Inverse.of(data, parts.weight, spread)
        return parts, self.inverse, value

    def _shift(self, fixed: Floats, spread: tuple[float, float], modes: list[Floats]) -> Floats:
        data = self.data
        first, second = (of * each for of, each in zip(spread, modes, strict=True))
        return np.asarray(fixed + first.take(data.first) + second.take(data.second))

    @staticmethod
    def _joint(parts: "_Parts", modes: list[Floats]) -> float:
        return sum(float(of @ of) for of in modes) / 2 - float(np.log(parts.chance).sum())

    def _gradient(self, parts: "_Parts", inverse: "_Inverse", spread: tuple[float, float]) -> Floats:
        """With a = the row of a judgement in the random effects, q = H^-1 of half the slope of log det H by them."""
        data, groups = self.data, (self.data.first, self.data.second)
        lever = inverse.levers(spread)  # H^-1 a at a judgement's own two groups
        half = (spread[0] * lever[0] + spread[1] * lever[1]) / 2  # half of a' H^-1 a
        bent = half * parts.bend
        by_group = [spread[at] * np.bincount(groups[at], bent, data.sizes[at]) for at in range(2)]
        turned = inverse.times([np.asarray(of, dtype=np.float64) for of in by_group])
        own = [turned[at].take(groups[at]) for at in range(2)]
        moved = spread[0] * own[0] + spread[1] * own[1]  # a' q
        along = parts.slope + bent - parts.weight * moved  # by the sum of all effects
        upper, lower = (-of[0] + half * of[2] - of[1] * moved for of in (parts.up, parts.down))
        cuts = np.bincount(data.level, upper, data.levels)[:-1] + np.bincount(data.level, lower, data.levels)[1:]
        by_spread = [
            float(np.sum(along * self.modes[at].take(groups[at]) + parts.weight * lever[at] - parts.slope * own[at]))
            for at in range(2) if self.free[at]
        ]  # fmt: skip
        return np.concatenate((cuts, along @ data.design, by_spread))


def _step(inverse: "_Inverse | None", slopes: list[Floats]) -> tuple[list[Floats], float]:
    """Newton's step, and how far it goes at the most."""
    if inverse is None:
        return [], np.inf
    moves = inverse.times(slopes)
    return moves, max(float(np.max(np.abs(move))) for move in moves)


@dataclass(frozen=True)
class _Parts:
    """The chance of each judgement, and its derivatives.

    `slope` and `weight` are the first two of the negative log chance by the sum of effects, `bend` is that of the
    weight. `up` and `down` are those of the log chance, slope and weight by the threshold above and below. `at` are the
    densities above and below by the chance, with their slopes, `ends` the densities alone.
    """

    chance: Floats
    slope: Floats
    densities: tuple[Floats, Floats]  # by the chance
    shares: tuple[Floats, Floats, Floats, Floats]  # below and above the one end, and the other
    ends: tuple[Floats, Floats]

    @classmethod
    def of(cls, level: Codes, bounds: Floats, shift: Floats) -> "_Parts":
        high, low = bounds[1:].take(level) - shift, bounds.take(level) - shift
        (upto, above), (under, over) = _shares(high), _shares(low)
        # A difference of small tails keeps its digits.
        chance = np.maximum(np.where(low > 0, over - above, upto - under), 1e-300)
        ends = upto * above, under * over
        up, down = (of / chance for of in ends)
        return cls(chance, up - down, (up, down), (upto, above, under, over), ends)

    # Weights are worked out where they are asked for: most places that are tried need the slope alone.

    @cached_property
    def at(self) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        (up, down), (upto, above, under, over) = self.densities, self.shares
        return (up, up * (above - upto)), (down, down * (over - under))

    @cached_property
    def second(self) -> Floats:
        return self.at[0][1] - self.at[1][1]

    @cached_property
    def weight(self) -> Floats:
        return np.asarray(self.slope**2 - self.second)

    def by_fixed(self, data: OrdinalData) -> tuple[Floats, Floats]:
        """The second derivatives of the negative log chance: by thresholds and fixed effects and by the sum of effects,
        (n, k), and by two of the former, (k, k), summed."""
        cuts, every = data.levels - 1, np.arange(len(data.level))
        by_cut = np.zeros((len(data.level), data.levels + 1))  # of the bounds, the infinite ones too
        by_cut[every, data.level + 1] = self.up[1]
        by_cut[every, data.level] = self.down[1]
        mixed = np.hstack((by_cut[:, 1:-1], self.weight[:, None] * data.design))
        (above, of_above), (below, of_below) = self.at
        at_cuts = np.bincount(data.level, above**2 - of_above, data.levels)[:-1]
        at_cuts += np.bincount(data.level, below**2 + of_below, data.levels)[1:]
        between = np.bincount(data.level, -above * below, data.levels)[1:-1]
        across = mixed.T @ data.design
        own = np.zeros((mixed.shape[1], mixed.shape[1]))
        own[:, cuts:], own[cuts:, :cuts] = across, across[:cuts].T
        own[:cuts, :cuts] = np.diag(at_cuts) + np.diag(between, 1) + np.diag(between, -1)
        return mixed, own

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


def _shares(at: Floats) -> tuple[Floats, Floats]:
    """The logistic distribution below and above: both keep the digits of a small tail."""
    odds = np.abs(at)
    np.exp(np.negative(odds, out=odds), out=odds)
    large = np.add(1, odds)
    np.divide(1, large, out=large)
    small, positive = np.multiply(odds, large, out=odds), at > 0
    return np.where(positive, large, small), np.where(positive, small, large)


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
            self.starts = np.cumsum(of_each) - of_each  # of the pairs that begin with each
            below = self.left >= self.right
            left, right = self.left[below], self.right[below]
            self.upper = left, right, self.rows[right] * sizes[0] + self.rows[left]

    def squared(self, values: Floats) -> Floats:
        """The upper triangle of the matrix of these values times itself turned, (r, r)."""
        if not self.few:
            whole = self._whole(values)
            return np.asarray(whole @ whole.T)
        left, right, cells = self.upper
        return _sums(cells, values.take(left) * values.take(right), self.sizes[0] ** 2).reshape(self.sizes[0], -1)

    def at_pairs(self, small: Floats, values: Floats) -> Floats:
        """A matrix (r, r) times that of the values, at the pairs."""
        if not self.few:
            return np.asarray((small @ self._whole(values))[self.rows, self.columns])
        return np.asarray(np.add.reduceat(small.take(self.cells) * values.take(self.right), self.starts))

    def times(self, values: Floats, given: Floats) -> Floats:
        """The matrix of these values times a vector (s,)."""
        return _sums(self.rows, values * given.take(self.columns), self.sizes[0])

    def turned_times(self, values: Floats, given: Floats) -> Floats:
        """The matrix turned times a vector (r,)."""
        return _sums(self.columns, values * given.take(self.rows), self.sizes[1])

    def _whole(self, values: Floats) -> Floats:
        whole = np.zeros(self.sizes)
        whole[self.rows, self.columns] = values
        return whole


def _sums(places: Codes, values: Floats, count: int) -> Floats:
    return np.asarray(np.bincount(places, values, count), dtype=np.float64)


@dataclass(frozen=True)
class _Inverse:
    """The inverse of H = I + A' W A by blocks. H's own block of the second grouping is diagonal, with the roots `ends`
    (s,), and `scaled` is that of both groupings by these, at its pairs. `small` (r, r) is the inverse of what is left
    of the first grouping's block."""

    data: OrdinalData
    small: Floats
    ends: Floats
    scaled: Floats
    log_determinant: float

    @classmethod
    def of(cls, data: OrdinalData, weight: Floats, spread: tuple[float, float]) -> "_Inverse | None":
        crossing, (rows, columns) = data.crossing, data.sizes
        first = 1 + spread[0] ** 2 * np.bincount(data.first, weight, rows)
        ends = np.sqrt(1 + spread[1] ** 2 * np.bincount(data.second, weight, columns))
        scaled = spread[0] * spread[1] * _sums(crossing.pair, weight, len(crossing.rows)) / ends.take(crossing.columns)
        left = np.subtract(0.0, crossing.squared(scaled))
        left.flat[:: rows + 1] += first
        # Turned it is in Fortran's order, and has its lower triangle: nothing is copied.
        root, failed = linalg.lapack.dpotrf(left.T, lower=True, overwrite_a=True)
        if failed:
            return None
        log_determinant = 2 * float(np.log(np.diag(root)).sum() + np.log(ends).sum())
        inverse = linalg.lapack.dtrtri(root, lower=True, overwrite_c=True)[0]
        # dpotri takes three times as long as this and a product.
        return cls(data, inverse.T @ inverse, ends, scaled, log_determinant)

    def times(self, given: list[Floats]) -> list[Floats]:
        """H^-1 times a vector of both groupings."""
        second, crossing = given[1] / self.ends, self.data.crossing
        first = self.small @ (given[0] - crossing.times(self.scaled, second))
        return [first, (second - crossing.turned_times(self.scaled, first)) / self.ends]

    def levers(self, spread: tuple[float, float]) -> tuple[Floats, Floats]:
        """H^-1 a at the two groups of each judgement, (n,) each."""
        crossing = self.data.crossing
        across = -crossing.at_pairs(self.small, self.scaled)
        large = (1 - np.bincount(crossing.columns, self.scaled * across, len(self.ends))) / self.ends**2
        both = (across / self.ends.take(crossing.columns)).take(crossing.pair)
        own = np.diag(self.small).take(self.data.first)
        return spread[0] * own + spread[1] * both, spread[0] * both + spread[1] * large.take(self.data.second)
