"""Seconds on the clock and of processor time: beside other work the latter is the steadier."""

import gc
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

from tools.bench.processor_time import seconds_of


class Took(NamedTuple):
    """Seconds of some work; what the database's processes took is in `processor` only where they were looked at.

    `count`: how many things were done, where a rate is of interest. `peak`: MiB, where memory is.
    """

    wall: float
    processor: float
    count: int = 0
    peak: float | None = None

    def __add__(self, other: "Took") -> "Took":  # type: ignore[override]
        return Took(self.wall + other.wall, self.processor + other.processor)


def timed(work: Callable[[], object], servers: Iterable[int] = ()) -> Took:
    """What the work took, with the processor time of `servers`: the first processes of each.

    Python's collector leaves alone what was there before, as it does in a worker (`launcher/forking.py`): a walk
    through all modules takes a tenth of a second, and falls now into this figure and now into that.
    """
    gc.collect()
    gc.freeze()
    try:
        wall, processor = time.perf_counter(), _spent(servers)
        work()
        return Took(time.perf_counter() - wall, _spent(servers) - processor)
    finally:
        gc.unfreeze()


def _spent(servers: Iterable[int]) -> float:
    return time.process_time() + sum(map(seconds_of, servers))
