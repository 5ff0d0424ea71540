"""The small T5s that rows of ASSET begin with: new ones, and the same pretrained on the texts to train on.

Both are of T5's shape, far below its smallest (Tay et al. 2022, table 2: `tiny` has 4 layers of 256), with a tokenizer
made of the same texts. Pretraining is T5's span corruption (Raffel et al. 2020, section 3.1.4) on sources and rewrites
of the train side; the state with the lowest loss on the tune side's sources counts. Each seed has its own new model.
"""

import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from foundation.local_resources import VARIABLE
from modelserving.training.dataset import TrainingData
from tools.results.resumable_training import SPENT, BarWatch, RunEnvironment
from tools.results.run_store import ElapsedTime

SHAPE = {"d_model": 128, "d_kv": 32, "d_ff": 256, "num_layers": 2, "num_heads": 4}
PIECES = 2_000
PRETRAINING: dict[str, Any] = {"architecture": "t5", "length": 128, "epochs": 5, "batch": 16, "rate": 2e-3}
BASES: dict[str, dict[str, Any]] = {
    "t5_pretrained": {"shape": SHAPE, "pieces": PIECES, "pretraining": PRETRAINING},
    "t5_scratch": {"shape": SHAPE, "pieces": PIECES},
}
"""Rows that begin with a folder made here, and what it is made by: a part of the run's key."""


@dataclass(frozen=True)
class Texts:
    """The texts of which a tokenizer is made and a model pretrained, and those by which its state is chosen."""

    train: Sequence[str]
    tune: Sequence[str]


def base_name(row: str, seed: int) -> str:
    """The folder's name, as the option `folder` has it."""
    return f"{row}-seed{seed}"


def make_base(row: str, data: TrainingData, seed: int, place: RunEnvironment) -> ElapsedTime:
    """Make the row's folder where it is not there, and have RESTYLE_MODELS name the folder around it.

    Returns: The time of its pretraining.
    """
    root = place.work / "bases"
    os.environ[VARIABLE] = str(root)
    texts = Texts([text for lines in data.texts.values() for text in lines], data.dev.sources)
    new = _once(root / base_name("t5_scratch", seed), lambda folder: write_new(folder, texts, seed))
    if "pretraining" not in BASES[row]:
        return ElapsedTime()
    made = _once(root / base_name(row, seed), lambda folder: _pretrain(new, folder, texts, seed, place))
    return ElapsedTime(**json.loads((made / SPENT).read_text(encoding="utf-8")))


def _once(folder: Path, write: Callable[[Path], None]) -> Path:
    """Make the folder, whole or not at all."""
    if not folder.exists():
        fresh = folder.with_name(f".{folder.name}")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        write(fresh)
        fresh.rename(folder)
    return folder


def write_new(folder: Path, texts: Texts, seed: int, shape: Mapping[str, int] = SHAPE, pieces: int = PIECES) -> None:
    """Write a T5 of a shape with random weights, and a tokenizer of so many pieces at most, made of the texts."""
    import torch
    from transformers import T5Config, T5ForConditionalGeneration

    from modelserving.pretraining.corpus import make_tokenizer

    tokenizer = make_tokenizer("t5", texts.train, pieces)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    ids = {
        "pad_token_id": tokenizer.pad_token_id, "eos_token_id": tokenizer.eos_token_id,
        "decoder_start_token_id": tokenizer.pad_token_id,
    }  # fmt: skip
    kind: Any = T5Config
    T5ForConditionalGeneration(kind(vocab_size=len(tokenizer), **shape, **ids)).save_pretrained(folder)


def _pretrain(new: Path, folder: Path, texts: Texts, seed: int, place: RunEnvironment) -> None:
    """Pretrain, or go on where it was stopped."""
    from foundation.base_folder import read_base_folder
    from foundation.options import validate_options
    from modelserving.pretraining.options import PretrainingOptions
    from modelserving.pretraining.training import pretrain

    state = place.work / f"pretraining-seed{seed}"
    state.mkdir(parents=True, exist_ok=True)
    callbacks = BarWatch(state, seed, place.device, "pretraining")
    try:
        made = pretrain(
            texts, validate_options(PretrainingOptions, PRETRAINING), callbacks, read_base_folder(new, ["t5"])
        )
    finally:
        callbacks.close()
    shutil.copytree(made.folder, folder, dirs_exist_ok=True)
    (folder / SPENT).write_text(json.dumps(asdict(callbacks.took)), encoding="utf-8")
    shutil.rmtree(state)
