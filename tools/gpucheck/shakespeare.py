"""One of our networks trained on Shakespeare's pairs until its time is over: its scores, and its test BLEU."""

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evaluation.metrics import METRICS, MetricInput
from foundation.errors import UserError
from foundation.options import validate_options
from modelserving.training.callbacks import Callbacks, Stopped
from modelserving.training.dataset import TrainingData
from modelserving.transfer import TRANSFERS
from tools.gpucheck.settings import ROOT, TEXTS, CheckFailed, CheckSettings, Skipped
from tools.results.parallel import Splits
from tools.results.shakespeare import EXPERIMENT, STYLES, read

SECONDS, SMALL_SECONDS = 90.0, 600.0  # of training; a small one ends by itself before
SMALL: dict[str, Any] = {"epochs": 2, "hidden": 16, "embedding": 16, "layers": 1, "heads": 2, "feedforward": 32}
FEW = 40  # texts of each split where it is small


class Timed(Callbacks):
    """Stops the training once its time is over; keeps the points of its curves by the seconds that they took."""

    def __init__(self, folder: Path, device: str, seconds: float) -> None:
        super().__init__(folder, 1, device)
        self.began, self.seconds, self.steps = time.monotonic(), seconds, 0
        self.curves: dict[str, list[tuple[float, float]]] = {}

    def at(self, done: int, total: int) -> None:
        self.steps = done
        if time.monotonic() - self.began > self.seconds:
            raise Stopped

    def point(self, curve: str, step: int, value: float) -> None:
        self.curves.setdefault(curve, []).append((round(time.monotonic() - self.began, 1), value))


def check(settings: CheckSettings) -> dict[str, Any]:
    """The tune scores by seconds, batches a second, and the test BLEU beside that of the sources copied."""
    name, texts = settings.name.removeprefix("shakespeare_"), _texts(settings.small)
    kind = TRANSFERS[name]
    told = Timed(settings.folder, settings.device, SMALL_SECONDS if settings.small else SECONDS)
    planned = EXPERIMENT.planned(name, 1, {"patience": 0, "epochs": 100}).options
    known = {name: getattr(planned, name) for name in vars(planned)}
    chosen = known | ({name: value for name, value in SMALL.items() if name in known} if settings.small else {})
    data = EXPERIMENT.data(texts).write(settings.folder / "data")
    try:
        model = kind.fit(data, validate_options(kind.Options, chosen), told)
    except Stopped:
        model = _best(kind, told, data)
    took = time.monotonic() - told.began
    outputs = list(model.transfer(texts.test.sources, STYLES, kind.Decoding()))
    return {
        "seconds of training": round(took, 1), "batches a second": told.steps / took,
        "curves, by seconds": {name: points[-12:] for name, points in told.curves.items()},
        "BLEU": _bleu(texts, outputs), "BLEU of the sources copied": _bleu(texts, texts.test.sources),
    }  # fmt: skip


def _best(kind: Any, told: Timed, data: TrainingData) -> Any:
    best = told.kept("best")
    if best is None:
        raise CheckFailed("No tune score came in time.", {"curves, by seconds": told.curves})
    return kind.load(best, told.device)


def _texts(small: bool) -> Splits:
    folder = Path(os.environ.get(TEXTS) or ROOT.parent / "shared" / "data" / "shakespeare")
    try:
        texts = read(folder)
    except UserError as error:
        raise Skipped(f"{error} {TEXTS} names another folder.") from None
    return Splits(texts.train[:FEW], texts.tune[:FEW], texts.test[:FEW]) if small else texts


def _bleu(texts: Splits, outputs: Sequence[str]) -> float | None:
    return METRICS["bleu"].score(MetricInput(texts.test.sources, list(outputs), texts.test.references)).corpus
