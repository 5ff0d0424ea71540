"""Memory that goes back to the machine: a process that lives for weeks else keeps what its largest answer took."""

import ctypes
import sys
import threading
import time
from contextlib import suppress

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # glibc, <malloc.h>
LARGE = 128 * 1024  # bytes
PAUSE = 10.0  # seconds between two looks
WORKED = 0.1  # seconds of the processor: who did less since the last look has little to give back


def return_freed_memory() -> None:
    """Large blocks are given back as soon as they are free. By itself glibc raises the bound to the largest block that
    it has seen, and keeps what is smaller; other libraries of C are left as they are."""
    if sys.platform == "linux":
        with suppress(AttributeError):
            libc = ctypes.CDLL(None)
            for name in (M_TRIM_THRESHOLD, M_MMAP_THRESHOLD):
                libc.mallopt(name, LARGE)


def keep_returning_freed_memory(pause: float = PAUSE) -> None:
    """Small blocks that are free between others are given back too, by a thread that looks every `pause` seconds.

    By itself glibc gives back only what is free above all others. It takes some milliseconds, without Python's lock.
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
