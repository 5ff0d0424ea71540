"""Training data that several commands share."""

from pathlib import Path

from modelserving.training.dataset import DevSet, Pairs, TrainingData
from tools.results.run_store import stored_data


def pairs(*texts: str) -> TrainingData:
    return TrainingData("plain", "short", Pairs(texts, texts), DevSet(texts, [texts]))


def test_data_that_another_command_is_reading_stay_as_they_are(tmp_path: Path) -> None:
    first = stored_data(tmp_path, pairs("A cat sat.", "It rained."))
    files = {file: file.stat().st_ino for file in tmp_path.rglob("*")}
    again = stored_data(tmp_path, pairs("A cat sat.", "It rained."))
    other = stored_data(tmp_path, pairs("A dog ran."))
    assert again.digest == first.digest != other.digest
    assert list(again.train.sources) == ["A cat sat.", "It rained."]
    assert list(other.train.sources) == ["A dog ran."]
    assert {file: file.stat().st_ino for file in files} == files
    assert len(list(tmp_path.iterdir())) == 2
