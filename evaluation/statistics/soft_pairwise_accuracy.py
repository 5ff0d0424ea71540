"""Soft pairwise accuracy: how far a metric is as sure as people are which of two systems is better."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from numpy.typing import ArrayLike

from evaluation.numerics import FEWEST, Floats
from evaluation.statistics._base import Statistic
from foundation.papers import Paper
from foundation.translation import translatable

FEW = translatable("It needs {fewest} sentences or more that all systems have, and there are {n}.")

DRAWS, SEED = 1000, 4  # as in the authors' program, with which p-values are equal


@dataclass(frozen=True)
class SoftAccuracy:
    """1 less the mean difference of the two p-values of each pair of systems; over `items` that all systems have."""

    value: float | None
    pairs: int
    items: int
    undefined: str = ""


@dataclass(frozen=True, kw_only=True)
class SoftAccuracyStatistic(Statistic):
    """`accuracy(metric, human, draws, seed) -> SoftAccuracy`; `p_values` of one side serve several metrics."""

    accuracy: Callable[..., SoftAccuracy]
    p_values: Callable[..., Floats]


def accuracy(
    metric: ArrayLike, human: ArrayLike, draws: int = DRAWS, seed: int = SEED, kept: dict[bytes, Floats] | None = None
) -> SoftAccuracy:
    """Soft pairwise accuracy, also called 1 - PCE (pairwise confidence error).

    Args:
        metric: (n_systems, n_items) the metric's scores, NaN where one is missing. One that falls where quality rises
            is to be negated first.
        human: People's scores. They have the same shape.
        draws: the number of permutations.
        seed: of their random numbers.
        kept: p-values by scores, which further metrics and criteria share.

    Returns:
        The accuracy over the items that all systems have from both. Systems without any are left out.

    Raises:
        ValueError: shapes differ.
    """
    scores, people = np.array(metric, dtype=np.float64), np.array(human, dtype=np.float64)
    if scores.ndim != 2 or scores.shape != people.shape:
        raise ValueError("metric and human are two-dimensional, systems by items, and of equal shape.")
    both = np.isfinite(scores) & np.isfinite(people)
    systems = np.flatnonzero(both.any(axis=1))
    items = np.flatnonzero(both[systems].all(axis=0)) if len(systems) else np.empty(0, dtype=np.intp)
    pairs = len(systems) * (len(systems) - 1) // 2
    if not pairs:
        return SoftAccuracy(None, 0, len(items), translatable("Two systems or more are needed."))
    if len(items) < FEWEST:
        why = FEW.format(fewest=FEWEST, n=len(items))
        return SoftAccuracy(None, pairs, len(items), why)
    here = np.ix_(systems, items)
    first, second = (_known(side[here], draws, seed, {} if kept is None else kept) for side in (people, scores))
    apart = np.abs(first - second)
    return SoftAccuracy(float(1.0 - np.mean(apart[np.triu_indices(len(systems), 1)])), pairs, len(items))


def _known(scores: Floats, draws: int, seed: int, kept: dict[bytes, Floats]) -> Floats:
    key = sha256(f"{scores.shape} {draws} {seed}".encode() + scores.tobytes()).digest()
    if key not in kept:
        kept[key] = p_values(scores, draws, seed)
    return kept[key]


def p_values(scores: Floats, draws: int = DRAWS, seed: int = SEED) -> Floats:
    """One-sided p-values that each system is better than each later one, by paired permutation over items.

    In single precision, and with the random numbers of the authors' program: p-values are equal to its own.

    Args:
        scores: (n_systems, n_items), none of them missing.
        draws: the number of permutations, the same for all pairs.
        seed: of their random numbers.

    Returns:
        (n_systems, n_systems), NaN but above the diagonal.
    """
    signs = np.random.default_rng(seed).random(size=(draws, scores.shape[1]), dtype=np.float32)
    signs = np.rint(signs) * np.float32(2) - np.float32(1)
    single = scores.astype(np.float32)
    whole, swapped = single.sum(axis=1), np.ascontiguousarray((signs @ single.T).T)
    values = np.full((len(single), len(single)), np.nan)
    for first in range(len(single)):
        for second in range(first + 1, len(single)):
            as_large = swapped[first] - swapped[second] >= whole[first] - whole[second]
            values[first, second] = np.count_nonzero(as_large) / draws
    return values


STATISTIC = SoftAccuracyStatistic(
    label="Soft pairwise accuracy",
    paper=Paper(
        "Thompson, Mathur, Deutsch and Khayrallah",
        2024,
        "Improving Statistical Significance in Human Evaluation of Automatic Metrics via Soft Pairwise Accuracy",
        "https://aclanthology.org/2024.wmt-1.118/",
    ),
    accuracy=accuracy,
    p_values=p_values,
)
