"""Differences between ordered systems: clusters as in WMT, and letters of groups that do not differ (Piepho 2004)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics._base import Method
from foundation.papers import Paper

Name = TypeVar("Name")
Matrix: TypeAlias = Sequence[Sequence[float | None]]


@dataclass(frozen=True)
class Clusters:
    """`clusters[c]` are the places (from 0) of the systems of cluster c, the best first.

    `groups[g]` are the places of one largest set of systems no two of which differ: two systems stand in a group
    together exactly where they do not differ. `letters` has each system's groups as letters: "a", "ab", "b".
    `undefined` says why nothing is apart where nothing could be tested.
    """

    clusters: list[list[int]]
    groups: list[list[int]]
    letters: list[str]
    undefined: str = ""


def clusters(p: Matrix, alpha: float = 0.05) -> Clusters:
    """Systems in order, the best first, and `p[i][j]`, the corrected p of each two; None where there is no test.

    A cluster ends where every system so far beats every one below with p < alpha. Systems without a test between them
    do not differ. Works for metrics as for systems. ValueError: p is not square, or not the same both ways.
    """
    apart, tested = _apart(p, alpha)
    count = len(apart)
    if count == 0:
        return Clusters([], [], [], "There is nothing to compare.")
    ends = [end for end in range(1, count) if apart[:end, end:].all()]
    bounds = [0, *ends, count]
    groups = _groups(apart)
    letters = ["".join(_letter(g) for g, members in enumerate(groups) if system in members) for system in range(count)]
    clustered = [list(range(start, end)) for start, end in pairwise(bounds)]
    return Clusters(clustered, groups, letters, _why(count, tested))


def _why(count: int, tested: int) -> str:
    if count == 1:
        return "There is only one: it has none to differ from."
    return "" if tested else "None of the pairs has a test."


def _apart(p: Matrix, alpha: float) -> tuple[NDArray[np.bool_], int]:
    values = np.array([[np.nan if value is None else value for value in row] for row in p], dtype=np.float64)
    count = len(p)
    if values.size != count * count or (count and values.shape != (count, count)):
        raise ValueError("p is square: a row and a column a system.")
    values = values.reshape(count, count)
    off = ~np.eye(count, dtype=bool)
    if not np.array_equal(values[off], values.T[off], equal_nan=True):
        raise ValueError("p is the same both ways.")
    apart = np.zeros((count, count), dtype=bool)
    apart[off] = values[off] < alpha
    return apart, int(np.sum(~np.isnan(values[off])))


def _groups(apart: NDArray[np.bool_]) -> list[list[int]]:
    count = len(apart)
    alike = {
        system: {other for other in range(count) if other != system and not apart[system, other]}
        for system in range(count)
    }
    return sorted(sorted(group) for group in _cliques(alike, set(), set(range(count)), set()))


def _cliques(alike: dict[int, set[int]], group: set[int], could: set[int], done: set[int]) -> Iterator[set[int]]:
    """The largest sets that are alike throughout (Bron and Kerbosch 1973, with a pivot)."""
    if not could and not done:
        yield group
        return
    pivot = max(could | done, key=lambda system: len(alike[system] & could))
    for system in sorted(could - alike[pivot]):
        yield from _cliques(alike, group | {system}, could & alike[system], done & alike[system])
        could = could - {system}
        done = done | {system}


def _letter(number: int) -> str:
    """a to z, then A to Z, then a1, b1 ..."""
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    lap, place = divmod(number, len(letters))
    return letters[place] + (str(lap) if lap else "")


STATISTIC = Method(
    label="Clusters that do not differ",
    paper=Paper(
        "Bojar et al.",
        2014,
        "Findings of the 2014 Workshop on Statistical Machine Translation",
        "https://aclanthology.org/W14-3302/",
    ),
    call=clusters,
)
