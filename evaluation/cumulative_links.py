"""Cumulative link mixed models: ordinal values by fixed effects and two crossed kinds of normal effects, by Laplace."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.numerics import Codes, Floats
from foundation.lazy_import import lazy_import

optimize, special = lazy_import("scipy.optimize"), lazy_import("scipy.special")

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

    @property
    def sizes(self) -> tuple[int, int]:
        return int(self.first.max()) + 1, int(self.second.max()) + 1


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
    free = [size > 1 for size in data.sizes]
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
        upper = -parts.up[0] + half * parts.up[2] - parts.up[1] * moved
        lower = -parts.down[0] + half * parts.down[2] - parts.down[1] * moved
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
    weight. `up` and `down` are those of the log chance, slope and weight by the threshold above and below.
    """

    chance: Floats
    slope: Floats
    weight: Floats
    bend: Floats
    up: tuple[Floats, Floats, Floats]
    down: tuple[Floats, Floats, Floats]

    @classmethod
    def of(cls, level: Codes, bounds: Floats, shift: Floats) -> "_Parts":
        high, low = bounds[level + 1] - shift, bounds[level] - shift
        swapped = low > 0  # the chance as a difference of small tails keeps its digits
        chance = np.where(
            swapped, special.expit(-low) - special.expit(-high), special.expit(high) - special.expit(low)
        )  # fmt: skip
        chance = np.maximum(chance, 1e-300)
        (f1, d1, s1), (f0, d0, s0) = (_densities(at) for at in (high, low))
        up, down = (f1 / chance, d1 / chance, s1 / chance), (f0 / chance, d0 / chance, s0 / chance)
        slope, second, third = up[0] - down[0], up[1] - down[1], up[2] - down[2]
        weight = slope**2 - second
        bend = 2 * slope * weight + third - second * slope
        above, below = up[1] - slope * up[0], -down[1] + slope * down[0]
        return cls(
            chance, slope, weight, bend,
            (up[0], above, 2 * slope * above - up[2] + second * up[0]),
            (-down[0], below, 2 * slope * below + down[2] - second * down[0]),
        )  # fmt: skip


def _densities(at: Floats) -> tuple[Floats, Floats, Floats]:
    """The logistic density and its first two derivatives."""
    part = special.expit(at)
    density = part * special.expit(-at)
    return density, density * (1 - 2 * part), density * (1 - 6 * density)


@dataclass(frozen=True)
class _Inverse:
    """The inverse of H = I + A' W A by blocks: `small` is that of the first grouping, (r, r), `across` (r, s) that of
    both, `large` (s,) the diagonal of that of the second. H's own block of the second is diagonal, `ends` (s,), and
    `scaled` (r, s) is that of both by it."""

    data: OrdinalData
    small: Floats
    across: Floats
    large: Floats
    ends: Floats
    scaled: Floats
    log_determinant: float

    @classmethod
    def of(cls, data: OrdinalData, weight: Floats, spread: tuple[float, float]) -> "_Inverse | None":
        rows, columns = data.sizes
        first = 1 + spread[0] ** 2 * np.bincount(data.first, weight, rows)
        ends = 1 + spread[1] ** 2 * np.bincount(data.second, weight, columns)
        both = spread[0] * spread[1] * np.bincount(data.first * columns + data.second, weight, rows * columns)
        both = both.reshape(rows, columns)
        scaled = both / ends
        try:
            root = np.linalg.cholesky(np.diag(first) - scaled @ both.T)
        except np.linalg.LinAlgError:
            return None
        small = np.linalg.inv(root.T) @ np.linalg.inv(root)
        across = -small @ scaled
        large = 1 / ends - np.einsum("rs,rs->s", scaled, across)
        log_determinant = 2 * float(np.log(np.diag(root)).sum()) + float(np.log(ends).sum())
        return cls(data, small, across, large, np.asarray(ends), np.asarray(scaled), log_determinant)

    def times(self, given: list[Floats]) -> list[Floats]:
        """H^-1 times a vector of both groupings, without its block (s, s)."""
        first = self.small @ given[0] + self.across @ given[1]
        return [first, given[1] / self.ends - self.scaled.T @ first]

    def levers(self, spread: tuple[float, float]) -> NDArray[np.float64]:
        """H^-1 a at the two groups of each judgement, (n, 2)."""
        first, second = self.data.first, self.data.second
        both, own = self.across[first, second], np.diag(self.small)[first]
        return np.column_stack(
            (spread[0] * own + spread[1] * both, spread[0] * both + spread[1] * self.large[second])
        )  # fmt: skip
