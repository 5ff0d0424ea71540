"""A worker that is stopped has its jobs given back: what they keep is kept, and another worker goes on.

Celery's first process waits, at SIGTERM, for the tasks that run; how long they run it does not ask. Here it passes the
wish on to the processes of its pool, where a job hears of it at its next step (`foundation.preemption`). systemd and
schedulers may signal those too: while a job runs they hear that as well (`jobs.execution.runner`).
"""

import os
import signal
from contextlib import suppress
from types import FrameType
from typing import Any

import psutil

from foundation import preemption

PASSED_ON = signal.SIGUSR2  # SIGTERM would end one whose job has not begun


def listen(**_: Any) -> None:
    """In a process of the pool: hear that its job is wanted back, also before the job has begun."""
    preemption.listen(PASSED_ON)


def pass_on(how: str = "", **_: Any) -> None:
    """In the worker's first process, which is told to stop when its tasks are done: tell them."""
    if how == "Warm":
        _signal_all(PASSED_ON)


def end_at_quit(**_: Any) -> None:
    """In the worker's first process: at SIGQUIT it puts its tasks' messages back and ends them, by a SIGTERM that they
    take for a wish."""
    put_back = signal.getsignal(signal.SIGQUIT)

    def end(number: int, frame: FrameType | None) -> None:
        _signal_all(signal.SIGKILL)
        if callable(put_back):
            put_back(number, frame)

    signal.signal(signal.SIGQUIT, end)


def _signal_all(number: int) -> None:
    for child in psutil.Process().children():
        with suppress(ProcessLookupError):
            os.kill(child.pid, number)
