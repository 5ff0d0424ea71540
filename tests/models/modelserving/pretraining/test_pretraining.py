"""Pretraining as a whole: a folder that transformers loads, the same after a stop, from scratch or on from another."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from safetensors.numpy import load_file
from support import tiny_transformers

from foundation.base_folder import BaseFolder, base_folder, read_base_folder
from foundation.errors import UserError
from modelserving.pretraining.options import PretrainingOptions
from modelserving.pretraining.training import SIZES, Pretrained, Size, pretrain
from modelserving.training.callbacks import Callbacks, Stopped

pytestmark = pytest.mark.slow

TEXTS = [f"Patient {number} was seen in the ER by a doctor. There was no fever." for number in range(40)]
OPTIONS = PretrainingOptions(words=200, length=24, batch=4, steps=6, keep_every=2)
BOTH = pytest.mark.parametrize("architecture", ["t5", "bart"])
ONE = pytest.mark.parametrize("architecture", ["t5", pytest.param("bart", marks=pytest.mark.soak)])


class Some(NamedTuple):
    train: Sequence[str] = TEXTS
    tune: Sequence[str] = TEXTS[:3]


class StoppedAt(Callbacks):
    """Is asked to stop at a step."""

    stop = 4
    told: list[str] = []

    def at(self, done: int, total: int) -> None:
        if done == self.stop:
            raise Stopped


@pytest.fixture(autouse=True)
def smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    """What holds here holds for networks of any size, and the smallest on offer has four layers of 256."""
    monkeypatch.setitem(SIZES, "tiny", Size(2, 32, 64, 2))


def trained(folder: Path, options: PretrainingOptions = OPTIONS, base: BaseFolder | None = None) -> Pretrained:
    return pretrain(Some(), options, Callbacks(folder, seed=3), base)


@BOTH
def test_it_leaves_a_folder_that_transformers_loads(architecture: str, tmp_path: Path) -> None:
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    made = trained(tmp_path, replace(OPTIONS, architecture=architecture))
    net = AutoModelForSeq2SeqLM.from_pretrained(made.folder, local_files_only=True, use_safetensors=True)
    tokenizer = AutoTokenizer.from_pretrained(made.folder, local_files_only=True)
    assert net.config.model_type == architecture
    assert net.config.vocab_size == len(tokenizer)
    ids = tokenizer("There was no fever.", return_tensors="pt")
    assert net(**ids, labels=ids.input_ids).loss.item() > 0
    assert net.generate(**ids, max_new_tokens=3).shape[1] > 1
    assert read_base_folder(made.folder, [architecture]).architecture == architecture
    assert made.counts.texts == len(TEXTS)
    assert made.validation_loss is not None
    assert not [path for path in tmp_path.rglob("*") if path.suffix in {".pt", ".bin", ".pth", ".pkl"}]


@ONE
def test_one_that_was_stopped_ends_with_the_same_weights(architecture: str, tmp_path: Path) -> None:
    options = replace(OPTIONS, architecture=architecture)
    whole = trained(tmp_path / "whole", options)
    with pytest.raises(Stopped):
        pretrain(Some(), options, StoppedAt(tmp_path / "parts", seed=3), None)
    other_texts = Some(["Never read."], [])  # the corpus is there
    again = pretrain(other_texts, options, Callbacks(tmp_path / "parts", seed=3), None)
    assert (again.folder / "model.safetensors").read_bytes() == (whole.folder / "model.safetensors").read_bytes()
    assert again.validation_loss == whole.validation_loss
    assert again.counts == whole.counts


def test_its_lines_say_how_far_the_whole_is_never_a_broken_epoch(tmp_path: Path) -> None:
    """All rows are one epoch of the trainer's, whatever part of it is done."""
    told: list[str] = []
    callbacks = Callbacks(tmp_path, seed=3)
    callbacks.say = told.append  # type: ignore[method-assign]
    pretrain(Some(), replace(OPTIONS, steps=10), callbacks, None)
    lines = [line.partition(":")[0] for line in told if "validation loss" in line]
    assert lines == [f"Update {step} of 10 ({step * 10}%)" for step in range(1, 11)]  # scored ten times
    assert not any("poch" in line for line in told)


def test_more_steps_lower_the_loss_and_another_seed_gives_other_weights(tmp_path: Path) -> None:
    short, long = (
        trained(tmp_path / str(steps), replace(OPTIONS, steps=steps, rate=5e-3)).validation_loss for steps in (2, 12)
    )
    assert short is not None
    assert long is not None
    assert long < short
    other = pretrain(Some(), replace(OPTIONS, steps=2, rate=5e-3), Callbacks(tmp_path / "other", seed=4), None)
    first = load_file(tmp_path / "2" / "best" / "model.safetensors")
    assert any((first[name] != value).any() for name, value in load_file(other.folder / "model.safetensors").items())


@BOTH
def test_one_goes_on_from_another(architecture: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    tiny_transformers.make(architecture, tmp_path / "base")
    base = base_folder("base", ["t5", "bart"])
    before = load_file(tmp_path / "base" / "model.safetensors")
    made = trained(tmp_path / "on", replace(OPTIONS, architecture=architecture, rate=1e-5), base)
    after = load_file(made.folder / "model.safetensors")
    assert before.keys() == after.keys()
    moved = max(float(abs(after[name] - before[name]).max()) for name in before)
    assert 0 < moved < 1e-3  # six steps of at most 1e-5
    assert (made.folder / "tokenizer.json").read_bytes() == (tmp_path / "base" / "tokenizer.json").read_bytes()


def test_a_base_that_reads_less_than_a_piece_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    tiny_transformers.make("bart", tmp_path / "base")
    with pytest.raises(UserError, match="at most 128 tokens"):
        trained(tmp_path / "on", replace(OPTIONS, architecture="bart", length=200), base_folder("base", ["bart"]))


@pytest.mark.soak
def test_a_pretrained_folder_is_what_the_entries_begin_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from support.tiny_pairs import SOURCES, WAY, small, twenty

    from modelserving.transfer import TRANSFERS

    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    made = trained(tmp_path / "mine")
    kind = TRANSFERS["t5"]
    options = small(kind.Options, folder=str(made.folder.relative_to(tmp_path)), epochs=1, tune_every=0)
    model = kind.fit(twenty(tmp_path / "data"), options, Callbacks(tmp_path / "run", seed=1))
    assert len(list(model.transfer(SOURCES[:2], WAY, small(kind.Decoding, longest=4)))) == 2
    assert json.loads((made.folder / "config.json").read_text())["model_type"] == "t5"
