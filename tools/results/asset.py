"""Simplification on ASSET: every supervised model, beside rows that know nothing and people's own rewrites.

ASSET has 2,000 sentences with 10 rewrites each (Alva-Manchego et al. 2020). Models are trained on the first 1,600 with
all of their rewrites, tuned on the next 200, and judged on the last 200. A model whose SARI is below that of any row
that knows nothing has failed.
"""

import json
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from foundation.errors import UserError
from foundation.local_resources import VARIABLE
from modelserving.training.dataset import TrainingData
from tools.results.parallel import ParallelExperiment, Sentences, Splits, read_lines
from tools.results.resumable_training import SPENT, BarWatch, RunEnvironment
from tools.results.run_store import ElapsedTime

# The small T5s that rows of ASSET begin with: new ones, and the same pretrained on the texts to train on.
#
# Both are of T5's shape, far below its smallest (Tay et al. 2022, table 2: `tiny` has 4 layers of 256), with a
# tokenizer made of the same texts. Pretraining is T5's span corruption (Raffel et al. 2020, section 3.1.4) on sources
# and rewrites of the train side; the state with the lowest loss on the tune side's sources counts. Each seed has its
# own new model.

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
    """Of which a tokenizer is made and a model pretrained, and those by which its state is chosen."""

    train: Sequence[str]
    tune: Sequence[str]


def base_name(row: str, seed: int) -> str:
    """The folder's name, as the option `folder` has it."""
    return f"{row}-seed{seed}"


def make_base(row: str, data: TrainingData, seed: int, place: RunEnvironment) -> ElapsedTime:
    """Make the row's folder where it is not there, and have RESTYLE_MODELS name the folder around it.

    Returns:
        What its pretraining took.
    """
    root = place.work / "bases"
    os.environ[VARIABLE] = str(root)
    texts = Texts([text for lines in data.texts.values() for text in lines], data.dev.sources)
    new = _once(root / base_name("t5_scratch", seed), lambda folder: _write_new(folder, texts, seed))
    if "pretraining" not in BASES[row]:
        return ElapsedTime()
    made = _once(root / base_name(row, seed), lambda folder: _pretrain(new, folder, texts, seed, place))
    return ElapsedTime(**json.loads((made / SPENT).read_text(encoding="utf-8")))


def _once(folder: Path, write: Callable[[Path], None]) -> Path:
    """The folder, whole or not there."""
    if not folder.exists():
        fresh = folder.with_name(f".{folder.name}")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        write(fresh)
        fresh.rename(folder)
    return folder


def _write_new(folder: Path, texts: Texts, seed: int) -> None:
    import torch
    from transformers import T5Config, T5ForConditionalGeneration

    from modelserving.pretraining.corpus import make_tokenizer

    tokenizer = make_tokenizer("t5", texts.train, PIECES)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    ids = {
        "pad_token_id": tokenizer.pad_token_id, "eos_token_id": tokenizer.eos_token_id,
        "decoder_start_token_id": tokenizer.pad_token_id,
    }  # fmt: skip
    kind: Any = T5Config
    T5ForConditionalGeneration(kind(vocab_size=len(tokenizer), **SHAPE, **ids)).save_pretrained(folder)


def _pretrain(new: Path, folder: Path, texts: Texts, seed: int, place: RunEnvironment) -> None:
    """Goes on where it was stopped."""
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


STYLES = ("original", "simple")
REFERENCES = 10
TRAIN, TUNE = slice(0, 1600), slice(1600, 1800)
TEST = slice(1800, 2000)
SETTINGS: dict[str, Any] = {
    "hidden": 128,
    "embedding": 128,
    "epochs": 5,
    "patience": 3,
    "self_training": 0,
}
"""Networks are small and short, so that each takes minutes on one processor. Nothing is trained on its own rewrites:
there are no further texts."""
RECIPES: dict[str, dict[str, Any]] = {
    "transformer": {"layers": 2, "feedforward": 512, "subwords": 4000, "batch": 32, "warmup": 400, "epochs": 40},
    "seq2seq": {"epochs": 40},
    "seq2seq_shared": {"epochs": 40},
    "edit_nts": {"tune_by": "sari", "lowercase": False},
    "opennmt_pt": {"batch": 30, "rate": 3e-3, "epochs": 14},
}
"""What else is chosen for a model. The Transformer is small: as wide as the other networks, 2 layers a side of its
paper's 6. EditNTS begins with nearly a copy, which BLEU thinks the best of all and would take: its tune BLEU falls from
88 to 74 while it learns to edit. Its paper's lower case would count against it beside ASSET's rewrites.
OpenNMT+PT has small weights at first and two layers: at 0.001 and batches of 64 it has learnt next to nothing after 5
epochs, so it has the epochs of its authors."""
T5: dict[str, Any] = {
    "prefix": "", "batch": 32, "rate": 2e-3, "warmup": 200, "epochs": 10, "patience": 0, "tune_by": "bleu",
    "read": 128, "write": 128,
}  # fmt: skip
"""What is tuned small and short needs a higher rate than a T5 of 220 million numbers, and reads sentences. It needs
more epochs than the others: nothing in its attention to the source says where a word stands, so it copies late."""
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "pbmt_for_sari": ("pbmt", {"tune_metric": "sari"}),
    **dict.fromkeys(BASES, ("t5", T5)),
}
"""Rows beside the models' own: a model, and what is chosen otherwise."""


def read(folder: Path) -> Splits:
    """The 2,000 sentences of the folder's files; a UserError where one is missing or of another length."""
    sources = read_lines(folder / "asset.valid.orig", "ASSET")
    rewrites = [read_lines(folder / f"asset.valid.simp.{i}", "ASSET") for i in range(REFERENCES)]
    if len(sources) < TEST.stop or any(len(lines) != len(sources) for lines in rewrites):
        raise UserError(
            "The {stop} sentences of ASSET, a line each, are not all there.", stop=TEST.stop, where=str(folder)
        )
    sentences = Sentences(sources, [list(row) for row in zip(*rewrites, strict=True)])
    return Splits(sentences[TRAIN], sentences[TUNE], sentences[TEST])


EXPERIMENT = ParallelExperiment(
    styles=STYLES,
    references=REFERENCES,
    measure="sari",
    read=read,
    settings=SETTINGS,
    recipes=RECIPES,
    variants=VARIANTS,
)
