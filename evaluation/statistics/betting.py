"""Betting: is a mean of bounded values above or below a number, at whatever moment one looks?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.numerics import Floats
from evaluation.statistics._base import Statistic
from foundation.papers import Paper

GRID = 1000  # steps from the least to the largest mean, in a confidence sequence
AT_ONCE = 2_000_000  # numbers in hand


@dataclass(frozen=True)
class Sequence95:
    """A confidence sequence after `n` values: the ends that hold at every moment together, with the e-value of the mean
    being at the middle of the scale."""

    mean: float | None
    low: float
    high: float
    e: float
    n: int


@dataclass(frozen=True, kw_only=True)
class Betting(Statistic):
    """`e_values(values, ends, alpha)`, `sequence(values, ends, alpha)`, `rejected(e_values, alpha)`."""

    e_values: Callable[..., Floats]
    sequence: Callable[..., Sequence95]
    rejected: Callable[[Sequence[float], float], list[bool]]


def bets(values: Floats, alpha: float) -> Floats:
    """The share staked on each value (n,) from 0 to 1, by those before it alone (predictable plug-in of the paper)."""
    t = np.arange(1, len(values) + 1)
    means = (0.5 + np.cumsum(values)) / (t + 1)
    variances = (0.25 + np.cumsum((values - means) ** 2)) / (t + 1)
    before = np.concatenate(([0.25], variances[:-1]))
    return np.asarray(np.sqrt(2 * np.log(2 / alpha) / (before * t * np.log(1 + t))))


def capital(values: Floats, means: Floats, alpha: float) -> Floats:
    """The logarithm of the capital after each value of somebody who bets that each mean is false, (n_means, n).

    Half is staked on the mean being higher and half on its being lower, never more than half of what could be lost.
    """
    stakes = bets(values, alpha)[None, :]
    apart = values[None, :] - means[:, None]
    with np.errstate(divide="ignore"):
        above = np.minimum(stakes, 0.5 / means[:, None])
        below = np.minimum(stakes, 0.5 / (1 - means[:, None]))
    logs = [np.cumsum(np.log1p(sign * stake * apart), axis=1) for sign, stake in ((1, above), (-1, below))]
    return np.asarray(np.logaddexp(*logs) - np.log(2))


def e_values(values: ArrayLike, ends: tuple[float, float], alpha: float = 0.05) -> Floats:
    """After each value the e-value that the mean is at the middle of the scale, such as a difference of 0, (n,).

    The chance that it is ever 1 / alpha or more where the mean is there is at most alpha.

    Args:
        values: (n,) in the order in which they came.
        ends: the least and the largest possible value.
        alpha: the level that the bets aim at.

    Raises:
        ValueError: a value is outside.
    """
    return np.asarray(np.exp(np.minimum(capital(_scaled(values, ends), np.array([0.5]), alpha)[0], 700)))


def sequence(values: ArrayLike, ends: tuple[float, float], alpha: float = 0.05) -> Sequence95:
    """The interval that leaves the mean out at any moment with a chance of at most alpha. Arguments as `e_values`."""
    scaled, (low, high) = _scaled(values, ends), ends
    if not len(scaled):
        return Sequence95(None, low, high, 1.0, 0)
    means = np.arange(GRID + 1) / GRID
    rows = max(1, AT_ONCE // len(scaled))
    inside = np.concatenate([
        capital(scaled, means[at : at + rows], alpha).max(axis=1) <= np.log(1 / alpha)
        for at in range(0, len(means), rows)
    ])  # fmt: skip
    kept = means[inside] if inside.any() else np.array([scaled.mean()])
    first, last = max(0.0, kept[0] - 1 / GRID), min(1.0, kept[-1] + 1 / GRID)  # the grid's steps are on the safe side
    e = float(e_values(values, ends, alpha)[-1])
    return Sequence95(
        float(np.mean(np.asarray(values))), low + first * (high - low), low + last * (high - low), e, len(scaled)
    )  # fmt: skip


def rejected(e: Sequence[float], alpha: float) -> list[bool]:
    """The hypotheses that e-BH rejects: below alpha of the claims are false on average, whatever depends on what.

    The k largest are rejected, for the largest k of which each is n / (alpha k) or more (Wang and Ramdas 2022).
    """
    values = np.asarray(e, dtype=np.float64)
    ordered = np.sort(values)[::-1]
    enough = np.flatnonzero(ordered * np.arange(1, len(values) + 1) >= len(values) / alpha)
    if not len(enough):
        return [False] * len(values)
    least = ordered[enough[-1]]
    return [bool(value >= least) for value in values]


def _scaled(values: ArrayLike, ends: tuple[float, float]) -> NDArray[np.float64]:
    given = np.asarray(values, dtype=np.float64)
    if len(given) and not (given.min() >= ends[0] and given.max() <= ends[1]):
        raise ValueError("A value is outside of the ends.")
    return np.asarray((given - ends[0]) / (ends[1] - ends[0]))


STATISTIC = Betting(
    label="Betting confidence sequence",
    paper=Paper(
        "Waudby-Smith and Ramdas",
        2024,
        "Estimating means of bounded random variables by betting",
        "https://doi.org/10.1093/jrsssb/qkad009",
    ),
    e_values=e_values,
    sequence=sequence,
    rejected=rejected,
)
