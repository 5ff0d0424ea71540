"""Trainings that start from a checkpoint: its weights and words, and one sentence for one that does not fit."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import pytest
import torch
from support.tiny_pairs import SOURCES, TARGETS, WAY, small, twenty

from foundation.errors import UserError
from foundation.options import options_as_stored
from modelserving.neural_transfer.model import NetworkModel
from modelserving.training import weights
from modelserving.training.callbacks import Callbacks, Stopped
from modelserving.training.checkpoint import Manifest, pack
from modelserving.training.dataset import DevSet, Pairs, TrainingData
from modelserving.transfer import TRANSFERS

GIVEN: dict[str, Any] = {"epochs": 2, "hidden": 16, "embedding": 8, "batch": 5}


class Told(Callbacks):
    def __init__(self, folder: Path, stop: int = -1) -> None:
        super().__init__(folder, seed=5)
        self.stop = stop
        folder.mkdir(parents=True, exist_ok=True)

    def at(self, done: int, total: int) -> None:
        if done == self.stop:
            raise Stopped


def trained(name: str, data: TrainingData, callbacks: Callbacks, **given: Any) -> NetworkModel:
    kind = TRANSFERS[name]
    model = kind.fit(data, small(kind.Options, **(GIVEN | given)), callbacks)
    assert isinstance(model, NetworkModel)
    return model


def packed(name: str, data: TrainingData, folder: Path, **given: Any) -> Path:
    """A checkpoint file of a model that was trained."""
    model = trained(name, data, Told(folder / "first"), **given)
    (folder / "files").mkdir()
    model.save(folder / "files")
    out = folder / f"{name}.zip"
    pack(folder / "files", Manifest(name, options_as_stored(model.options), model.directions), out)
    return out


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    monkeypatch.setenv("RESTYLE_MODELS", str(folder))
    return folder


@pytest.mark.parametrize(("name", "given"), [
    ("seq2seq", {}), ("seq2seq_shared", {"subwords": 60}), ("multi_decoder", {}), ("pointer_net", {"lowercase": True}),
    ("edit_nts", {}), ("unts", {}),
])  # fmt: skip
def test_it_starts_from_the_weights_and_words_of_the_file(
    tmp_path: Path, models: Path, name: str, given: dict[str, Any]
) -> None:
    packed(name, twenty(tmp_path / "data"), models, **given)
    fewer = TrainingData(
        *WAY, train=Pairs(["she luv new pizza"] * 3, ["She liked new pizza."] * 3), dev=DevSet(SOURCES, [TARGETS]),
        texts={WAY[0]: SOURCES[:9], WAY[1]: TARGETS[:9]}, dev_texts={WAY[0]: SOURCES, WAY[1]: TARGETS},
    )  # fmt: skip
    run = Told(tmp_path / "run", stop=0)
    with pytest.raises(Stopped):
        trained(name, fewer, run, start_from=f"{name}.zip", **given)
    started, first = (weights.read(folder / weights.FILE) for folder in (tmp_path / "run" / "last", models / "files"))
    assert all(torch.equal(tensor, started[key]) for key, tensor in first.items())
    model = trained(name, fewer, Told(tmp_path / "run"), start_from=f"{name}.zip", **given)
    assert len(model.vocabularies.source) == len(TRANSFERS[name].load(models / "files").vocabularies.source)  # type: ignore[attr-defined]
    now = weights.tensors_of(model.net)
    assert any(not torch.equal(tensor, now[key]) for key, tensor in first.items())


def test_it_begins_where_the_other_ended_not_where_one_begins_afresh(tmp_path: Path, models: Path) -> None:
    data = twenty(tmp_path / "data")
    packed("seq2seq", data, models, epochs=30)

    class Losses(Told):
        losses: list[float]

        def point(self, curve: str, step: int, value: float) -> None:
            if curve == "loss":
                self.losses = [*getattr(self, "losses", []), value]

    afresh, warm = Losses(tmp_path / "afresh"), Losses(tmp_path / "warm")
    trained("seq2seq", data, afresh)
    trained("seq2seq", data, warm, start_from="seq2seq.zip")
    assert warm.losses[0] < afresh.losses[-1] / 2


def test_the_datas_own_checkpoint_goes_before_a_file_that_may_have_changed(tmp_path: Path, models: Path) -> None:
    """A resumed run on another machine has its snapshot alone."""
    data = twenty(tmp_path / "data")
    file = packed("seq2seq", data, models)
    frozen = replace(data, start=file).write(tmp_path / "frozen")
    assert frozen.start == tmp_path / "frozen" / "start.zip"
    assert frozen.digest != data.digest
    whole = trained("seq2seq", frozen, Told(tmp_path / "whole"), start_from="seq2seq.zip")
    file.unlink()
    with pytest.raises(Stopped):
        trained("seq2seq", frozen, Told(tmp_path / "run", stop=3), start_from="seq2seq.zip")
    again = trained("seq2seq", frozen, Told(tmp_path / "run"), start_from="seq2seq.zip")
    pairs = zip(whole.net.state_dict().values(), again.net.state_dict().values(), strict=True)
    assert all(torch.equal(one, two) for one, two in pairs)
    with pytest.raises(UserError, match=r"There is no checkpoint 'seq2seq.zip' below RESTYLE_MODELS"):
        trained("seq2seq", data, Told(tmp_path / "other"), start_from="seq2seq.zip")


@pytest.mark.parametrize(("given", "sentence"), [
    ({"hidden": 32}, r"is 16 .* hidden is 16 in the checkpoint and 32 here\."),
    ({"embedding": 12}, r"embedding is 8 in the checkpoint and 12 here\."),
    ({"lowercase": True}, r"^start_from: lowercase is False in the checkpoint and True here: .* other words\.$"),
    ({"subwords": 50}, r"subwords is 0 in the checkpoint and 50 here"),
])  # fmt: skip
def test_one_that_does_not_fit_is_refused_by_the_option_that_differs(
    tmp_path: Path, models: Path, given: dict[str, Any], sentence: str
) -> None:
    data = twenty(tmp_path / "data")
    packed("seq2seq", data, models)
    with pytest.raises(UserError, match=sentence):
        trained("seq2seq", data, Told(tmp_path / "run"), start_from="seq2seq.zip", **given)
    assert not (tmp_path / "run" / "last").exists()


def test_other_models_broken_files_and_ways_out_are_refused(tmp_path: Path, models: Path) -> None:
    data = twenty(tmp_path / "data")
    packed("seq2seq", data, models)
    (models / "broken.zip").write_bytes((models / "seq2seq.zip").read_bytes()[:-30])
    with ZipFile(models / "evil.zip", "w", ZIP_STORED) as zipped:
        zipped.writestr("weights.pt", b"\x80\x04.")
        zipped.writestr("checkpoint.json", json.dumps({"format": "restyle checkpoint 1"}))
    (tmp_path / "outside.zip").write_bytes((models / "seq2seq.zip").read_bytes())
    for name, model, sentence in (
        ("seq2seq.zip", "pointer_net", r"^start_from, model.json: This is a model of another kind, seq2seq"),
        ("broken.zip", "seq2seq", r"^start_from, broken.zip: The file is not a checkpoint, or is broken"),
        ("evil.zip", "seq2seq", r"^start_from, evil.zip"),
        ("nowhere.zip", "seq2seq", r"^start_from: There is no checkpoint 'nowhere.zip'"),
        ("files", "seq2seq", r"^start_from: There is no checkpoint 'files'"),
        ("../outside.zip", "seq2seq", r"^start_from: '../outside.zip' leads out"),
    ):
        with pytest.raises(UserError, match=sentence):
            trained(model, data, Told(tmp_path / f"run-{name.replace('/', '-')}"), start_from=name)
