"""The trainer: killed, stopped, spread over processes, and by when it ends."""

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import torch
from support.killed_training import HERE, kill_training
from support.tiny_pairs import SOURCES, TARGETS, WAY, small, twenty

from modelserving.neural_transfer.model import NetworkModel
from modelserving.training import weights
from modelserving.training.callbacks import Callbacks, Sample, Stopped
from modelserving.training.dataset import DevSet, Pairs, TrainingData
from modelserving.training.recipe import TrainingRecipe
from modelserving.transfer import TRANSFERS

KIND = TRANSFERS["seq2seq"]
SHORT: dict[str, Any] = {"epochs": 5, "hidden": 16, "embedding": 8, "keep_every": 2, "batch": 3, "dropout": 0.3}
EVERYTHING: dict[str, Any] = {
    "optimizer": "adamw", "decay": 0.1, "schedule": "linear", "warmup": 4, "smoothing": 0.1, "accumulate": 2,
    "batch_tokens": 24, "average": 3, "tune_every": 3, "tune_by": "sari", "patience": 0, "adam_beta2": 0.98,
}  # fmt: skip
TOGETHER = """
import json, sys
from pathlib import Path
import torch
from support.tiny_pairs import small, twenty
from modelserving.training import dataset
from modelserving.training.callbacks import Callbacks
from modelserving.transfer import TRANSFERS

class Told(Callbacks):
    def point(self, curve, step, value):
        if curve == "loss":
            with (self.folder / "losses").open("a") as file:
                file.write(json.dumps([step, value]) + "\\n")

folder = Path(sys.argv[1])
torch.set_num_threads(1)
options = small(TRANSFERS["seq2seq"].Options, **eval(sys.argv[2]))
TRANSFERS["seq2seq"].fit(dataset.read_dataset(folder / "data"), options, Told(folder / "run", seed=5))
"""


class Told(Callbacks):
    """Remembers what it is told; stops at a batch where it should."""

    def __init__(self, folder: Path, stop: int = -1) -> None:
        super().__init__(folder, seed=5)
        self.curves: dict[str, list[tuple[int, float]]] = defaultdict(list)
        self.seen: list[Sequence[Sample]] = []
        self.places: list[tuple[int, int]] = []
        self.stop = stop

    def at(self, done: int, total: int) -> None:
        self.places.append((done, total))
        if done == self.stop:
            raise Stopped

    def point(self, curve: str, step: int, value: float) -> None:
        self.curves[curve].append((step, value))

    def samples(self, step: int, samples: Sequence[Sample]) -> None:
        self.seen.append(samples)


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def fitted(data: TrainingData, callbacks: Callbacks, **given: Any) -> NetworkModel:
    callbacks.folder.mkdir(exist_ok=True)
    model = KIND.fit(data, small(KIND.Options, **(SHORT | given)), callbacks)
    assert isinstance(model, NetworkModel)
    return model


def same(model: NetworkModel, other: NetworkModel) -> bool:
    pairs = zip(model.net.state_dict().values(), other.net.state_dict().values(), strict=True)
    return all(torch.equal(one, two) for one, two in pairs)


@pytest.mark.soak
@pytest.mark.parametrize("given", [{}, EVERYTHING, EVERYTHING | {"precision": "bfloat16", "schedule": "inverse_sqrt"}])
def test_killed_in_the_middle_of_an_epoch_it_ends_as_if_nothing_had_happened(
    tmp_path: Path, given: dict[str, Any]
) -> None:
    # in the middle of the third epoch, a batch after what was kept last
    kill_training("seq2seq", tmp_path, SHORT | given, at=17)
    data = twenty(tmp_path / "whole")
    went_on, whole = Told(tmp_path / "run"), Told(tmp_path / "other")
    assert same(fitted(data, went_on, **given), fitted(data, whole, **given))
    assert went_on.places[0][0] == 16 or given
    assert 12 <= went_on.places[0][0] <= 18
    for curve in ("loss", "sari", "sari of the mean") if given else ("loss",):
        assert went_on.curves[curve] == whole.curves[curve][-len(went_on.curves[curve]) :]


def test_a_state_that_was_kept_before_there_were_schedules_is_gone_on_from(tmp_path: Path) -> None:
    data = twenty(tmp_path / "data")
    with pytest.raises(Stopped):
        fitted(data, Told(tmp_path / "run", stop=9))
    path = tmp_path / "run" / "last" / "position.json"
    position = json.loads(path.read_text())
    assert position.pop("updates") == 9
    path.write_text(json.dumps(position))
    about = tmp_path / "run" / "last" / "model.json"
    stored = json.loads(about.read_text())
    names = {field.name for field in fields(TrainingRecipe)} - {"optimizer", "rate", "batch", "epochs", "clip"}
    stored["options"] = {key: value for key, value in stored["options"].items() if key not in names}
    about.write_text(json.dumps(stored))
    assert KIND.load(tmp_path / "run" / "last").options.schedule == "constant"  # type: ignore[attr-defined]
    assert same(fitted(data, Told(tmp_path / "run")), fitted(data, Told(tmp_path / "whole")))


