"""Seconds on the clock and of processor time: the latter is steadier beside other work."""

import gc
import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

# The processor time of a process and all that it started, from Linux's /proc (proc(5), the file `stat`).

TICKS = os.sysconf("SC_CLK_TCK")  # a second
PARENT, USER_TIME, WAITED_SYSTEM_TIME = 1, 11, 14  # places behind the program's name


def parse_stat(line: str) -> tuple[int, float]:
    """(the parent's number, seconds in user and system mode, with those of the children it has waited for)."""
    fields = line.rpartition(")")[2].split()
    return int(fields[PARENT]), sum(map(int, fields[USER_TIME : WAITED_SYSTEM_TIME + 1])) / TICKS


def seconds_of(root: int) -> float:
    """Processor seconds of the process `root` and its descendants so far."""
    times, children = {}, defaultdict(list)
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent, times[int(folder.name)] = parse_stat((folder / "stat").read_text())
            except (FileNotFoundError, ProcessLookupError):
                continue
            children[parent].append(int(folder.name))
    total, waiting = 0.0, [root]
    while waiting:
        pid = waiting.pop()
        total += times.get(pid, 0.0)
        waiting += children[pid]
    return total


class Took(NamedTuple):
    """Seconds of some work; those of the database's processes are in `processor` only where they were looked at.

    `count`: the number of things done, where a rate is of interest. `peak`: MiB, where memory is.
    """

    wall: float
    processor: float
    count: int = 0
    peak: float | None = None

    def __add__(self, other: "Took") -> "Took":  # type: ignore[override]
        return Took(self.wall + other.wall, self.processor + other.processor)


def timed(work: Callable[[], object], servers: Iterable[int] = ()) -> Took:
    """The time that the work took, with the processor time of `servers`: the first processes of each.

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
