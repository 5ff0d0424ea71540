"""Processes: their identity, a forked one for a single call, and memory that is handed back to the system."""

import ctypes
import os
import signal
import socket
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO

import psutil

# Work in a process of its own beside this one, on all that this one has in memory.
#
# with run_forked(lambda: dumped(half(data))) as found:
# other = rest(data)
# first = loaded(found())
#
# The process begins as a copy of this one, so nothing is sent to it; its result comes back as bytes. It must not touch
# what both share: connections, files that are open.

DONE, FAILED = b"+", b"-"


@contextmanager
def run_forked(work: Callable[[], bytes]) -> Iterator[Callable[[], bytes]]:
    """Run `work` in a forked process; the yielded call waits for its result, and raises RuntimeError if it failed.

    The process is gone when the block is left in any way.
    """
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads beside: the copy asks for none of their locks
        child = os.fork()
    if child == 0:
        os.close(reader)  # else it would wait for its own reading, where this process is killed
        _do(work, writer)
    os.close(writer)
    try:
        with open(reader, "rb") as pipe:
            yield lambda: _answer(pipe)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _do(work: Callable[[], bytes], writer: int) -> None:
    """In the copy: do the work, and end without the cleaning up of this process."""
    try:
        with open(writer, "wb") as pipe:
            try:
                pipe.write(DONE + work())
            except BaseException:
                pipe.write(FAILED + traceback.format_exc().encode())
    finally:
        os._exit(0)


def _answer(pipe: BinaryIO) -> bytes:
    kind, answer = pipe.read(1), pipe.read()
    if kind != DONE:
        raise RuntimeError(f"The process beside this one failed:\n{answer.decode() or 'It was killed.'}")
    return answer


# Memory that goes back to the machine: a process that lives for weeks else keeps the memory of its largest answer.

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # glibc, <malloc.h>
LARGE = 128 * 1024  # bytes
PAUSE = 10.0  # seconds between two looks
WORKED = 0.1  # seconds of the processor: a process that used less since the last look has little to give back


def return_freed_memory() -> None:
    """Give large blocks back as soon as they are free. By itself glibc raises the bound to the largest block that
    it has seen, and keeps what is smaller; other libraries of C are left as they are."""
    if sys.platform == "linux":
        with suppress(AttributeError):
            libc = ctypes.CDLL(None)
            for name in (M_TRIM_THRESHOLD, M_MMAP_THRESHOLD):
                libc.mallopt(name, LARGE)


def keep_returning_freed_memory(pause: float = PAUSE) -> None:
    """Give small blocks back too that are free between others, by a thread that looks every `pause` seconds.

    By itself glibc gives back only free blocks above all others. It takes some milliseconds, without Python's lock.
    """
    if sys.platform == "linux" and hasattr(ctypes.CDLL(None), "malloc_trim"):
        threading.Thread(target=_return_again_and_again, args=(pause,), name="memory-trimming", daemon=True).start()


def _return_again_and_again(pause: float) -> None:
    libc, before = ctypes.CDLL(None), 0.0
    while True:
        time.sleep(pause)
        if time.process_time() - before >= WORKED:
            libc.malloc_trim(0)
            before = time.process_time()


# A unique name of a process: its machine, its number and the time of its start.
#
# mine = identity()     # 'lab3 5f1c... 4026531836 8123 1690331'
# process_of(mine)      # psutil.Process, or None once it has ended

LONGEST = 200  # characters
END_LIMIT = 5.0  # seconds; one that stands in the kernel ends later


@cache
def machine_identity() -> str:
    """The identity of this machine since it was started; each container on one machine has its own."""
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
    """Whether it runs no more, even if its parent has not heard of that yet."""
    try:
        return bool(process.status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


def _children(process: psutil.Process) -> list[psutil.Process]:
    try:
        return list(process.children(recursive=True))
    except psutil.NoSuchProcess:
        return []


def _began(pid: int) -> str:
    """The time of its start, as the kernel counts it: setting a clock does not change it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except FileNotFoundError:
        return f"{psutil.Process(pid).create_time():.2f}"
