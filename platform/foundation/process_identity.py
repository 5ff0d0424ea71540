"""A process named so that nobody takes another for it: its machine, its number and when it began.

mine = identity()     # 'lab3 5f1c... 4026531836 8123 1690331'
process_of(mine)      # psutil.Process, or None once it has ended
"""

import os
import socket
import time
from functools import cache
from pathlib import Path

import psutil

LONGEST = 200  # characters
END_LIMIT = 5.0  # seconds; one that stands in the kernel ends later


@cache
def machine_identity() -> str:
    """This machine since it was started; of containers on one machine each counts for itself."""
    try:
        started = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        space = os.readlink("/proc/self/ns/pid").strip("pid:[]")
    except OSError:
        started, space = f"{psutil.boot_time():.0f}", "0"
    return f"{socket.gethostname()[:100]} {started} {space} "


def process_identity() -> str:
    """The name of this process."""
    return f"{machine_identity()}{os.getpid()} {_began(os.getpid())}"


def find_process(name: str) -> psutil.Process | None:
    """The living process of this machine with that name."""
    if not name.startswith(machine_identity()):
        return None
    pid, _, began = name.removeprefix(machine_identity()).partition(" ")
    try:
        process = psutil.Process(int(pid))
        return process if _began(process.pid) == began and not has_ended(process) else None
    except (psutil.Error, OSError, ValueError, IndexError):
        return None


def kill_process_tree(process: psutil.Process) -> None:
    """End it and all that it started, at once, and wait for that."""
    family = [*_children(process), process]
    for one in family:
        try:
            one.kill()
        except psutil.NoSuchProcess:
            continue
    give_up = time.monotonic() + END_LIMIT
    while not all(map(has_ended, family)) and time.monotonic() < give_up:
        time.sleep(0.01)


def has_ended(process: psutil.Process) -> bool:
    """Whether it runs no more, be it that its parent has not heard of that yet."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def _children(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def _began(pid: int) -> str:
    """When it began, as the kernel counts it: no clock that somebody sets changes it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except FileNotFoundError:
        return f"{psutil.Process(pid).create_time():.2f}"
