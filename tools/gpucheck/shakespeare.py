"""A model trained on Shakespeare's pairs until its time is over: its scores, and its test BLEU.

The T5 is a new one of the size of T5-small (Raffel et al. 2020, table 14 of the paper), pretrained before on both sides
of the pairs, an epoch of span corruption.
"""

import os
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evaluation.metrics import METRICS, MetricInput
from foundation.base_folder import read_base_folder
from foundation.errors import UserError
from foundation.local_resources import VARIABLE
from foundation.options import validate_options
from modelserving.pretraining.options import PretrainingOptions
from modelserving.pretraining.training import pretrain
from modelserving.training.callbacks import Callbacks, Stopped
from modelserving.training.dataset import TrainingData
from modelserving.transfer import TRANSFERS
from tools.gpucheck.settings import ROOT, TEXTS, CheckFailed, CheckSettings, Skipped
from tools.results.asset_bases import Texts, write_new
from tools.results.parallel import Splits
from tools.results.shakespeare import EXPERIMENT, STYLES, read

SECONDS, SMALL_SECONDS = 90.0, 600.0  # of training; a small one ends by itself before
SMALL: dict[str, Any] = {"epochs": 2, "hidden": 16, "embedding": 16, "layers": 1, "heads": 2, "feedforward": 32,
                         "tune_most": 4}  # fmt: skip
FEW, SMALL_LONGEST = 40, 8  # texts of each split, and words or tokens of an output, where it is small
SHAPE, PIECES = {"d_model": 512, "d_kv": 64, "d_ff": 2048, "num_layers": 6, "num_heads": 8}, 32_000
SMALL_SHAPE, SMALL_PIECES = {"d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 1, "num_heads": 4}, 300
PRETRAINING: dict[str, Any] = {"architecture": "t5", "length": 128, "epochs": 1, "batch": 32, "rate": 1e-3}
TUNING: dict[str, Any] = {"folder": "tuned", "batch": 32, "rate": 5e-4, "epochs": 100, "patience": 0}


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

    def ends(self) -> dict[str, list[tuple[float, float]]]:
        """The last points of each curve."""
        return {name: points[-12:] for name, points in self.curves.items()}


def check(settings: CheckSettings) -> dict[str, Any]:
    """The tune scores by seconds, batches a second, and the test BLEU beside that of the sources copied."""
    name, texts = settings.name.removeprefix("shakespeare_"), _texts(settings.small)
    kind, data = TRANSFERS[name], EXPERIMENT.data(texts).write(settings.folder / "data")
    pretraining = _pretrained(settings, texts) if name == "t5" else None
    planned = TUNING if pretraining else vars(EXPERIMENT.planned(name, 1, {"patience": 0, "epochs": 100}).options)
    small = {option: value for option, value in SMALL.items() if hasattr(kind.Options(), option)}
    chosen = {**planned, **small} if settings.small else planned
    told = Timed(settings.folder, settings.device, SMALL_SECONDS if settings.small else SECONDS)
    try:
        model = kind.fit(data, validate_options(kind.Options, chosen), told)
    except Stopped:
        model = _best(kind, told, data)
    took = time.monotonic() - told.began
    searched = kind.Decoding(longest=SMALL_LONGEST) if settings.small else kind.Decoding()
    outputs = list(model.transfer(texts.test.sources, STYLES, searched))
    return {
        **({"pretraining": pretraining} if pretraining else {}), "seconds of training": round(took, 1),
        "batches a second": told.steps / took,
        "curves, by seconds": told.ends(),
        "BLEU": _bleu(texts, outputs), "BLEU of the sources copied": _bleu(texts, texts.test.sources),
    }  # fmt: skip


def _pretrained(settings: CheckSettings, texts: Splits) -> dict[str, Any]:
    """Put a pretrained T5 where the option `folder` finds it; the seconds, and the losses by seconds."""
    shape, pieces = (SMALL_SHAPE, SMALL_PIECES) if settings.small else (SHAPE, PIECES)
    both = Texts([*texts.train.sources, *texts.train.rewrites], texts.tune.sources)
    os.environ[VARIABLE] = str(settings.folder)
    write_new(settings.folder / "new", both, 1, shape, pieces)
    told = Timed(settings.folder / "pretraining", settings.device, SMALL_SECONDS)
    base = read_base_folder(settings.folder / "new", ["t5"])
    made = pretrain(both, validate_options(PretrainingOptions, PRETRAINING), told, base)
    shutil.copytree(made.folder, settings.folder / TUNING["folder"])
    return {"seconds": round(time.monotonic() - told.began, 1), "curves, by seconds": told.ends()}


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
