"""How a stack can be filled: all hypotheses of one coverage and last phrase, with all translations of one free span.

Each such pair is a grid, hypotheses down and translations across, both the best first (Huang and Chiang 2007).
"""

from typing import NamedTuple

import numpy as np

from modelserving.phrase_based.future_cost import FutureCost, cost_of_rest, cover, is_free
from modelserving.phrase_based.jit import within
from modelserving.phrase_based.lattice import Lattice, orientation
from modelserving.phrase_based.phrase_table import Offsets, Records
from modelserving.phrase_based.translation_options import TranslationOptions

GRID = np.dtype(
    [
        ("row", "i8"), ("last_row", "i8"),  # rows are the nodes from the first to before the last
        ("column", "i8"), ("last_column", "i8"),  # columns are options
        ("gap", "i8"), ("mask", "i8"), ("start", "i8"), ("end", "i8"),  # as of the nodes that come of it
        ("jump", "i8"),  # words that are jumped over
        ("orientation", "i8"),  # to the phrase before
        ("ahead", "f8"),  # the future cost from there
    ]
)  # fmt: skip


class Groups(NamedTuple):
    """Group g's nodes are those from `first[g]` to `first[g + 1]`; stack s has the groups from `of_stack[s]` to
    `of_stack[s + 1]`."""

    first: Offsets
    of_stack: Offsets


@within
def lay_out_grids(
    found: Records,
    stack: int,
    groups: Groups,
    lattice: Lattice,
    options: TranslationOptions,
    costs: FutureCost,
    reach: int,
    swaps: bool,
) -> int:
    """Lay out the grids that lead into a stack; how many there are. Without `swaps` starts of phrases do not matter."""
    count, words = 0, len(costs.rest) - 1
    for size in range(1, min(options.longest, stack) + 1):
        for group in range(groups.of_stack[stack - size], groups.of_stack[stack - size + 1]):
            node = lattice.nodes[groups.first[group]]
            gap, past = node["gap"], node["end"] + 1
            for start in range(gap, min(gap + reach, words - size) + 1):
                end, place = start + size - 1, start * options.longest + size - 1
                if start > gap and end + 1 - gap > reach:
                    break  # the way back to the gap would be too long
                if options.spans[place] == options.spans[place + 1] or abs(start - past) > reach:
                    continue
                if is_free(gap, node["mask"], start, end):
                    one = found[count]
                    one["row"], one["last_row"] = groups.first[group], groups.first[group + 1]
                    one["column"], one["last_column"] = options.spans[place], options.spans[place + 1]
                    one["jump"] = abs(start - past)
                    one["orientation"] = orientation(start, end, node["start"], past - 1)
                    gap_then, mask = cover(gap, node["mask"], start, end)
                    one["gap"], one["mask"], one["end"] = gap_then, mask, end
                    one["start"] = start if swaps and is_free(gap_then, mask, start - 1, start - 1) else -1
                    one["ahead"] = cost_of_rest(costs, gap_then, mask)
                    count += 1
    return count


@within
def same_coverage(one: Records, other: Records) -> bool:
    """Whether two grids lead to the same coverage and last phrase."""
    return bool(
        one["gap"] == other["gap"]
        and one["mask"] == other["mask"]
        and one["end"] == other["end"]
        and one["start"] == other["start"]
    )