def test_it_stops_at_the_batch_and_goes_on_from_there(tmp_path: Path) -> None:
    data = twenty(tmp_path / "data")
    with pytest.raises(Stopped):
        fitted(data, Told(tmp_path / "run", stop=9), keep_every=1000)
    went_on = Told(tmp_path / "run")
    assert same(fitted(data, went_on, keep_every=1000), fitted(data, Told(tmp_path / "whole")))
    assert went_on.places[0] == (9, 35)


class LostInScoring(Told):
    """Its machine goes while the tune set is scored for the third time."""

    looks = 0

    def samples(self, step: int, samples: Sequence[Sample]) -> None:
        self.looks += 1
        if self.looks == 3:
            raise KeyboardInterrupt


def test_what_is_lost_while_a_long_tune_score_is_made_is_the_score_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, given = twenty(tmp_path / "data"), EVERYTHING | {"keep_every": 1000}
    whole = fitted(data, Told(tmp_path / "whole"), **given)
    monkeypatch.setattr("modelserving.training.trainer.LONG_SCORING", -1.0)
    with pytest.raises(KeyboardInterrupt):
        fitted(data, LostInScoring(tmp_path / "run"), **given)
    position = json.loads((tmp_path / "run" / "last" / "position.json").read_text())
    assert position["due"] is True
    went_on = Told(tmp_path / "run")
    assert same(fitted(data, went_on, **given), whole)
    assert went_on.places[0][0] == position["step"]


def test_a_training_that_is_done_is_only_loaded(tmp_path: Path) -> None:
    data = twenty(tmp_path / "data")
    first = fitted(data, Told(tmp_path / "run"))
    again = Told(tmp_path / "run")
    assert same(fitted(data, again), first)
    assert again.places == []


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("more", [{}, EVERYTHING])
def test_two_processes_train_as_one_does(tmp_path: Path, more: dict[str, Any]) -> None:
    data = twenty(tmp_path / "data")
    (tmp_path / "run").mkdir()
    given = {"epochs": 5, "hidden": 16, "embedding": 8, "batch": 6, **more}
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    script = tmp_path / "together.py"
    script.write_text(TOGETHER)
    subprocess.run([*command, str(script), str(tmp_path), repr(given)], env=HERE, check=True, capture_output=True)
    alone = Told(tmp_path / "alone")
    fitted(data, alone, dropout=0.0, **given)
    lines = (tmp_path / "run" / "losses").read_text().splitlines()
    found = [tuple(map(float, line.strip("[]").split(","))) for line in lines]
    assert found == [(step, pytest.approx(value, rel=1e-4)) for step, value in alone.curves["loss"]]
    kept = weights.read(tmp_path / "run" / "best" / weights.FILE)
    own = weights.read(tmp_path / "alone" / "best" / weights.FILE)
    for name, tensor in own.items():
        torch.testing.assert_close(kept[name], tensor, rtol=1e-2, atol=1e-4)


def test_it_ends_when_the_tune_score_has_not_risen_and_gives_the_best(tmp_path: Path) -> None:
    data = TrainingData(*WAY, train=Pairs(SOURCES, TARGETS), dev=DevSet(SOURCES[:4], [["Nothing alike ."] * 4]))
    callbacks = Told(tmp_path / "run")
    fitted(data, callbacks, epochs=100, patience=3, tune_every=2)
    scores = [value for _, value in callbacks.curves["bleu"]]
    assert len(scores) == scores.index(max(scores)) + 1 + 3
    assert len(callbacks.seen) == len(scores)
    best = weights.read(tmp_path / "run" / "best" / weights.FILE)
    last = weights.read(tmp_path / "run" / "last" / weights.FILE)
    assert any(not torch.equal(best[name], last[name]) for name in best)


def test_it_does_not_end_while_the_learning_rate_rises(tmp_path: Path) -> None:
    data = TrainingData(*WAY, train=Pairs(SOURCES, TARGETS), dev=DevSet(SOURCES[:4], [["Nothing alike ."] * 4]))
    scores = {}
    for warmup in (0, 20, 1000):
        callbacks = Told(tmp_path / str(warmup))
        fitted(data, callbacks, epochs=9, patience=1, tune_every=2, rate=1e-8, warmup=warmup)
        scores[warmup] = len(callbacks.curves["bleu"])
    assert scores == {0: 2, 20: 10, 1000: 32}  # 63 batches; the first score is the best of all, since nothing changes


def test_perplexity_is_that_of_the_tune_set_and_falls(tmp_path: Path) -> None:
    callbacks = Told(tmp_path / "run")
    fitted(twenty(tmp_path / "data"), callbacks, tune_by="perplexity", tune_every=7, dropout=0.0, rate=0.01)
    values = [value for _, value in callbacks.curves["perplexity"]]
    assert len(values) == 5
    assert values == sorted(values, reverse=True)
    assert values[0] < 40  # words are known, and even at first it knows some


def test_texts_that_are_too_long_or_empty_are_left_out(tmp_path: Path) -> None:
    said: list[str] = []
    callbacks = Told(tmp_path / "run")
    callbacks.say = said.append  # type: ignore[method-assign]
    pairs = Pairs([*SOURCES, "", "a", "b " * 101], [*TARGETS, "A.", "", "B."])
    fitted(TrainingData(*WAY, train=pairs), callbacks)
    assert said[0] == "20 pairs; 3 left out that are empty or longer than 100 words."
