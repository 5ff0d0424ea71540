"""All that a search has kept: hypotheses as nodes, and every way in which one came about as an arc."""

from typing import NamedTuple

import numpy as np

from modelserving.phrase_based.array_copy import copy
from modelserving.phrase_based.jit import within
from modelserving.phrase_based.phrase_table import Records, WordIds

NODE = np.dtype(
    [
        ("score", "f8"),  # of the best way to it
        ("gap", "i8"), ("mask", "i8"),  # its coverage, see future_cost.py
        ("start", "i8"), ("end", "i8"),  # its last phrase; start is -1 where no phrase can be swapped with it
        ("option", "i8"),  # its last phrase's, -1 where it has none
        ("first", "i8"), ("last", "i8"),  # its arcs are those from the first to before the last
    ]
)  # fmt: skip
ARC = np.dtype(
    [
        ("node", "i8"),  # where it comes from
        ("option", "i8"),  # what it adds; -1 into the end
        ("score", "f8"),  # of the best way over it
        ("model", "f8"),  # what the language model says of it, not weighed
    ]
)


class Lattice(NamedTuple):
    """Node 0 is the empty hypothesis, the last one the end. `states` (n, order - 1) are the language model's."""

    nodes: Records
    arcs: Records
    states: WordIds


@within
def lattice(nodes: int, arcs: int, state: WordIds) -> Lattice:
    """Room for as many, and the empty hypothesis in it."""
    made = Lattice(
        np.empty(nodes, dtype=NODE), np.empty(arcs, dtype=ARC), np.empty((nodes, len(state)), dtype=np.int32)
    )
    one = made.nodes[0]
    one["score"], one["gap"], one["mask"], one["first"], one["last"] = 0.0, 0, 0, 0, 0
    one["start"], one["end"], one["option"] = -1, -1, -1
    copy(state, made.states[0])
    return made


@within
def orientation(start: int, end: int, before: int, after: int) -> int:
    """0 monotone, 1 swap, 2 apart: of a phrase from `start` to `end` to the one before it, from `before` to `after`."""
    if start == after + 1:
        return 0
    return 1 if end + 1 == before else 2
