"""Whether work grows with its text as the text does: seconds of the processor, so that a busy machine tells the same.

Linear work takes four times as long for four times the text, quadratic work sixteen times. What is over in an instant
is not measured any further; what is not over within `LIMIT` is broken off, in the middle of a search too. Each size
costs four times the one before, so the smallest that a ratio can be told from is the last but one that is measured.
"""

import gc
import signal
import time
from collections.abc import Callable
from typing import Any

LIMIT = 20.0
"""Seconds of the processor. A million characters take at most one; quadratic work on them takes hours."""
INSTANT = 0.001
ENOUGH = 0.025  # seconds that a ratio can be told from
UNEVEN = 8  # times as long for four times the text: the quadratic part takes half of what the linear one does, or more
MOST = 1_000_000
"""Characters."""
SOONER = {"enough": 0.005, "most": 100_000}
"""What `grows_evenly` may be content with: it tells what is quadratic at the size of an article."""


class TooLong(Exception):
    """The work was broken off."""


def seconds(work: Callable[[], Any]) -> float:
    """Of this process's own time; TooLong where it takes more than `LIMIT`."""

    def stop(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)
    collects = gc.isenabled()
    gc.disable()  # what the collector looks through grows with all that other tests left behind
    start = time.process_time()
    try:
        work()
    finally:
        if collects:
            gc.enable()
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return time.process_time() - start


def at_once(work: Callable[[], Any], tries: int = 3) -> bool:
    """Whether it is over in an instant: the cheap way to tell most work from the rest."""
    for _ in range(tries):
        start = time.process_time()
        work()
        if time.process_time() - start < INSTANT:
            return True
    return False


def grows_evenly(
    work: Callable[[int], Callable[[], Any]], first: int, enough: float = ENOUGH, most: int = MOST
) -> bool:
    """Whether `work(size)()` takes time in proportion to its size, from `first` up to `most`.

    Sizes grow until one takes `enough` seconds.
    """
    size = first
    try:
        while (took := seconds(work(size))) < enough and size < most:
            size = min(most, 4 * size)
        if size == most:
            return True
        return any(_is_even(work, size, took) for _ in range(3))
    except TooLong:
        return False


def _is_even(work: Callable[[int], Callable[[], Any]], size: int, took: float) -> bool:
    """Whether four times the size takes well below sixteen times as long; where it seems not so, `size` again."""
    longer = seconds(work(4 * size))
    return longer < UNEVEN * took or longer < UNEVEN * seconds(work(size))
