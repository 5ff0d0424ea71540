"""Run all checks at once, and answer within seconds even where one hangs.

A check never runs twice at a time in a process, and its answer holds for a while: a thousand requests a second cost no
more than one.
"""

import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Lock

from health.checks import CHECKS, KEPT_SECONDS, LABELS, SERVES_PEOPLE, USUALLY_KEPT, Unwell

LIMIT_SECONDS = 4.0
HOLDS_SECONDS = 30.0  # for so long the last finding stands for a check that is slow today
_threads = ThreadPoolExecutor(max_workers=len(CHECKS), thread_name_prefix="health")


@dataclass(frozen=True)
class Finding:
    """The result of a check: `said` is the sentence where it is not well; `seconds` is the time it took."""

    name: str
    said: str
    seconds: float
    at: float

    @property
    def well(self) -> bool:
        return not self.said

    @property
    def label(self) -> str:
        """The part in the reader's words."""
        return str(LABELS[self.name])


class Asked:
    """A check, its last finding, and the run of it that is under way."""

    def __init__(self, name: str, check: Callable[[], None], kept: float) -> None:
        self._name, self._check, self._kept = name, check, kept
        self._lock = Lock()
        self._run: Future[Finding] | None = None
        self._last: Finding | None = None

    def last(self) -> Finding | None:
        """The last finding, where it is not long ago."""
        last = self._last
        return last if last and time.monotonic() - last.at < HOLDS_SECONDS else None

    def ask(self) -> "Future[Finding]":
        """The finding, which may be seconds old or not there yet."""
        with self._lock:
            if self._run is None or (self._run.done() and time.monotonic() - self._run.result().at > self._kept):
                self._run = _threads.submit(self._look)
            return self._run

    def _look(self) -> Finding:
        began, said = time.monotonic(), ""
        try:
            self._check()
        except Unwell as unwell:
            said = str(unwell)
        except Exception as error:  # a check that is itself broken is no reason to say that all is well
            said = f"The check failed: {type(error).__name__}."
        self._last = Finding(self._name, said, time.monotonic() - began, time.monotonic())
        return self._last


_asked = {name: Asked(name, check, KEPT_SECONDS.get(name, USUALLY_KEPT)) for name, check in CHECKS.items()}


def findings(limit: float = LIMIT_SECONDS) -> list[Finding]:
    """The finding of each check, in their order, within `limit` seconds."""
    return _found(CHECKS, limit, remembered=False)


def serving(limit: float = 1.0) -> list[Finding]:
    """The findings of the checks that this node needs to serve people. The last finding stands for a late check."""
    return _found(SERVES_PEOPLE, limit, remembered=True)


def _found(names: Iterable[str], limit: float, *, remembered: bool) -> list[Finding]:
    runs = {name: _asked[name].ask() for name in names}
    wait(runs.values(), timeout=limit)
    late = f"No answer came within {limit:g} seconds."
    return [
        run.result() if run.done()
        else (remembered and _asked[name].last()) or Finding(name, late, limit, time.monotonic())
        for name, run in runs.items()
    ]  # fmt: skip
