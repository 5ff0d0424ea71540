"""A training of an experiment that was stopped goes on with its seconds and its scores."""

import json
from pathlib import Path

import pytest

from modelserving.training.dataset import Pairs, TrainingData
from modelserving.transfer import TRANSFERS
from tools.results.resumable_training import SPENT, BarWatch, RunEnvironment, train_model


def callbacks(folder: Path) -> BarWatch:
    return BarWatch(folder, 1, "cpu", "made")


def test_seconds_and_scores_are_those_of_what_was_kept(tmp_path: Path) -> None:
    first = callbacks(tmp_path)
    first.at(1, 10)
    first.score("bleu", 1, 30.0, higher_is_better=True)
    first.point("loss", 1, 2.0)
    first.keep("last", lambda folder: None)
    spent = json.loads((tmp_path / SPENT).read_text())["took"]
    first.score("bleu", 2, 31.0, higher_is_better=True)  # is done again, since it was not kept
    second = callbacks(tmp_path)
    assert second.scores == {"bleu": [(1, 30.0)]}
    assert second.took.clock > spent["clock"] > 0
    second.score("bleu", 2, 31.0, higher_is_better=True)
    assert second.scores == {"bleu": [(1, 30.0), (2, 31.0)]}


def test_a_training_that_kept_nothing_begins_anew(tmp_path: Path) -> None:
    first = callbacks(tmp_path)
    first.score("bleu", 1, 30.0, higher_is_better=True)
    assert callbacks(tmp_path).scores == {}


def test_what_is_judged_is_what_was_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = TrainingData("clinical", "lay", train=Pairs(["pt"], ["patient"]), dictionary={"pt": ("patient",)})
    found = train_model("dictionary", data, TRANSFERS["dictionary"].Options(), 1, RunEnvironment(tmp_path))
    saved = tmp_path / "dictionary-saved"
    assert found.bytes == sum(file.stat().st_size for file in saved.iterdir())
    assert list(found.model.transfer(["pt"], ("clinical", "lay"), TRANSFERS["dictionary"].Decoding())) == ["patient"]
    assert [path.name for path in tmp_path.iterdir()] == ["dictionary-saved"]
