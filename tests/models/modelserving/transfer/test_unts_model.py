"""UNTS from texts to texts: the decoder of the style moved into, when its losses begin, what is kept, and a kill."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from support.killed_training import kill_training
from support.tiny_pairs import SOURCES, TARGETS, WAY, small, twenty

from foundation.errors import UserError
from foundation.options import validate_options
from modelserving.nets.adversarial_simplifier import AdversarialSimplifier
from modelserving.neural_transfer.model import NetworkModel
from modelserving.training import weights
from modelserving.training.callbacks import Callbacks, Sample
from modelserving.training.dataset import TrainingData
from modelserving.training.recipe import ATTENTION, BeamSearchOptions
from modelserving.transfer import TRANSFERS
from modelserving.transfer.unts import UntsOptions

KIND = TRANSFERS["unts"]
BACK = WAY[::-1]
GIVEN: dict[str, Any] = {
    "epochs": 3, "layers": 1, "hidden": 16, "embedding": 8, "filters": 4, "batch": 6, "dropout": 0.3, "dropped": 0.2,
    "keep_every": 2, "adversarial_begin": 4,
}  # fmt: skip


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture
def data(tmp_path: Path) -> TrainingData:
    return twenty(tmp_path / "data")


class Heard(Callbacks):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder, seed=5)
        folder.mkdir(parents=True, exist_ok=True)
        self.curves: dict[str, list[tuple[int, float]]] = {}
        self.seen: list[Sample] = []

    def point(self, curve: str, step: int, value: float) -> None:
        self.curves.setdefault(curve, []).append((step, value))

    def samples(self, step: int, samples: Any) -> None:
        self.seen = list(samples)


def fitted(data: TrainingData, heard: Heard, **given: Any) -> NetworkModel:
    model = KIND.fit(data, small(KIND.Options, **(GIVEN | given)), heard)
    assert isinstance(model, NetworkModel)
    return model


def written(model: NetworkModel, direction: tuple[str, str]) -> list[str]:
    return list(model.transfer(SOURCES, direction, BeamSearchOptions(beam=1, longest=6)))


def network(model: NetworkModel) -> AdversarialSimplifier:
    assert isinstance(model.net, AdversarialSimplifier)
    return model.net


def test_either_direction_is_written_by_the_decoder_of_the_style_moved_into(data: TrainingData, tmp_path: Path) -> None:
    model = fitted(data, Heard(tmp_path / "run"), epochs=1, layers=2)
    assert model.directions == (WAY, BACK)
    before = {way: written(model, way) for way in (WAY, BACK)}
    (word,) = model.vocabularies.target.ids(["doctor"])
    for style, changed, kept in ((1, WAY, BACK), (0, BACK, WAY)):
        bias = network(model).decoders[style].output.bias  # type: ignore[union-attr]
        with torch.no_grad():
            bias[word] += 100
        assert all(set(text.split()) == {"doctor"} for text in written(model, changed))
        assert written(model, kept) == before[kept]
        with torch.no_grad():
            bias[word] -= 100


def test_the_losses_have_curves_of_their_own_and_the_adversaries_begin_late(data: TrainingData, tmp_path: Path) -> None:
    heard = Heard(tmp_path / "run")
    fitted(data, heard, batch=2, epochs=2, adversarial_begin=25)
    late = {"adversarial loss", "diversification loss"}
    early = {"loss", "reconstruction loss", "discriminator loss", "classifier loss"}
    assert set(heard.curves) == {*early, *late, *ATTENTION, "tokens a second", "perplexity"}
    # 20 updates an epoch, and a point after each 20 batches.
    steps = {name: [step for step, _ in points] for name, points in heard.curves.items()}
    assert all(steps[name] == [20, 40] for name in early)
    assert all(steps[name] == [40] for name in late)
    assert [one.source for one in heard.seen] == [*SOURCES[:3], *TARGETS[:3]]


def test_without_weight_a_loss_is_not_worked_out(data: TrainingData, tmp_path: Path) -> None:
    heard = Heard(tmp_path / "run")
    fitted(data, heard, adversarial=0.0, adversarial_begin=0, epochs=1)
    assert "diversification loss" in heard.curves
    assert "adversarial loss" not in heard.curves


def test_all_is_learnt_from_both_directions_where_asked(data: TrainingData, tmp_path: Path) -> None:
    given = {"adversarial_begin": 0, "epochs": 1}
    one, both = (fitted(data, Heard(tmp_path / str(way)), both_directions=way, **given) for way in (False, True))
    assert not same(one, both)


def test_the_last_weights_are_kept_and_not_those_of_the_lowest_perplexity(data: TrainingData, tmp_path: Path) -> None:
    heard = Heard(tmp_path / "run")
    # Tune texts of the other style each: the better it knows its own, the less it expects them.
    data = replace(data, dev_texts={WAY[0]: TARGETS, WAY[1]: SOURCES})
    model = fitted(data, heard, epochs=5, patience=1, tune_every=0)
    curve = [value for _, value in heard.curves["perplexity"]]
    assert len(curve) == 5, "patience has nothing to wait for"
    assert min(curve) < curve[-1], "else this shows nothing"
    last = weights.read(tmp_path / "run" / "last" / weights.FILE)
    assert all(torch.equal(tensor, last[name]) for name, tensor in model.net.state_dict().items())


def same(one: NetworkModel, other: NetworkModel) -> bool:
    pairs = zip(one.net.state_dict().values(), other.net.state_dict().values(), strict=True)
    return all(torch.equal(a, b) for a, b in pairs)


@pytest.mark.soak
@pytest.mark.parametrize("given", [
    {"layers": 2}, {"accumulate": 2, "smoothing": 0.1, "average": 2, "both_directions": True},
    {"precision": "bfloat16"},
])  # fmt: skip
def test_killed_on_the_way_it_ends_as_if_nothing_had_happened(tmp_path: Path, given: dict[str, Any]) -> None:
    run = kill_training("unts", tmp_path, GIVEN | given, at=13)
    data = twenty(tmp_path / "again")
    resumed = fitted(data, Heard(run), **given)
    assert same(resumed, fitted(data, Heard(tmp_path / "whole"), **given))


def test_vectors_are_the_encoders_and_stay(data: TrainingData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "vectors.txt").write_text("doctor 0.5 -1.5\nelsewhere 1 2\n")
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    for fixed in (True, False):
        given = {"embedding": 2, "vectors": "vectors.txt", "fixed_vectors": fixed, "epochs": 1}
        model = fitted(data, Heard(tmp_path / str(fixed)), **given)
        (word,) = model.vocabularies.source.ids(["doctor"])
        assert (network(model).encoder.embed.weight[word].tolist() == [0.5, -1.5]) == fixed
        assert network(model).decoders[1].embed.weight[word].abs().max() < 0.5  # type: ignore[union-attr, operator]
    with pytest.raises(UserError, match="subwords"):
        validate_options(KIND.Options, {"vectors": "vectors.txt", "subwords": 300})


def test_the_programs_values_are_the_defaults_and_msds_a_preset() -> None:
    options = UntsOptions()
    assert (options.batch, options.rate, options.hidden, options.layers, options.dropout) == (36, 0.00012, 600, 2, 0.2)
    assert (options.words, options.longest, options.lowercase, options.numbers) == (50_000, 40, True, False)
    assert (options.swapped, options.dropped, options.adversarial_begin) == (0.5, 0.0, 6_000)
    assert (options.critics_rate, options.filters, options.both_directions, options.clip) == (0.0005, 128, False, 0.0)
    msd = KIND.choose_options({}, "msd")
    assert (msd.optimizer, msd.rate, msd.batch, msd.longest, msd.embedding, msd.dropout) == (
        "adam", 0.001, 32, 100, 300, 0.5
    )  # fmt: skip


def test_an_odd_size_of_states_is_a_sentence() -> None:
    with pytest.raises(UserError, match="even number"):
        validate_options(KIND.Options, {"hidden": 7})
