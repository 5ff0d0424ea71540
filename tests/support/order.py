"""The order of the suite in a parallel run: whole files are handed out one after the other to who is free.

The slow ones begin, so that none is left at the end, where one process would be at work alone; then the quick ones,
the shortest last. A file stays together: what its tests have in common is made once. In tests/models a file holds every
model, and what its tests share is of one model: the tests of one model stay together there.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import TypeVar

import pytest
from xdist.scheduler import LoadScopeScheduling

SLOW = {"browser", "workers", "slow"}  # tests with these marks start programs or a browser, or compute for long
MODELS = "tests/models/"
T = TypeVar("T")


class OrderOfTheSuite(LoadScopeScheduling):
    """Hands out what `unit_of` keeps together."""

    def _split_scope(self, nodeid: str) -> str:
        return unit_of(nodeid)


def unit_of(nodeid: str) -> str:
    """What a test is handed out with: its file, in tests/models those tests of its file that are of the same model.

    The model is the first parameter of a test there.
    """
    file, _, test = nodeid.partition("::")
    model = test.partition("[")[2].rstrip("]").partition("-")[0]
    return f"{file}[{model}]" if model and file.startswith(MODELS) else file


def is_slow(item: pytest.Item) -> bool:
    """Whether the test takes seconds rather than milliseconds."""
    return any(item.get_closest_marker(name) for name in SLOW)


def slow_first(items: list[pytest.Item]) -> list[pytest.Item]:
    """All items, in the same order whatever order the files were read in; the files that hold a slow one first."""
    files = [list(file) for _, file in groupby(sorted(items, key=lambda one: one.path), lambda one: one.path)]
    slow = [file for file in files if any(map(is_slow, file))]
    return in_order(slow, [file for file in files if file not in slow])


def in_order(slow: Iterable[list[T]], quick: Iterable[list[T]]) -> list[T]:
    """The tests of slow files, a file of one test first, as it is a whole journey; of quick ones, the longest first."""
    return [one for file in [*sorted(slow, key=len), *sorted(quick, key=len, reverse=True)] for one in file]
