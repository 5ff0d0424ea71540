"""Whether this process was asked to end: by a cluster that wants its machine back, by systemd, by a stop.

    preemption.listen(signal.SIGTERM)
    while work:
        if preemption.asked():
            keep_and_leave()

A signal only leaves a mark; work looks for it where it can stop. The same signal again, a moment later, has its former
effect: it ends a process that does not come to such a place.
"""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

AGAIN_SECONDS = 1.0  # a group of processes is signalled by several at once; what comes later is meant as another

_since: float | None = None
_number = 0


def asked() -> bool:
    """Whether it was asked to end."""
    return _since is not None


def signal_name() -> str:
    """The signal that asked: `SIGTERM`; "" where none did."""
    return signal.Signals(_number).name if _number else ""


def ask(number: int = signal.SIGTERM) -> None:
    """Ask this process to end, as the signal does."""
    global _since, _number
    _since, _number = time.monotonic(), number


def forget() -> None:
    """Clear the mark: the process has kept its work, and goes on with something else."""
    global _since, _number
    _since, _number = None, 0


def listen(*signals: int) -> None:
    """Let these signals ask from now on. Python allows it in the main thread alone."""
    before = {number: signal.getsignal(number) for number in signals}

    def heard(number: int, _frame: FrameType | None) -> None:
        if _since is None:
            ask(number)
        elif number == _number and time.monotonic() - _since > AGAIN_SECONDS:
            signal.signal(number, before[number] or signal.SIG_DFL)
            os.kill(os.getpid(), number)

    for number in signals:
        signal.signal(number, heard)


@contextmanager
def listening(*signals: int) -> Iterator[None]:
    """Let these signals ask while the block lasts; then they have their former effects, and the mark is cleared."""
    before = {number: signal.getsignal(number) for number in signals}
    listen(*signals)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)
        forget()
