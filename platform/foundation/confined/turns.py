"""Limits how many files are read at the same time on one machine: each reading holds a lock file in the data folder.

The kernel frees the lock of a process that dies. A thread that finds none free waits; those of a web server only for a
while, since others wait for them. A thread that has its turn opens further files without another one: it would wait for
itself.
"""

import fcntl
import os
import threading
import time
from pathlib import Path
from weakref import WeakSet

from foundation.confined.messages import LIMITS
from foundation.project import ROOT

LOOK_AGAIN = 0.05
"""Seconds."""
_longest: float | None = None
_own = threading.local()


class TooManyFiles(Exception):
    """A wait for a turn took too long: the files of others were being read."""


def wait_at_most(seconds: float | None) -> None:
    """Set how long this process waits for its turn; None is as long as it takes."""
    global _longest
    _longest = seconds


class Turn:
    """A turn at reading files, from its making until `end`, in any thread. Raises TooManyFiles."""

    def __init__(self) -> None:
        self._file: int | None = None
        self._with: WeakSet[Turn] = _of_this_thread()
        if not self._with:
            self._file = _wait()
        self._with.add(self)

    def end(self) -> None:
        """Give the turn back; where this thread reads further files, it passes to them."""
        self._with.discard(self)
        file, self._file = self._file, None
        if file is not None and (other := next(iter(self._with), None)):
            other._file = file
        elif file is not None:
            os.close(file)

    __del__ = end  # a file that nobody closed


def _of_this_thread() -> WeakSet[Turn]:
    """The turns of this thread in this process: a copy of a process has none."""
    if getattr(_own, "pid", None) != os.getpid():
        _own.turns, _own.pid = WeakSet(), os.getpid()
    turns: WeakSet[Turn] = _own.turns
    return turns


def _wait() -> int:
    folder = Path(os.environ.get("RESTYLE_DATA") or ROOT / ".data", "files-read")
    folder.mkdir(parents=True, exist_ok=True)
    give_up = None if _longest is None else time.monotonic() + _longest
    while True:
        for number in range(LIMITS.at_once):
            if (file := _locked(folder / str(number))) is not None:
                return file
        if give_up is not None and time.monotonic() >= give_up:
            raise TooManyFiles
        time.sleep(LOOK_AGAIN)


def _locked(path: Path) -> int | None:
    # Read alone, so that a command of another user may hold it too.
    file = os.open(path, os.O_RDONLY | os.O_CREAT, 0o644)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        return None
    return file
