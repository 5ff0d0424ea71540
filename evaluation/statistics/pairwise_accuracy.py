"""Pairwise accuracy with ties: how many pairs a metric orders, or ties, as people do, its ties calibrated (acc-eq)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.statistics._base import Floats, Labels, Statistic
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
    """A pair is right where metric and people order it alike, or both tie it; metric and human are (n,).

    Pairs are taken within `groups` (n,), such as an item's outputs; without groups, of all points, such as systems.
    NaN marks a score that is lacking. `epsilon` is the one that makes the accuracy highest on these very points, 0
    or one of their differences; give one that was found on other points to have theirs. A metric that falls where
    quality rises is to be negated first. ValueError: lengths differ, or epsilon is negative.
    """
    scores, people = np.asarray(metric, dtype=np.float64), np.asarray(human, dtype=np.float64)
    names = np.zeros(scores.shape) if groups is None else np.asarray(groups)
    if scores.ndim != 1 or not scores.shape == people.shape == names.shape:
        raise ValueError("metric, human and groups are one-dimensional and of equal length.")
    if epsilon is not None and not epsilon >= 0:
        raise ValueError("epsilon is zero or more.")
    here = np.isfinite(scores) & np.isfinite(people)
    group = np.unique(names[here], return_inverse=True)[1]
    sizes = np.bincount(group)
    if not (pairs := int(np.sum(sizes * (sizes - 1))) // 2):
        return Accuracy(None, None, None, 0, 0, "No two points can be compared.")
    compared = int(np.sum(sizes > 1))
    if pairs > MOST:
        return Accuracy(None, None, None, pairs, compared, f"{pairs:,} pairs are too many to compare.")
    left, right = (np.concatenate(side) for side in zip(*_pairs(group), strict=True))
    weights = 2 / (compared * sizes * np.maximum(sizes - 1.0, 1.0))[group[left]]
    apart, order = (one[here][left] - one[here][right] for one in (scores, people))
    if not order.any():
        return Accuracy(None, None, None, pairs, compared, "People tie every pair, so there is no order to find.")
    thresholds, values = _by_threshold(apart, order, weights)
    if epsilon is None:
        best = int(np.flatnonzero(values >= values.max() - ROUNDING)[0])
    else:
        best = int(np.searchsorted(thresholds, epsilon, side="right")) - 1
    chosen = float(thresholds[best]) if epsilon is None else float(epsilon)
    return Accuracy(float(values[best]), chosen, float(values[0]), pairs, compared)


def _pairs(group: NDArray[np.intp]) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """The places of every two points of a group."""
    order = np.argsort(group, kind="stable")
    sorted_groups, at, lag = group[order], np.arange(len(order)), 0
    while len(at):
        lag += 1
        at = at[at + lag < len(order)]
        at = at[sorted_groups[at + lag] == sorted_groups[at]]
        yield order[at], order[at + lag]


def _by_threshold(apart: Floats, order: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Epsilon 0 and every difference of scores, rising, and the accuracy when all up to it are tied.

    A pair that becomes a tie is right from then on where people tie it, and wrong where they do not.
    """
    right = np.sign(apart) == np.sign(order)
    thresholds, place = np.unique(np.append(0.0, np.abs(apart)), return_inverse=True)
    gains = np.where(order == 0, 1.0, 0.0) - right
    changed = np.bincount(place[1:], gains * weights, len(thresholds))
    return thresholds, np.sum(weights[right]) + np.cumsum(changed)


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
