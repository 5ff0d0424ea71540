"""The order of the suite in a parallel run: whole files are handed out one after the other to who is free.

The slow ones begin, so that none is left at the end, where one process would be at work alone; then the quick ones,
the shortest last. A file stays together: what its tests have in common is made once. In tests/models a file holds every
model, and what its tests share is of one model: the tests of one model stay together there.
"""

import re
from collections.abc import Iterable
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TypeVar

import pytest
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

ROOT = Path(__file__).resolve().parents[2]
SLOW = {"browser", "workers", "slow"}  # tests with these marks start programs or a browser, or compute for long
MODELS = "tests/models/"
T = TypeVar("T")


class OrderOfTheSuite(LoadScopeScheduling):
    """Hands out what `unit_of` keeps together."""

    def _split_scope(self, nodeid: str) -> str:
        return unit_of(nodeid)

    def _assign_work_unit(self, node: WorkerController) -> None:
        """Give the first process what needs Celery's workers or PyTorch, and the others what needs a browser.

        Each process starts such programs and loads such libraries for itself, which takes seconds of the processor, and
        keeps them to the end.
        """
        rank = FIRST if node is self.nodes[0] else OTHERS
        wanted = min(self.workqueue, key=lambda unit: rank[programs_of(unit.partition("[")[0])])
        self.workqueue.move_to_end(wanted, last=False)
        super()._assign_work_unit(node)


FIRST = {"workers": 0, "models": 1, "": 2, "browser": 3}
OTHERS = {"browser": 0, "": 0, "models": 1, "workers": 2}
"""What a process takes before all else, by what it must start or load, and what it leaves to the others."""
FIXTURES = re.compile(r"\b(?:celery_workers|serve_worker|watchdog)\b"), re.compile(r"\bweb_server\b")


@cache
def programs_of(file: str) -> str:
    """What the tests of a file start or load, as far as its folder and the fixtures that it names tell."""
    workers, server = (fixture.search((ROOT / file).read_text(encoding="utf-8")) for fixture in FIXTURES)
    if workers:
        return "workers"
    if server or file.startswith("tests/browser/"):
        return "browser"
    return "models" if file.startswith(MODELS) else ""


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
