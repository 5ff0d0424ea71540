"""How a training reports, keeps the state that it would resume from, and is stopped.

`Callbacks` as they are here serve a training in a notebook or a test. Those of the command line draw a progress bar,
those of a job write rows; both only change the reports.
"""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from foundation import preemption
from modelserving.run_context import RunContext

Kept = Literal["last", "best"]


class Stopped(Exception):
    """Somebody asked the training to stop."""


class Preempted(Stopped):
    """The process of the training was asked to end (`foundation.preemption`): another resumes from the kept state."""


@dataclass(frozen=True)
class Sample:
    """A source of the tune set, the model's output now, and a reference ("" where there is none)."""

    source: str
    output: str
    reference: str


class Callbacks:
    """`folder` is the training's own, for as long as it lasts: data of its own go there too.

    `device` is where networks are trained ("cpu", "cuda:0"); `seed` is the only source of chance.
    """

    def __init__(self, folder: Path, seed: int = 1, device: str = "cpu") -> None:
        self.folder = folder
        self.seed = seed
        self.device = device

    def at(self, done: int, total: int) -> None:
        """Report the progress, in the training's own steps; called with every batch. Raises Stopped."""
        if preemption.asked():
            raise Preempted

    def say(self, line: str) -> None:
        """Write a line into the log."""

    def point(self, curve: str, step: int, value: float) -> None:
        """Report a point of a curve: "loss" (nats a token), "tokens a second", or any other measure."""

    def score(self, curve: str, step: int, value: float, *, higher_is_better: bool) -> None:
        """Report the tune score, its metric's name, and which end of it is better: it chooses the best state."""
        self.point(curve, step, value)

    def samples(self, step: int, samples: Sequence[Sample]) -> None:
        """Report the model's outputs of a few tune sources now."""

    def keep(self, what: Kept, write: Callable[[Path], None]) -> None:
        """Have `write` fill an empty folder, which then replaces the one before, whole or not at all."""
        fresh, place = self.folder / f".{what}", self.folder / what
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        write(fresh)
        old = self.folder / f".old-{what}"
        shutil.rmtree(old, ignore_errors=True)
        if place.exists():
            place.rename(old)
        fresh.rename(place)
        shutil.rmtree(old, ignore_errors=True)

    def run_context(self, step: Callable[[], None]) -> RunContext:
        """The context for a model that asks an outside service; `step` is called while it waits."""
        return RunContext(step, self.say)

    def kept(self, what: Kept) -> Path | None:
        """The folder that was kept last, or None."""
        place, old = self.folder / what, self.folder / f".old-{what}"
        if not place.exists() and old.exists():
            old.rename(place)  # the process was killed between the two renames
        return place if place.exists() else None


class PartCallbacks(Callbacks):
    """One of several parts of a training: from `begin` to `end` of the whole (0 to 1).

    A part with a folder of its own stands apart: its state stays there, and its curves and samples are not reported.
    """

    STEPS = 10_000

    def __init__(self, whole: Callbacks, begin: float, end: float, folder: Path | None = None) -> None:
        super().__init__(folder or whole.folder, whole.seed, whole.device)
        self.whole, self.begin, self.end, self.apart = whole, begin, end, folder is not None

    def at(self, done: int, total: int) -> None:
        share = self.begin + (self.end - self.begin) * done / max(1, total)
        self.whole.at(int(share * self.STEPS), self.STEPS)

    def say(self, line: str) -> None:
        self.whole.say(line)

    def point(self, curve: str, step: int, value: float) -> None:
        if not self.apart:
            self.whole.point(curve, step, value)

    def score(self, curve: str, step: int, value: float, *, higher_is_better: bool) -> None:
        if not self.apart:
            self.whole.score(curve, step, value, higher_is_better=higher_is_better)

    def samples(self, step: int, samples: Sequence[Sample]) -> None:
        if not self.apart:
            self.whole.samples(step, samples)

    def keep(self, what: Kept, write: Callable[[Path], None]) -> None:
        if self.apart:
            super().keep(what, write)
        else:
            self.whole.keep(what, write)

    def kept(self, what: Kept) -> Path | None:
        return super().kept(what) if self.apart else self.whole.kept(what)
