"""Memory that goes back to the machine: a process that lives for weeks else keeps what its largest answer took."""

import ctypes
import sys
from contextlib import suppress

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # glibc, <malloc.h>
LARGE = 128 * 1024  # bytes


def return_freed_memory() -> None:
    """Large blocks are given back as soon as they are free. By itself glibc raises the bound to the largest block that
    it has seen, and keeps what is smaller; other libraries of C are left as they are."""
    if sys.platform == "linux":
        with suppress(AttributeError):
            libc = ctypes.CDLL(None)
            for name in (M_TRIM_THRESHOLD, M_MMAP_THRESHOLD):
                libc.mallopt(name, LARGE)
