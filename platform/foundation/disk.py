"""The disk: errors that mean that it is full, and locks on files."""

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
DATABASE = "53100"  # PostgreSQL's disk_full
REDIS = ("MISCONF", "OOM")  # it cannot write its file any more, or holds as much as it may


def is_disk_full(error: BaseException | None) -> bool:
    """Whether the error, or one that it came from, means that the disk is full."""
    while error is not None:
        if getattr(error, "errno", None) in FULL or getattr(error, "sqlstate", None) == DATABASE:
            return True
        if type(error).__module__.startswith("redis.") and str(error).startswith(REDIS):
            return True
        error = error.__cause__ or error.__context__
    return False


# Lock files between processes, held alone or by shares. The kernel drops what a dead process held.


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)


@contextmanager
def exclusive_lock(path: Path) -> Iterator[None]:
    """Hold the lock file `path` alone; waits for whoever holds it."""
    handle = _open(path)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


class SharedLock:
    """A shared lock on a file. Call its methods inside `exclusive_lock(...)` on another file: taking a share and
    asking whether it is the only one must not run side by side."""

    def __init__(self, path: Path) -> None:
        self._handle = _open(path)

    def hold(self) -> None:
        """Take the share."""
        fcntl.flock(self._handle, fcntl.LOCK_SH)

    def only_holder(self) -> bool:
        """Whether no other process holds a share."""
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def drop(self) -> None:
        """Give the share back."""
        os.close(self._handle)
