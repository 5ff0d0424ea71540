"""BLEU or SARI along a line of weights, exactly (Och 2003).

On the line `base + step * direction` each output's score is a straight line over `step`, so each sentence's best output
changes only where such lines cross, and the corpus's score is a step function of which all steps are known.
"""

from typing import NamedTuple

import numpy as np

from modelserving.phrase_based.jit import compiled, within
from modelserving.phrase_based.phrase_table import Floats, Offsets

ORDERS = 4
BLEU_SUMS = 2 * ORDERS + 2
NARROW = 1e-6  # steps between two crossings that are as good as one
BEYOND = 1.0  # how far behind the last crossing


class Pool(NamedTuple):
    """Outputs of n sentences: those of sentence i are the rows from `first[i]` to `first[i + 1]`.

    `features` (m, 15); `counts` are what their score is made of, summed over sentences. For BLEU they are whole numbers
    (m, 2 * ORDERS + 2): n-grams of each order that a reference has, n-grams of each order, the length, and that of the
    nearest reference. For SARI (m, 6 * ORDERS): of each order and operation, n-grams that are right and of either side.
    """

    first: Offsets
    features: Floats
    counts: Floats


@compiled
def bleu(sums: Floats) -> float:
    """From 0 to 1; of an order without any match half a match is counted, so that there is a way up from nothing."""
    total = 0.0
    for order in range(ORDERS):
        total += np.log(max(float(sums[order]), 0.5) / max(float(sums[ORDERS + order]), 1.0)) / ORDERS
    length, reference = sums[2 * ORDERS], sums[2 * ORDERS + 1]
    if length < reference:
        total += 1 - reference / max(float(length), 0.5)
    return float(np.exp(total))


@within
def sari(sums: Floats) -> float:
    """From 0 to 1; as evaluation/metrics/sari.py has it, by way of the mean over orders and operations of their F1."""
    total = 0.0
    for place in range(0, len(sums), 2):
        if sums[place + 1] > 0:
            total += 2 * sums[place] / sums[place + 1]
    return total / (len(sums) // 2)


@compiled
def score(sums: Floats) -> float:
    """BLEU or SARI, told by how many sums there are."""
    if len(sums) == BLEU_SUMS:
        return bleu(sums)
    return sari(sums)


@compiled
def line(pool: Pool, heights: Floats, slopes: Floats) -> tuple[float, float]:
    """(the best step, its score), given each output's score at 0 and its change for a step of 1.

    Of the best stretches it is the middle of the one that is nearest to 0.
    """
    sums = np.zeros(pool.counts.shape[1], dtype=np.float64)
    steps, before, after = np.empty(len(heights)), np.empty(len(heights), np.int64), np.empty(len(heights), np.int64)
    found = 0
    for i in range(len(pool.first) - 1):
        hull, size = _hull(heights, slopes, pool.first[i], pool.first[i + 1])
        _add(sums, pool.counts, hull[0], 1)
        for at in range(1, size):
            steps[found], before[found], after[found] = (
                _crossing(heights, slopes, hull[at - 1], hull[at]),
                hull[at - 1],
                hull[at],
            )
            found += 1
    return _walked(pool.counts, sums, steps[:found], before, after)


@within
def _hull(heights: Floats, slopes: Floats, first: int, last: int) -> tuple[Offsets, int]:
    """The rows that are the highest somewhere, from the left to the right, and how many there are."""
    order = np.argsort(slopes[first:last])
    hull, size = np.empty(last - first, dtype=np.int64), 0
    for place in order:
        row = first + place
        if size and slopes[hull[size - 1]] == slopes[row]:
            if heights[hull[size - 1]] >= heights[row]:
                continue
            size -= 1
        while size > 1 and _crossing(heights, slopes, hull[size - 1], row) <= _crossing(
            heights, slopes, hull[size - 2], hull[size - 1]
        ):
            size -= 1
        hull[size] = row
        size += 1
    return hull, size


@within
def _crossing(heights: Floats, slopes: Floats, left: int, right: int) -> float:
    """The step at which the row with the greater slope, `right`, becomes the higher one."""
    return float((heights[left] - heights[right]) / (slopes[right] - slopes[left]))


@within
def _add(sums: Floats, counts: Floats, row: int, times: int) -> None:
    for i in range(len(sums)):
        sums[i] += times * counts[row, i]


@within
def _walked(counts: Floats, sums: Floats, steps: Floats, before: Offsets, after: Offsets) -> tuple[float, float]:
    """The best stretch between crossings, given what holds on the far left."""
    if not len(steps):
        return 0.0, score(sums)
    order = np.argsort(steps)
    step, best = steps[order[0]] - BEYOND, score(sums)
    for place in range(len(order)):
        at = order[place]
        _add(sums, counts, before[at], -1)
        _add(sums, counts, after[at], 1)
        end = steps[order[place + 1]] if place + 1 < len(order) else steps[at] + 2 * BEYOND
        if end - steps[at] > NARROW:
            middle, value = (steps[at] + end) / 2, score(sums)
            if value > best or (value == best and abs(middle) < abs(step)):
                step, best = middle, value
    return step, best
