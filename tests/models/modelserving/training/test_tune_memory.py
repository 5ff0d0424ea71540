"""A training while its tune set is scored: out of memory there and in the optimizer, and told to end by SIGTERM."""

import json
import os
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from support.tiny_pairs import WAY, small, twenty

from foundation import preemption
from foundation.errors import UserError
from modelserving.nets.recurrent import AttentionNetwork
from modelserving.neural_transfer import model as network_model
from modelserving.neural_transfer.model import NetworkModel
from modelserving.run_context import SPLIT
from modelserving.training.batches import Batch
from modelserving.training.callbacks import Callbacks, Preempted, Sample
from modelserving.training.network import Loss, Start
from modelserving.transfer import TRANSFERS

KIND = TRANSFERS["seq2seq"]
SHORT: dict[str, Any] = {
    "epochs": 3, "hidden": 16, "embedding": 8, "batch": 3, "dropout": 0.3, "tune_every": 4, "patience": 0,
    "keep_every": 1000,
}  # fmt: skip
AVERAGED: dict[str, Any] = {"average": 2, "optimizer": "adamw", "decay": 0.1, "schedule": "cosine", "accumulate": 2}


class Told(Callbacks):
    """Remembers what it is told."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        super().__init__(folder, seed=5)
        self.said: list[str] = []
        self.curves: dict[str, list[tuple[int, float]]] = {}
        self.looks: list[Sequence[Sample]] = []

    def say(self, line: str) -> None:
        self.said.append(line)

    def point(self, curve: str, step: int, value: float) -> None:
        if curve != "tokens a second":
            self.curves.setdefault(curve, []).append((step, value))

    def samples(self, step: int, samples: Sequence[Sample]) -> None:
        self.looks.append(samples)


class Scoring:
    """What a network does while it is not trained: each batch is counted, and one of more texts than `room` fails.

    At the batch of the number `last` the process gets a real SIGTERM.
    """

    def __init__(self, patch: pytest.MonkeyPatch, room: int = 1000, last: int = 0) -> None:
        self.room, self.last, self.batches = room, last, 0
        start, losses = AttentionNetwork.start, AttentionNetwork.losses

        def started(net: AttentionNetwork, batch: Batch) -> Start:
            self.look(net, batch)
            return start(net, batch)

        def lost(net: AttentionNetwork, batch: Batch) -> list[Loss]:
            self.look(net, batch)
            return losses(net, batch)

        patch.setattr(AttentionNetwork, "start", started)
        patch.setattr(AttentionNetwork, "losses", lost)

    def look(self, net: AttentionNetwork, batch: Batch) -> None:
        if net.training:
            return
        self.batches += 1
        if self.batches == self.last:
            os.kill(os.getpid(), signal.SIGTERM)
        if len(batch) > self.room:
            raise torch.OutOfMemoryError


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture
def listening() -> Iterator[None]:
    with preemption.listening(signal.SIGTERM):
        yield


def fitted(folder: Path, told: Callbacks, **given: Any) -> NetworkModel:
    model = KIND.fit(twenty(folder / "data"), small(KIND.Options, **(SHORT | given)), told)
    assert isinstance(model, NetworkModel)
    return model


def same(one: NetworkModel, other: NetworkModel) -> bool:
    pairs = zip(one.net.state_dict().values(), other.net.state_dict().values(), strict=True)
    return all(torch.equal(first, second) for first, second in pairs)


@pytest.mark.parametrize("metric", ["bleu", "perplexity"])
def test_where_memory_does_not_do_for_a_score_it_is_made_in_parts_and_said_once(
    tmp_path: Path, metric: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Told(tmp_path / "whole")
    undisturbed = fitted(tmp_path, whole, tune_by=metric, batch=6)
    Scoring(monkeypatch, room=2)
    parts = Told(tmp_path / "parts")
    assert same(fitted(tmp_path, parts, tune_by=metric, batch=6), undisturbed)
    assert [step for step, _ in parts.curves[metric]] == [step for step, _ in whole.curves[metric]]
    assert len(parts.curves[metric]) > 2
    for (_, found), (_, expected) in zip(parts.curves[metric], whole.curves[metric], strict=True):
        assert found == pytest.approx(expected, rel=1e-5)
    assert parts.looks == whole.looks
    assert parts.said.count(SPLIT) == 1
    assert SPLIT not in whole.said


@pytest.mark.parametrize(("metric", "sentence"), [
    ("bleu", r"^A single text of \d words does not fit into the memory of cpu"),
    ("perplexity", r"^A single text of \d words does not fit into the memory of cpu"),
])  # fmt: skip
def test_a_tune_text_that_does_not_fit_alone_is_named(
    tmp_path: Path, metric: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Scoring(monkeypatch, room=0)
    with pytest.raises(UserError, match=sentence):
        fitted(tmp_path, Told(tmp_path / "run"), tune_by=metric)


def test_memory_that_does_not_do_for_the_optimizer_ends_it_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where its state is allocated, with the first step."""

    def step(optimizer: torch.optim.Optimizer) -> None:
        raise torch.OutOfMemoryError

    monkeypatch.setattr(torch.optim.Adam, "step", step)
    told = Told(tmp_path / "run")
    with pytest.raises(UserError, match="is too small for the network with its gradients and its optimizer's state"):
        fitted(tmp_path, told)
    assert told.kept("last") is None, "what an interrupted step left is not kept"


