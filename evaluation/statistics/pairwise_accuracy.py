"""Pairwise accuracy with ties: how many pairs a metric orders, or ties, as people do, its ties calibrated (acc-eq)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.numerics import Floats, Labels
from evaluation.statistics._base import Statistic
from foundation.papers import Paper

MOST = 20_000_000  # pairs that are compared
ROUNDING = 1e-12  # accuracies that differ by less are the same: the smallest epsilon is taken


@dataclass(frozen=True)
class Accuracy:
    """The mean over groups of the share of pairs that are right, when scores up to `epsilon` apart are tied.

    `uncalibrated` is that of epsilon 0. `pairs` and `groups` count those that were compared.
    """

    value: float | None
    epsilon: float | None
    uncalibrated: float | None
    pairs: int
    groups: int
    undefined: str = ""


@dataclass(frozen=True, kw_only=True)
class AccuracyStatistic(Statistic):
    """`accuracy(metric, human, groups=None, epsilon=None) -> Accuracy`."""

    accuracy: Callable[..., Accuracy]


def accuracy(
    metric: ArrayLike, human: ArrayLike, groups: Labels | None = None, epsilon: float | None = None
) -> Accuracy:
    """The share of pairs that metric and people order alike, or both tie.

    Args:
        metric: (n_points,) the metric's scores, NaN where one is missing. One that falls where quality rises is to be
            negated first.
        human: (n_points,) people's.
        groups: (n_points,) pairs are taken within these, such as the outputs of an item; without them, of all points.
        epsilon: scores up to this far apart are ties. Without it, the value that makes the accuracy highest on these
            points, 0 or one of their differences.

    Raises:
        ValueError: lengths differ, or epsilon is negative.
    """
    scores, people = np.asarray(metric, dtype=np.float64), np.asarray(human, dtype=np.float64)
    names = np.zeros(scores.shape) if groups is None else np.asarray(groups)
    if scores.ndim != 1 or not scores.shape == people.shape == names.shape:
        raise ValueError("metric, human and groups are one-dimensional and of equal length.")
    if epsilon is not None and not epsilon >= 0:
        raise ValueError("epsilon is zero or more.")
    here = np.isfinite(scores) & np.isfinite(people)
    return Pairing(names[here]).accuracy(scores[here], people[here], epsilon)


class HeldOutPairing:
    """Accuracy with the epsilon of other groups: each half of the groups has that which suits the other half best.

    The epsilon that suits the very same points best flatters a metric with many near scores (Deutsch et al. 2023).
    """

    def __init__(self, groups: Labels, first_half: NDArray[np.bool_]) -> None:
        names = np.asarray(groups)
        self._halves = first_half, ~first_half
        self._pairings = tuple(Pairing(names[half]) for half in self._halves)

    def accuracy(self, scores: Floats, people: Floats, name: str = "") -> float | None:
        """The mean over all groups; None where a half has no epsilon or no pairs. `name` says which metric it is."""
        given = [(scores[half], people[half]) for half in self._halves]
        own = [pairing.accuracy(*points, None, name) for pairing, points in zip(self._pairings, given, strict=True)]
        if any(found.epsilon is None for found in own):
            return None
        crossed = zip(self._pairings, given, own[::-1], strict=True)
        values = [pairing.accuracy(*points, other.epsilon, name).value for pairing, points, other in crossed]
        groups = [pairing.groups for pairing in self._pairings]
        return float(np.average([value or 0.0 for value in values], weights=groups))


class Pairing:
    """The pairs of points within the `groups` (n,), for many metrics and people's scores of the same points.

    Numbers that depend on a metric alone are computed once and kept by its name.
    """

    def __init__(self, groups: Labels) -> None:
        group = np.unique(np.asarray(groups), return_inverse=True)[1]
        sizes = np.bincount(group)
        self.pairs, self.groups = int(np.sum(sizes * (sizes - 1))) // 2, int(np.sum(sizes > 1))
        self._cache: dict[str, _Apart] = {}
        if 0 < self.pairs <= MOST:
            self._left, self._right = (np.concatenate(side) for side in zip(*_pairs(group), strict=True))
            self._weights = 2 / (self.groups * sizes * np.maximum(sizes - 1.0, 1.0))[group[self._left]]

    def accuracy(self, scores: Floats, people: Floats, epsilon: float | None = None, name: str = "") -> Accuracy:
        """As `accuracy`, of finite scores (n,); `name` says which metric it is."""
        if not self.pairs:
            return Accuracy(None, None, None, 0, 0, "No two points can be compared.")
        if self.pairs > MOST:
            why = f"{self.pairs:,} pairs are too many to compare."
            return Accuracy(None, None, None, self.pairs, self.groups, why)
        order = people[self._left] - people[self._right]
        if not order.any():
            why = "People tie every pair, so there is no order to find."
            return Accuracy(None, None, None, self.pairs, self.groups, why)
        thresholds, values = self._apart(scores, name).values(order, self._weights)
        if epsilon is None:
            best = int(np.flatnonzero(values >= values.max() - ROUNDING)[0])
        else:
            best = int(np.searchsorted(thresholds, epsilon, side="right")) - 1
        chosen = float(thresholds[best]) if epsilon is None else float(epsilon)
        return Accuracy(float(values[best]), chosen, float(values[0]), self.pairs, self.groups)

    def _apart(self, scores: Floats, name: str) -> "_Apart":
        if name and name in self._cache:
            return self._cache[name]
        differences = _Apart.of(scores[self._left] - scores[self._right])
        if name:
            self._cache[name] = differences
        return differences


@dataclass(frozen=True)
class _Apart:
    """By how much a metric sets pairs apart: signs (n_pairs,), and the places of the pairs from the nearest.

    `thresholds` are epsilon 0 and every difference, rising; with the k-th of them the first `upto[k]` pairs are tied.
    """

    signs: Floats
    order: NDArray[np.intp]
    thresholds: Floats
    upto: NDArray[np.intp]

    @classmethod
    def of(cls, apart: Floats) -> "_Apart":
        sizes = np.abs(apart)
        order = np.argsort(sizes, kind="stable")
        rising = sizes[order]
        upto = np.append(np.flatnonzero(np.diff(rising)) + 1, len(rising)).astype(np.intp)
        thresholds = rising[upto - 1]
        if thresholds[0] > 0:
            thresholds, upto = np.append(0.0, thresholds), np.append(np.intp(0), upto)
        return cls(np.sign(apart), order, thresholds, upto)

    def values(self, people: Floats, weights: Floats) -> tuple[Floats, Floats]:
        """The thresholds, and the accuracy when all up to each is tied.

        A pair that becomes a tie is right from then on where people tie it, and wrong where they do not.
        """
        right = self.signs == np.sign(people)
        gains = (np.where(people == 0, 1.0, 0.0) - right) * weights
        gained = np.append(0.0, np.cumsum(gains[self.order]))
        return self.thresholds, np.sum(weights[right]) + gained[self.upto]


def _pairs(group: NDArray[np.intp]) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """The places of every two points of a group."""
    order = np.argsort(group, kind="stable")
    sorted_groups, places, lag = group[order], np.arange(len(order)), 0
    while len(places):
        lag += 1
        places = places[places + lag < len(order)]
        places = places[sorted_groups[places + lag] == sorted_groups[places]]
        yield order[places], order[places + lag]


STATISTIC = AccuracyStatistic(
    label="Pairwise accuracy, ties calibrated",
    paper=Paper(
        "Deutsch, Foster and Freitag",
        2023,
        "Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and Tie Calibration",
        "https://aclanthology.org/2023.emnlp-main.798/",
    ),
    accuracy=accuracy,
)
