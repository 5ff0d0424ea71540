"""The curves of attention: of attention that is known, of a network's teacher forcing, and what a collapse says."""

from pathlib import Path

import numpy as np
import pytest
import torch
from scipy.stats import entropy
from support.tiny_pairs import SOURCES, TARGETS, WAY, small, twenty

from modelserving.nets.recurrent import AttentionNetwork, GlobalAttentionNetwork
from modelserving.neural_transfer.model import NetworkModel
from modelserving.neural_transfer.validation import _Attended, watch_attention
from modelserving.run_context import RunContext
from modelserving.training.batches import pad
from modelserving.training.callbacks import Callbacks
from modelserving.training.recipe import ALIGNMENT, ENTROPY, ON_ONE_PLACE
from modelserving.transfer import TRANSFERS


class Told(Callbacks):
    """Keeps the points of the attention's share at one place, and the log."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, seed=5)
        folder.mkdir(parents=True, exist_ok=True)
        self.shares: list[float] = []
        self.lines: list[str] = []

    def point(self, curve: str, step: int, value: float) -> None:
        if curve == ON_ONE_PLACE:
            self.shares.append(value)

    def say(self, line: str) -> None:
        self.lines.append(line)


def trained(name: str, folder: Path, **given: object) -> tuple[NetworkModel, Told]:
    told = Told(folder / "run")
    model = TRANSFERS[name].fit(twenty(folder / "data"), small(TRANSFERS[name].Options, **given), told)
    assert isinstance(model, NetworkModel)
    return model, told


def test_attention_that_is_known() -> None:
    aligned = _Attended.of(np.eye(4), ["a", "b", "c", "d"], ["a", "b", "c", "d"])
    assert (aligned.steps, aligned.entropy, aligned.same, aligned.aligned) == (4, 0.0, 4, 4.0)
    assert aligned.on_one_place == 0.25
    collapsed = _Attended.of(np.tile([0.0, 0.0, 0.0, 1.0], (4, 1)), ["a", "b", "c", "d"], ["a", "b", "c", "d"])
    assert (collapsed.entropy, collapsed.aligned, collapsed.on_one_place) == (0.0, 1.0, 1.0)
    even = _Attended.of(np.full((4, 4), 0.25), ["a", "b", "b", "x"], ["a", "b", "c", "d"])
    assert even.entropy == pytest.approx(4 * np.log(4))
    assert (even.same, even.aligned) == (2, 0.75)  # `a` at one place, `b` at either of two


def test_the_curves_are_those_of_the_networks_teacher_forcing(tmp_path: Path) -> None:
    model, _ = trained("seq2seq", tmp_path, epochs=3)
    assert isinstance(model.net, AttentionNetwork)
    cut = model.vocabularies.tokenizer.tokenize
    sources, targets = [list(map(cut, texts))[:16] for texts in (SOURCES, TARGETS)]
    ids, _ = pad([model.vocabularies.target.ids(words) for words in targets])
    with torch.inference_mode():
        _, weights = model.net.teacher_force(*model.net.start(model.kind.source_batch(model, sources, WAY)), ids)
    rows = [
        one[: len(target), : len(source)].double().numpy()
        for one, source, target in zip(weights, sources, targets, strict=True)
    ]
    found = watch_attention(model, list(zip(SOURCES, TARGETS, strict=True)), WAY)(RunContext())
    entropies = np.concatenate([entropy(one, axis=1) for one in rows])
    assert found[ENTROPY] == pytest.approx(entropies.mean(), abs=1e-5)
    assert found[ON_ONE_PLACE] == pytest.approx(np.mean([one.mean(0).max() for one in rows]), abs=1e-5)
    same = [
        sum(share for share, word in zip(shares, source, strict=True) if word == written)
        for one, source, target in zip(rows, sources, targets, strict=True)
        for shares, written in zip(one, target, strict=True)
        if written in source
    ]
    assert found[ALIGNMENT] == pytest.approx(np.mean(same), abs=1e-5)


def test_a_collapse_is_said_in_the_log_and_no_collapse_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, told = trained("opennmt_pt", tmp_path / "well", epochs=1)
    assert max(told.shares) < 0.5
    assert not any("collapsed" in line for line in told.lines)
    own = GlobalAttentionNetwork._advance

    def only_the_first(self, memory, state, embedded):  # type: ignore[no-untyped-def]
        bias = torch.full_like(memory["bias"], float("-inf"))
        bias[:, 0] = 0.0
        return own(self, {**memory, "bias": bias}, state, embedded)

    monkeypatch.setattr(GlobalAttentionNetwork, "_advance", only_the_first)
    _, told = trained("opennmt_pt", tmp_path / "badly", epochs=1)
    assert told.shares == [1.0]
    assert [line for line in told.lines if "The attention has collapsed: 100% of it" in line]


def test_short_texts_and_networks_without_attention_have_no_curves(tmp_path: Path) -> None:
    model, _ = trained("seq2seq", tmp_path / "one", epochs=1)
    assert watch_attention(model, [("she saw", "She saw.")], WAY)(RunContext()) == {}
    without, _ = trained("seq2seq_no_attention", tmp_path / "two", epochs=1)
    assert watch_attention(without, list(zip(SOURCES, TARGETS, strict=True)), WAY)(RunContext()) == {}