def test_memory_that_does_not_do_elsewhere_in_a_training_ends_it_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def clip(*given: Any) -> None:
        raise torch.OutOfMemoryError

    monkeypatch.setattr("modelserving.training.gradients.LossSums.divide", clip)
    with pytest.raises(UserError, match="make the network smaller"):
        fitted(tmp_path, Told(tmp_path / "run"))


@pytest.mark.usefixtures("listening")
@pytest.mark.parametrize(("given", "batch"), [
    pytest.param(given, batch, marks=[pytest.mark.soak] * (told != begun))
    for told, given in enumerate(({"tune_by": "bleu"}, {"tune_by": "perplexity"}, {"tune_by": "sari", **AVERAGED}))
    for begun, batch in enumerate((1, 18, 2))
])  # fmt: skip
def test_told_to_end_while_it_scores_it_keeps_its_state_at_the_next_batch_and_goes_on_to_the_same(
    tmp_path: Path, given: dict[str, Any], batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the first score, before anything was kept, and in a later one; with `average` in the mean's too."""
    monkeypatch.setattr(network_model, "TEXTS", 3)  # a score of 20 texts is of 7 batches
    whole = Told(tmp_path / "whole")
    undisturbed = fitted(tmp_path, whole, **given)
    with monkeypatch.context() as patch:
        scoring = Scoring(patch, last=batch)
        stopped = Told(tmp_path / "run")
        with pytest.raises(Preempted):
            fitted(tmp_path, stopped, **given)
        assert scoring.batches == batch, "no further batch was begun"
    position = json.loads((tmp_path / "run" / "last" / "position.json").read_text())
    assert position["due"] is True
    preemption.forget()
    went_on = Told(tmp_path / "run")
    assert same(fitted(tmp_path, went_on, **given), undisturbed)
    for curve, points in whole.curves.items():
        assert {*stopped.curves.get(curve, []), *went_on.curves.get(curve, [])} == {*points}
    assert [*stopped.looks, *went_on.looks] == whole.looks
    last = [json.loads((tmp_path / name / "last" / "position.json").read_text()) for name in ("whole", "run")]
    assert last[0] == last[1]


def test_a_run_is_asked_between_batches_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a run over a study is, which is cancelled within a window of thousands of texts."""
    from modelserving.run_context import RunContext

    model = fitted(tmp_path, Told(tmp_path / "run"), epochs=1)
    monkeypatch.setattr(network_model, "TEXTS", 3)
    asked: list[None] = []
    within = model.within(RunContext(lambda: asked.append(None)))
    texts = list(twenty(tmp_path / "data").dev.sources)
    assert list(within.transfer(texts, WAY, KIND.Decoding())) == list(model.transfer(texts, WAY, KIND.Decoding()))
    assert len(asked) == 7
