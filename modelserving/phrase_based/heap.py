"""A heap of the places of records that have a `priority`: the highest on top, of equals the earlier one."""

from modelserving.phrase_based.jit import within
from modelserving.phrase_based.phrase_table import Offsets, Records


@within
def push(heap: Offsets, size: int, records: Records, item: int) -> int:
    """The size with the item in it."""
    at = size
    while at:
        above = (at - 1) >> 1
        if not comes_before(records, item, heap[above]):
            break
        heap[at] = heap[above]
        at = above
    heap[at] = item
    return size + 1


@within
def pop(heap: Offsets, size: int, records: Records) -> int:
    """The top item; the heap is one shorter then."""
    top, item, size, at = heap[0], heap[size - 1], size - 1, 0
    while 2 * at + 1 < size:
        below = 2 * at + 1
        if below + 1 < size and comes_before(records, heap[below + 1], heap[below]):
            below += 1
        if not comes_before(records, heap[below], item):
            break
        heap[at] = heap[below]
        at = below
    heap[at] = item
    return int(top)


@within
def comes_before(records: Records, one: int, other: int) -> bool:
    """Whether one comes before another."""
    a, b = records[one]["priority"], records[other]["priority"]
    return bool(a > b or (a == b and one < other))
