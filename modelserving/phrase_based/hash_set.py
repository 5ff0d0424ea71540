"""Sets of whole numbers that compiled code looks into: open addressing, a number's slot is what is known of it."""

import numpy as np

from modelserving.phrase_based.jit import within
from modelserving.phrase_based.phrase_table import Offsets

EMPTY = -1


def empty_set(count: int) -> Offsets:
    """An empty set for `count` numbers of at least 0: a power of two of slots, at most half of them taken."""
    return np.full(1 << max(1, 2 * count - 1).bit_length(), EMPTY, dtype=np.int64)


@within
def mix_bits(number: int) -> int:
    """The number with its bits spread over all places."""
    found = np.uint64(number) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64(found ^ (found >> np.uint64(32)))  # type: ignore[return-value]


@within
def find(keys: Offsets, key: int) -> int:
    """The slot of a number, -1 where it is not there."""
    last = len(keys) - 1
    slot = mix_bits(key) & last
    while keys[slot] != key:
        if keys[slot] == EMPTY:
            return -1
        slot = (slot + 1) & last
    return slot


@within
def insert(keys: Offsets, key: int) -> int:
    """The slot of a number, which is added where it is not there."""
    last = len(keys) - 1
    slot = mix_bits(key) & last
    while keys[slot] != key and keys[slot] != EMPTY:
        slot = (slot + 1) & last
    keys[slot] = key
    return slot
