"""Exact p of rank tests, ties included: the sums of ranks that chance gives, counted.

Middle ranks are halves, so twice a rank is a whole number, and the sums are counted by adding one rank after another.
The counts stay below 2^53 for as many points as `MOST`, so floats hold them exactly.
"""

import numpy as np

from evaluation.numerics.arrays import Floats
from evaluation.numerics.results import Direction

MOST = 50  # points; beyond, the normal curve is as good


def signed_rank_p(ranks: Floats, observed: float, direction: Direction) -> float:
    """p of `observed`, the sum of the positive ranks among ranks (n_pairs,), each positive with an even chance."""
    twice = _twice(ranks)
    ways = np.zeros(int(twice.sum()) + 1)
    ways[0] = 1
    for rank in twice:
        ways[rank:] += ways[:-rank].copy()
    return tails(ways, observed, direction)


def rank_sum_p(ranks: Floats, count: int, observed: float, direction: Direction) -> float:
    """p of `observed`, the rank sum of a sample of `count` among ranks (n_values,), all equally likely."""
    twice = _twice(ranks)
    ways = np.zeros((count + 1, int(twice.sum()) + 1))
    ways[0, 0] = 1
    for rank in twice:
        ways[1:, rank:] += ways[:-1, :-rank].copy()
    return tails(ways[count], observed, direction)


def tails(ways: Floats, observed: float, direction: Direction) -> float:
    """p from the number of ways to each doubled sum; two-sided p is twice the smaller tail."""
    place = round(2 * observed)
    above = float(ways[place:].sum() / ways.sum())
    below = float(ways[: place + 1].sum() / ways.sum())
    return {"greater": above, "less": below, "two-sided": min(1.0, 2 * min(above, below))}[direction]


def _twice(ranks: Floats) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.rint(2 * ranks).astype(np.int64)
