"""One training of an experiment: with a progress bar, going on where it was stopped, and with its costs."""

import hashlib
import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from modelserving.training.callbacks import Callbacks, Kept
from modelserving.training.dataset import TrainingData
from modelserving.transfer import TRANSFERS, Model
from tools.results.run_store import ElapsedTime, elapsed, hardware_key

SPENT = "spent.json"
Scores = dict[str, list[tuple[int, float]]]
"""By the name of the metric: steps and values."""


@dataclass(frozen=True)
class RunEnvironment:
    """The folder where work goes on, the device of networks, and whether models are trained and judged there."""

    work: Path
    device: str = "cpu"
    trains: bool = True
    judges: bool = True

    @property
    def key(self) -> dict[str, str | int]:
        """Processor, device and threads, as a run's key holds them."""
        return hardware_key(self.device)


@dataclass(frozen=True)
class TrainedModel:
    """A trained model, loaded from its saved files: their size in bytes, its tune scores, and the time of it all."""

    model: Model
    bytes: int
    took: ElapsedTime
    scores: Scores


class BarWatch(Callbacks):
    """A bar in the terminal, and in a file the lines of the log alone.

    The time spent is kept with the state that a training goes on from.
    """

    def __init__(self, folder: Path, seed: int, device: str, name: str) -> None:
        super().__init__(folder, seed, device)
        self.name = name
        self._bar = tqdm(desc=name, unit="step", disable=None, leave=False)
        self._before, self.scores = self._of_earlier_tries()
        self._start = elapsed()

    @property
    def took(self) -> ElapsedTime:
        """The time of this try and those before it, without work that was done again."""
        return self._before + (elapsed() - self._start)

    def at(self, done: int, total: int) -> None:
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def say(self, line: str) -> None:
        self._bar.write(f"{self.name}: {line}", file=sys.stderr)

    def point(self, curve: str, step: int, value: float) -> None:
        self._bar.set_postfix({curve: f"{value:.4g}"}, refresh=False)

    def score(self, curve: str, step: int, value: float, *, higher_is_better: bool) -> None:
        self.scores.setdefault(curve, []).append((step, value))

    def keep(self, what: Kept, write: Callable[[Path], None]) -> None:
        super().keep(what, write)
        if what == "last":
            spent = json.dumps({"took": asdict(self.took), "scores": self.scores})
            (self.folder / SPENT).write_text(spent, encoding="utf-8")

    def close(self) -> None:
        self._bar.close()

    def _of_earlier_tries(self) -> tuple[ElapsedTime, Scores]:
        file = self.folder / SPENT
        if self.kept("last") is None or not file.exists():
            return ElapsedTime(), {}
        read = json.loads(file.read_text(encoding="utf-8"))
        scores = {curve: [(step, value) for step, value in points] for curve, points in read["scores"].items()}
        return ElapsedTime(**read["took"]), scores


def train_model(name: str, data: TrainingData, options: Any, seed: int, place: RunEnvironment) -> TrainedModel:
    """Train the model of that name, save it and load it; its states outlive a stop in the place's folder."""
    kind = TRANSFERS[name]
    folder = place.work / f"{name}-{_digest(data.digest, seed, asdict(options))}"
    folder.mkdir(parents=True, exist_ok=True)
    callbacks = BarWatch(folder, seed, place.device, name)
    try:
        model = kind.fit(data, options, callbacks)
    finally:
        callbacks.close()
    took = callbacks.took
    saved = place.work / f"{name}-saved"
    shutil.rmtree(saved, ignore_errors=True)
    saved.mkdir()
    model.save(saved)
    shutil.rmtree(folder)
    size = sum(file.stat().st_size for file in saved.rglob("*") if file.is_file())
    return TrainedModel(kind.load(saved, place.device), size, took, callbacks.scores)


def _digest(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:12]
