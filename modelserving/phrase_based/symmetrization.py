"""One alignment from those of two directions: grow-diag-final-and (Koehn et al. 2005).

Forward every target word has at most one source word, backward every source word at most one target word. What both
say stands; what one says is added from neighbour to neighbour where it links a word that has no link yet, and at the
end where it links two such words, forward first.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foundation.papers import Paper
from modelserving.phrase_based.bitext import Bitext, Ends
from modelserving.phrase_based.jit import compiled, within

PAPER = Paper(
    "Koehn et al.",
    2005,
    "Edinburgh System Description for the 2005 IWSLT Speech Translation Evaluation",
    "https://aclanthology.org/2005.iwslt-1.8/",
)
Places = NDArray[np.int16]
NONE = -1
NEIGHBOURS = np.array([(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)], dtype=np.int64)


@dataclass(frozen=True)
class Links:
    """`points` (m, 2) are places in a source and in its target; those of pair i end at `ends[i + 1]`."""

    points: Places
    ends: Ends

    def __getitem__(self, place: int) -> Places:
        return self.points[self.ends[place] : self.ends[place + 1]]


def parse(text: NDArray[np.uint8], bitext: Bitext, *, forward: bool) -> Places:
    """For each target word (backward: source word) the place of the other side's word, from lines of "1-2 3-4"."""
    ends = bitext.target.ends if forward else bitext.source.ends
    found = np.full(int(ends[-1]), NONE, dtype=np.int16)
    _parse(text, ends, found, forward)
    return found


def symmetrize(bitext: Bitext, forward: Places, backward: Places) -> Links:
    """Of all pairs, given what `parse` found in both directions."""
    ends = np.zeros(len(bitext) + 1, dtype=np.int64)
    most = len(forward) + len(backward)
    points = np.empty((most, 2), dtype=np.int16)
    _symmetrise_all(bitext.source.ends, bitext.target.ends, forward, backward, points, ends)
    return Links(points[: ends[-1]], ends)


@compiled
def _parse(text: NDArray[np.uint8], ends: Ends, found: Places, forward: bool) -> None:
    line, number, left = 0, 0, 0
    for at in range(len(text)):
        char = text[at]
        if 48 <= char <= 57:
            number = number * 10 + char - 48
        elif char == 45:  # the hyphen
            left, number = number, 0
        else:
            if at and 48 <= text[at - 1] <= 57:
                if forward:
                    found[ends[line] + number] = left
                else:
                    found[ends[line] + left] = number
            number = 0
            if char == 10:
                line += 1


@compiled
def _symmetrise_all(source: Ends, target: Ends, forward: Places, backward: Places, points: Places, ends: Ends) -> None:
    total = 0
    for pair in range(len(ends) - 1):
        grid = symmetrise(forward[target[pair] : target[pair + 1]], backward[source[pair] : source[pair + 1]])
        for i in range(grid.shape[0]):
            for j in range(grid.shape[1]):
                if grid[i, j]:
                    points[total, 0], points[total, 1] = i, j
                    total += 1
        ends[pair + 1] = total


@compiled
def symmetrise(forward: Places, backward: Places) -> NDArray[np.bool_]:
    """Of one pair: `forward` (t,) and `backward` (s,) to the links (s, t)."""
    rows, columns = len(backward), len(forward)
    either = np.zeros((rows, columns), dtype=np.bool_)
    linked = np.zeros((rows, columns), dtype=np.bool_)
    row_linked = np.zeros(rows, dtype=np.bool_)
    column_linked = np.zeros(columns, dtype=np.bool_)
    for j in range(columns):
        if forward[j] != NONE:
            either[forward[j], j] = True
    for i in range(rows):
        j = backward[i]
        if j != NONE:
            if either[i, j]:
                linked[i, j] = row_linked[i] = column_linked[j] = True
            either[i, j] = True
    _grow(either, linked, row_linked, column_linked)
    for j in range(columns):
        i = forward[j]
        if i != NONE and not row_linked[i] and not column_linked[j]:
            linked[i, j] = row_linked[i] = column_linked[j] = True
    for i in range(rows):
        j = backward[i]
        if j != NONE and not row_linked[i] and not column_linked[j]:
            linked[i, j] = row_linked[i] = column_linked[j] = True
    return linked


@within
def _grow(
    either: NDArray[np.bool_],
    linked: NDArray[np.bool_],
    row_linked: NDArray[np.bool_],
    column_linked: NDArray[np.bool_],
) -> None:
    """From each link to the neighbours, until there are no new ones."""
    rows, columns = either.shape
    grown = True
    while grown:
        grown = False
        for i in range(rows):
            for j in range(columns):
                if not linked[i, j]:
                    continue
                for way in range(8):
                    k, m = i + NEIGHBOURS[way, 0], j + NEIGHBOURS[way, 1]
                    if not (0 <= k < rows and 0 <= m < columns) or linked[k, m] or not either[k, m]:
                        continue
                    if not row_linked[k] or not column_linked[m]:
                        linked[k, m] = row_linked[k] = column_linked[m] = grown = True
