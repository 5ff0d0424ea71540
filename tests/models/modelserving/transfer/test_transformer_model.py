"""The Transformer as an entry: stopped and gone on with, its heads, its words, and what a search makes of it."""

from pathlib import Path
from typing import Any

import pytest
import torch
from support.tiny_pairs import SOURCES, TARGETS, WAY, small, twenty

from foundation.errors import UserError
from modelserving.neural_transfer.model import NetworkModel
from modelserving.training.callbacks import Callbacks, Stopped
from modelserving.transfer import TRANSFERS
from modelserving.transfer.transformer import TransformerOptions

pytestmark = pytest.mark.slow

KIND = TRANSFERS["transformer"]
TINY: dict[str, Any] = {
    "hidden": 16, "layers": 2, "heads": 2, "feedforward": 24, "epochs": 6, "batch": 3, "dropout": 0.3, "warmup": 9,
    "subwords": 300, "keep_every": 2,
}  # fmt: skip


class Stopping(Callbacks):
    def at(self, done: int, total: int) -> None:
        if done == 17:
            raise Stopped


def fitted(folder: Path, callbacks: type[Callbacks] = Callbacks, **given: Any) -> NetworkModel:
    folder.mkdir(exist_ok=True)
    model = KIND.fit(twenty(folder / "data"), small(KIND.Options, **(TINY | given)), callbacks(folder, seed=3))
    assert isinstance(model, NetworkModel)
    return model


@pytest.mark.soak
@pytest.mark.parametrize("norm", ["pre", "post"])
def test_stopped_and_gone_on_with_it_ends_as_if_nothing_had_happened(norm: str, tmp_path: Path) -> None:
    with pytest.raises(Stopped):
        fitted(tmp_path / "stopped", Stopping, norm=norm)
    again, whole = (fitted(tmp_path / name, norm=norm) for name in ("stopped", "whole"))
    for name, weight in whole.net.state_dict().items():
        assert torch.equal(weight, again.net.state_dict()[name]), name


FORMS: list[dict[str, Any]] = [{"norm": "pre"}, {"tied_embeddings": False}, {"heads": 1}]


@pytest.mark.parametrize("given", [{"subwords": 0}, *(pytest.param(one, marks=pytest.mark.soak) for one in FORMS)])
def test_each_of_its_forms_learns_twenty_pairs_by_heart(given: dict[str, Any], tmp_path: Path) -> None:
    learning = {"hidden": 64, "epochs": 60, "dropout": 0.0, "rate": 0.005, "warmup": 20, "batch": 5, "feedforward": 64}
    model = fitted(tmp_path, **learning, **given)
    assert list(model.transfer(SOURCES, WAY, small(KIND.Decoding, longest=30))) == TARGETS


def test_words_that_it_does_not_know_are_put_in_from_the_source(tmp_path: Path) -> None:
    model = fitted(tmp_path, subwords=0, words=2)  # nearly all that it learns to write is an unknown word
    (output,) = model.transfer(["qqq zzz"], WAY, small(KIND.Decoding, longest=3, shortest=3))
    assert {"qqq", "zzz"} & set(output.split())
    (kept,) = model.transfer(["qqq zzz"], WAY, small(KIND.Decoding, longest=3, shortest=3, replace_unknown=False))
    assert "<unk>" in kept


def test_heads_that_do_not_divide_the_states_are_one_sentence_before_anything_is_trained() -> None:
    with pytest.raises(UserError) as refused:
        small(KIND.Options, hidden=16, heads=3)
    assert refused.value.where == "heads"


def test_its_options_say_what_the_paper_has() -> None:
    options = TransformerOptions()
    assert (options.adam_beta2, options.adam_epsilon, options.smoothing, options.dropout) == (0.98, 1e-9, 0.1, 0.1)
    assert (options.schedule, options.norm, options.tied_embeddings) == ("inverse_sqrt", "post", True)
    assert options.feedforward == 4 * options.hidden
