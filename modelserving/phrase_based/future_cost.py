"""What the words that are not yet translated will cost at least, as far as one can tell (Koehn 2004, section 3.3).

A coverage is the first word that is not translated (`gap`) and a mask of those behind it that are: bit b is word
gap + 1 + b. The distortion limit keeps the mask within `reach` bits, so that all of it is linear in the sentence.
"""

from typing import NamedTuple

import numpy as np

from modelserving.phrase_based.jit import within
from modelserving.phrase_based.phrase_table import Floats
from modelserving.phrase_based.translation_options import TranslationOptions

NEVER = -np.inf


class FutureCost(NamedTuple):
    """`near[i, k]` (n, reach + 1) is the best score of the k words from i, `rest[i]` (n + 1,) of all from i."""

    near: Floats
    rest: Floats


@within
def future_cost(options: TranslationOptions, reach: int) -> FutureCost:
    """Best scores of spans and of what remains behind each word, without regard to reordering."""
    longest = options.longest
    count = (len(options.spans) - 1) // longest
    near, rest = np.full((count + 1, reach + 1), NEVER), np.full(count + 1, NEVER)
    near[:, 0] = 0.0
    rest[count] = 0.0
    for i in range(count - 1, -1, -1):
        for k in range(1, min(longest, count - i) + 1):
            place = i * longest + k - 1
            if options.spans[place + 1] == options.spans[place]:
                continue
            best = options.each[options.spans[place]]["estimate"]
            rest[i] = max(rest[i], best + rest[i + k])
            for more in range(min(reach, count - i) - k + 1):
                near[i, k + more] = max(near[i, k + more], best + near[i + k, more])
    return FutureCost(near, rest)


@within
def cost_of_rest(costs: FutureCost, gap: int, mask: int) -> float:
    """The best score of all that a coverage leaves."""
    total, start, at = 0.0, gap, gap + 1
    while mask:
        if mask & 1:
            total += costs.near[start, at - start]
            start = at + 1
        mask >>= 1
        at += 1
    return float(total + costs.rest[start])


@within
def cover(gap: int, mask: int, start: int, end: int) -> tuple[int, int]:
    """The coverage once the words from `start` to `end` are translated too."""
    bits = (1 << (end - start + 1)) - 1
    if start > gap:
        return gap, mask | bits << (start - gap - 1)
    gap, mask = end + 1, mask >> (end - gap)
    while mask & 1:
        gap, mask = gap + 1, mask >> 1
    return gap, mask >> 1


@within
def is_free(gap: int, mask: int, start: int, end: int) -> bool:
    """Whether none of the words from `start` to `end` is translated."""
    if start < gap:
        return False
    bits = (1 << (end - start + 1)) - 1
    return (mask << 1) >> (start - gap) & bits == 0
