"""The processor time of a process and all that it started, from Linux's /proc (proc(5), the file `stat`)."""

import os
from collections import defaultdict
from pathlib import Path

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
