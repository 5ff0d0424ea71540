"""On what a run was made, and what it took."""

import os
import platform
import time
from dataclasses import dataclass
from pathlib import Path


def machine() -> str:
    """'2 processors (Intel Xeon), Python 3.11.7', in one line."""
    return f"{os.cpu_count()} processors ({_processor()}), Python {platform.python_version()}"


def threads() -> int:
    """How many threads a computation may take, as the command set it."""
    return int(os.environ.get("OMP_NUM_THREADS") or os.cpu_count() or 1)


@dataclass(frozen=True)
class Took:
    """Seconds on the clock, and seconds of processors: of this process and of the programs that it ran."""

    clock: float = 0.0
    processor: float = 0.0

    def __add__(self, other: "Took") -> "Took":
        return Took(self.clock + other.clock, self.processor + other.processor)

    def __sub__(self, other: "Took") -> "Took":
        return Took(self.clock - other.clock, self.processor - other.processor)


def now() -> Took:
    """What was taken so far; differences of it mean something."""
    programs = os.times()
    return Took(time.perf_counter(), time.process_time() + programs.children_user + programs.children_system)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
