"""Seconds on the clock and of this process's processor time: beside other work the latter is the steadier."""

import time
from collections.abc import Callable
from typing import NamedTuple


class Took(NamedTuple):
    """Seconds of some work; that of the database's processes is in `wall` alone."""

    wall: float
    processor: float

    def __add__(self, other: "Took") -> "Took":  # type: ignore[override]
        return Took(self.wall + other.wall, self.processor + other.processor)


def timed(work: Callable[[], object]) -> Took:
    """What the work took."""
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return Took(time.perf_counter() - wall, time.process_time() - processor)
