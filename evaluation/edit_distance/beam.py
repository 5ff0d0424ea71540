"""The beam of sacreBLEU's TER: of long texts only the pairs of words near the diagonal are looked at.

Nearly always the result is the plain edit distance all the same: whatever leaves the beam costs at least `plain_below`.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.edit_distance.alignment import Alignment

WIDTH = 25
FAR = 1 << 30  # more than any distance


class Beam(NamedTuple):
    """For each of the output's words the reference's lengths (from, to) that are looked at, and the bound."""

    rows: list[tuple[int, int]]
    plain_below: float


@lru_cache(maxsize=4096)
def beam(output: int, reference: int) -> Beam:
    """Of texts of so many words."""
    ratio = reference / output if output else 1
    width = math.ceil(ratio / 2 + WIDTH) if ratio / 2 > WIDTH else WIDTH
    rows = []
    for i in range(1, output + 1):
        middle = math.floor(i * ratio)
        to = reference + 1 if i == output else min(reference + 1, middle + width)
        rows.append((max(0, middle - width), to))
    return Beam(rows, min((_outside(i, *row, output, reference) for i, row in enumerate(rows, 1)), default=math.inf))


def _outside(i: int, low: int, to: int, output: int, reference: int) -> float:
    """The fewest insertions and deletions on a way that leaves the beam at the output's word i."""
    longer = reference - output

    def through(aside: int) -> int:
        return abs(aside) + abs(longer - aside)

    left = through(min(low - 1 - i, 0, longer)) if low > 0 else math.inf
    right = through(max(to - i, 0, longer)) if to <= reference else math.inf
    return min(left, right)


def align_within_beam(output: str, reference: str) -> tuple[int, Alignment]:
    """The distance within the beam, and which words stand beside each other."""
    costs = [list(range(len(reference) + 1))]
    for word, (low, to) in zip(output, beam(len(output), len(reference)).rows, strict=True):
        before, row = costs[-1], [FAR] * (len(reference) + 1)
        for j in range(low, to):
            row[j] = before[j] + 1
            if j:
                row[j] = min(row[j], before[j - 1] + (word != reference[j - 1]), row[j - 1] + 1)
        costs.append(row)
    return costs[-1][-1], _traced(output, reference, costs)


def _traced(output: str, reference: str, costs: list[list[int]]) -> Alignment:
    places, wrong, unmet = [-1] * len(reference), 0, 0
    i, j = len(output), len(reference)
    while i and j:
        cost, differs = costs[i][j], output[i - 1] != reference[j - 1]
        if cost == costs[i - 1][j - 1] + differs:
            i, j = i - 1, j - 1
            places[j] = i
            wrong, unmet = wrong | differs << i, unmet | differs << j
        elif cost == costs[i - 1][j] + 1:
            i -= 1
            wrong |= 1 << i
        else:
            j -= 1
            places[j] = i - 1
            unmet |= 1 << j
    return Alignment(places, wrong | (1 << i) - 1, unmet | (1 << j) - 1)


def beam_distances(outputs: list[str], reference: str) -> list[int]:
    """The distances of outputs of one length within the beam."""
    words, wanted = np.array([_codes(output) for output in outputs]), _codes(reference)
    before = np.broadcast_to(np.arange(len(reference) + 1), (len(outputs), len(reference) + 1))
    for i, (low, to) in enumerate(beam(len(outputs[0]), len(reference)).rows):
        row = np.full(before.shape, FAR)
        row[:, low:to] = before[:, low:to] + 1
        first = max(low, 1)
        beside = before[:, first - 1 : to - 1] + (words[:, i : i + 1] != wanted[first - 1 : to - 1])
        np.minimum(row[:, first:to], beside, out=row[:, first:to])
        steps = np.arange(low, to)
        row[:, low:to] = np.minimum.accumulate(row[:, low:to] - steps, axis=1) + steps  # words that are missing
        before = row
    return [int(value) for value in before[:, -1]]


def _codes(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
