"""The order of the suite in a parallel run: what takes long begins first, and every process has its share of it.

pytest-xdist gives each process one block of the list and lets an idle one take from the end of another's. Short tests
at the end of each block are what can be shared out evenly; a long one there keeps a single process at work alone.
"""

from itertools import groupby
from typing import TypeVar

import pytest

SLOW = {"browser", "workers"}  # tests with these marks start programs or a browser
T = TypeVar("T")


def is_slow(item: pytest.Item) -> bool:
    """Whether the test takes seconds rather than milliseconds."""
    return any(item.get_closest_marker(name) for name in SLOW)


def slow_first(items: list[pytest.Item], processes: int) -> list[pytest.Item]:
    """All items, in one block for each process, the slow ones first in each; a file's slow tests stay together."""
    files = [list(file) for _, file in groupby((one for one in items if is_slow(one)), lambda one: one.path)]
    files.sort(key=len)  # a file of one test is a whole journey; of many, each is short
    return blocks(files, [one for one in items if not is_slow(one)], processes)


def blocks(files: list[list[T]], quick: list[T], processes: int) -> list[T]:
    """The slow files dealt out in turn, then filled up with quick ones to the sizes that pytest-xdist cuts."""
    dealt = [[one for file in files[at::processes] for one in file] for at in range(processes)]
    left, ordered, rest = sum(map(len, dealt)) + len(quick), [], list(quick)
    for at, slow in enumerate(dealt):
        size = left // (processes - at)
        room = max(0, size - len(slow))
        ordered += [*slow, *rest[:room]]
        left -= len(slow) + len(rest[:room])
        rest = rest[room:]
    return [*ordered, *rest]
