"""The best ways through a lattice, one after the other.

A way is followed from the end back. What remains to its beginning is known to the number, each node's best score, so
ways come off the heap in their order (A* with a perfect estimate).
"""

from typing import NamedTuple, TypeVar

import numpy as np

from modelserving.phrase_based.hash_set import EMPTY, mix_bits
from modelserving.phrase_based.heap import pop, push
from modelserving.phrase_based.jit import compiled, within
from modelserving.phrase_based.lattice import Lattice
from modelserving.phrase_based.phrase_table import Offsets, Records
from modelserving.phrase_based.translation_options import TranslationOptions

TRAIL = np.dtype(
    [
        ("node", "i8"),  # where it has come to, from the end
        ("arc", "i8"), ("next", "i8"),  # the arc that leaves the node, and the trail behind that; -1 at the end
        ("tail", "f8"),  # its score
        ("priority", "f8"),  # its score with the best way to the node
    ]
)  # fmt: skip


Array = TypeVar("Array", Offsets, Records)


class Paths(NamedTuple):
    """The arcs of way i, from the beginning to the end, are `arcs[offsets[i]:offsets[i + 1]]`."""

    arcs: Offsets
    offsets: Offsets


@compiled
def nbest_paths(lattice: Lattice, options: TranslationOptions, size: int, most: int) -> Paths:
    """The best ways with `size` different texts, fewer where there are no more among the `most` best ways.

    Texts are told apart by 63 bits of them.
    """
    trails, heap = np.empty(1024, dtype=TRAIL), np.empty(1024, dtype=np.int64)
    seen = np.full(1 << (int(np.log2(size)) + 2), EMPTY, dtype=np.int64)
    arcs, offsets, found = np.empty(1024, dtype=np.int64), np.zeros(size + 1, dtype=np.int64), 0
    start = trails[0]
    start["node"], start["arc"], start["next"] = len(lattice.nodes) - 1, -1, -1
    start["tail"], start["priority"] = 0.0, lattice.nodes[-1]["score"]
    waiting, made = push(heap, 0, trails, 0), 1
    for _ in range(most):
        if not waiting or found == size:
            break
        trail = pop(heap, waiting, trails)
        waiting -= 1
        while trails[trail]["node"]:
            node = lattice.nodes[trails[trail]["node"]]
            while made + node["last"] - node["first"] > len(trails):
                trails, heap = doubled(trails), doubled(heap)
            waiting = _spread(trail, trails, made, node["first"], node["last"], lattice, heap, waiting)
            made += node["last"] - node["first"]
            trail = made - 1
        if _new(_text(trail, trails, lattice, options), seen):
            arcs = _written(trail, trails, arcs, offsets, found)
            found += 1
    return Paths(arcs[: offsets[found]], offsets[: found + 1])


@within
def doubled(array: Array) -> Array:
    """The array with as much room again."""
    made = np.empty(2 * len(array), dtype=array.dtype)
    for i in range(len(array)):
        made[i] = array[i]
    return made


@within
def _spread(
    trail: int, trails: Records, made: int, first: int, last: int, lattice: Lattice, heap: Offsets, waiting: int
) -> int:
    """Lengthen a trail by each arc into its node: the best stands last and does not wait; how many wait then."""
    best_arc = first
    for arc in range(first, last):
        if lattice.arcs[arc]["score"] > lattice.arcs[best_arc]["score"]:
            best_arc = arc
    place = made
    for arc in range(first, last):
        if arc != best_arc:
            _lengthen(trail, trails, place, arc, lattice)
            waiting = push(heap, waiting, trails, place)
            place += 1
    _lengthen(trail, trails, place, best_arc, lattice)
    return waiting


@within
def _lengthen(trail: int, trails: Records, at: int, arc: int, lattice: Lattice) -> None:
    taken, tail, one = lattice.arcs[arc], trails[trail]["tail"], trails[at]
    one["node"], one["arc"], one["next"] = taken["node"], arc, trail
    one["tail"] = tail + taken["score"] - lattice.nodes[taken["node"]]["score"]
    one["priority"] = tail + taken["score"]


@within
def _text(trail: int, trails: Records, lattice: Lattice, options: TranslationOptions) -> int:
    """A code of the words of a trail from the beginning, at least 0."""
    code = 0
    while trails[trail]["arc"] >= 0:
        option = lattice.arcs[trails[trail]["arc"]]["option"]
        if option >= 0:
            for token in options.tokens[options.each[option]["first"] : options.each[option]["last"]]:
                code = mix_bits(code + token + 1)
        trail = trails[trail]["next"]
    return code & 0x7FFFFFFFFFFFFFFF


@within
def _new(code: int, seen: Offsets) -> bool:
    """Whether a code was not seen before; it is now."""
    slot = mix_bits(code) & (len(seen) - 1)
    while seen[slot] != EMPTY and seen[slot] != code:
        slot = (slot + 1) & (len(seen) - 1)
    new = seen[slot] == EMPTY
    seen[slot] = code
    return bool(new)


@within
def _written(trail: int, trails: Records, arcs: Offsets, offsets: Offsets, at: int) -> Offsets:
    """The arcs of all ways with those of way `at` behind them."""
    place = offsets[at]
    while trails[trail]["arc"] >= 0:
        if place == len(arcs):
            arcs = doubled(arcs)
        arcs[place] = trails[trail]["arc"]
        place += 1
        trail = trails[trail]["next"]
    offsets[at + 1] = place
    return arcs
