"""Systems in order where each has other units: by the differences of each two over the sources that both have.

Where every system has its own random part of a study, there is little that all have, yet each two share enough to be
compared. Their order is by the values that fit these differences best (least squares, each weighed by how many sources
it is over), so an easy part helps no system. Where all have the same they are the systems' own numbers.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from evaluation.numerics.results import FEWEST
from evaluation.resampling.sufficient_statistics import SufficientStatistics
from evaluation.significance.paired_resampling import shared_difference

LEAST = 0.5
"""The share that a system has of the sources of the largest one; one with less is no part of such a design."""


def values_by_pairs(column: Sequence[SufficientStatistics | None], competing: Sequence[int]) -> dict[int, float]:
    """The values by which systems are put in order.

    Two that share fewer sources than a test needs are not compared. Systems that no chain of comparisons links with
    most of the others are left out.

    Args:
        column: What the number of each system is made of, by place.
        competing: The places of those that compete, all with a number.

    Returns:
        The values by place; {} where no two can be compared, or where two parts that are equally large are not linked.
    """
    known = {place: sums for place in competing if (sums := column[place]) is not None}
    sizes = {place: len(np.unique(sums.groups)) for place, sums in known.items()}
    largest = max(sizes.values(), default=0)
    members = [place for place in competing if place in sizes and sizes[place] >= LEAST * largest]
    compared = {}
    for a, b in combinations(members, 2):
        difference, sources = shared_difference(known[a], known[b])
        if difference is not None and sources >= FEWEST:
            compared[a, b] = difference, sources
    linked = _linked(members, compared)
    own = {place: float(known[place].value_of(known[place].rows.sum(axis=0))) for place in linked}
    return _fitted(own, compared)


def _linked(members: Sequence[int], compared: Mapping[tuple[int, int], object]) -> list[int]:
    """The largest part that comparisons link; [] where it is not the only one of its size."""
    parts: list[set[int]] = []
    for member in members:
        touched = [part for part in parts if any((min(member, of), max(member, of)) in compared for of in part)]
        parts = [part for part in parts if part not in touched] + [set().union({member}, *touched)]
    parts.sort(key=len)
    alone = not parts or len(parts[-1]) < 2 or (len(parts) > 1 and len(parts[-2]) == len(parts[-1]))
    return [] if alone else sorted(parts[-1])


def _fitted(own: Mapping[int, float], compared: Mapping[tuple[int, int], tuple[float, int]]) -> dict[int, float]:
    """Least squares over the differences, about the mean of the systems' own numbers."""
    if not own:
        return {}
    at = {place: number for number, place in enumerate(own)}
    pairs = [(at[a], at[b], *compared[a, b]) for a, b in compared if a in at and b in at]
    first, second, difference, sources = (np.array(of) for of in zip(*pairs, strict=True))
    design = np.zeros((len(pairs), len(own)))
    rows, weights = np.arange(len(pairs)), np.sqrt(sources)
    design[rows, first], design[rows, second] = weights, -weights
    fitted = np.linalg.lstsq(design, weights * difference, rcond=None)[0]
    fitted += np.mean(list(own.values())) - fitted.mean()
    return {place: float(fitted[number]) for place, number in at.items()}
