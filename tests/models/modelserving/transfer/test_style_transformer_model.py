"""The Style Transformer as an entry: stopped in any turn and gone on with, its scores, its presets, what it refuses."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from support.tiny_pairs import SOURCES, TARGETS, WAY, small, twenty

from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.metrics import METRICS, MetricInput
from foundation.errors import UserError
from modelserving.neural_transfer.model import NetworkModel
from modelserving.training.callbacks import Callbacks, Sample, Stopped
from modelserving.training.recipe import ATTENTION, BeamSearchOptions
from modelserving.transfer import TRANSFERS
from modelserving.transfer.style_transformer import StyleTransformerOptions

pytestmark = pytest.mark.slow

KIND = TRANSFERS["style_transformer"]
TINY: dict[str, Any] = {
    "hidden": 16, "layers": 1, "heads": 2, "feedforward": 24, "rate": 0.003, "epochs": 4, "batch": 5, "dropout": 0.2,
    "pretrain": 9, "discriminator_updates": 3, "generator_updates": 2, "keep_every": 2, "tune_every": 8,
    "temperature": "1@0 0.5@2", "word_dropout": "0.2",
}  # fmt: skip


class Heard(Callbacks):
    """Stops before that batch, and keeps what it hears."""

    def __init__(self, folder: Path, stop: int = -1) -> None:
        super().__init__(folder, seed=3)
        self.stop = stop
        self.curves: dict[str, list[float]] = {}
        self.scored: dict[str, bool] = {}
        self.seen: list[Sample] = []

    def at(self, done: int, total: int) -> None:
        if done == self.stop:
            raise Stopped

    def point(self, curve: str, step: int, value: float) -> None:
        self.curves.setdefault(curve, []).append(value)

    def score(self, curve: str, step: int, value: float, *, higher_is_better: bool) -> None:
        self.scored[curve] = higher_is_better
        super().score(curve, step, value, higher_is_better=higher_is_better)

    def samples(self, step: int, samples: Any) -> None:
        self.seen = list(samples)


def fitted(folder: Path, stop: int = -1, **given: Any) -> tuple[NetworkModel, Heard]:
    folder.mkdir(exist_ok=True)
    heard = Heard(folder, stop)
    model = KIND.fit(twenty(folder / "data"), small(KIND.Options, **(TINY | given)), heard)
    assert isinstance(model, NetworkModel)
    return model, heard


@pytest.mark.parametrize(("stop", "discriminator"), [
    (5, "multi_class"), (11, "conditional"), (13, "multi_class"),
    *(pytest.param(*one, marks=pytest.mark.soak) for one in ((9, "multi_class"), (25, "conditional"))),
])  # fmt: skip
def test_stopped_in_the_pretraining_or_either_turn_it_goes_on_as_if_nothing_had_happened(
    stop: int, discriminator: str, tmp_path: Path
) -> None:
    with pytest.raises(Stopped):
        fitted(tmp_path / "stopped", stop, discriminator=discriminator)
    again, whole = (fitted(tmp_path / name, discriminator=discriminator)[0] for name in ("stopped", "whole"))
    for name, weight in whole.net.state_dict().items():
        assert torch.equal(weight, again.net.state_dict()[name]), name


def test_in_the_pretraining_the_discriminator_stays_as_it_was(tmp_path: Path) -> None:
    short, long = (
        fitted(tmp_path / str(epochs), epochs=epochs, pretrain=100, tune_by="perplexity")[0].net for epochs in (1, 2)
    )
    moved = {name.partition(".")[0] for name, one in short.named_parameters()
             if not torch.equal(one, long.get_parameter(name))}  # fmt: skip
    assert "discriminator" not in moved
    assert {"encoder", "decoder", "style", "places", "output"} <= moved


def test_it_is_tuned_by_style_and_content_of_moved_texts(tmp_path: Path) -> None:
    model, heard = fitted(tmp_path)
    assert heard.scored == {"style_and_content": True}
    losses = {"loss", "cycle loss", "style loss", "discriminator loss"}
    assert set(heard.curves) == {*losses, *ATTENTION, "tokens a second", "style_and_content"}
    assert [one.source for one in heard.seen] == [*SOURCES[:3], *TARGETS[:3]]
    sources, ways = [*SOURCES, *TARGETS], (WAY, WAY[::-1])
    written = [
        text for texts, way in zip((SOURCES, TARGETS), ways, strict=True)
        for text in model.transfer(texts, way, BeamSearchOptions(beam=1))
    ]  # fmt: skip
    texts = {WAY[0]: SOURCES, WAY[1]: TARGETS}
    targets = [way[1] for way in ways for _ in range(20)]
    moved = MetricInput(sources, written, [], target_styles=targets, material=TrainingMaterial(texts=texts, tune=texts))
    accuracy, kept = (METRICS[name].score(moved).corpus for name in ("style_accuracy", "self_bleu"))
    assert accuracy
    assert kept
    assert max(heard.curves["style_and_content"]) == pytest.approx((100 * accuracy * kept) ** 0.5)


def test_by_perplexity_it_is_tuned_as_its_neighbours(tmp_path: Path) -> None:
    _, heard = fitted(tmp_path, tune_by="perplexity", pretrain=100)
    assert heard.scored == {"perplexity": False}
    assert heard.curves["perplexity"][-1] < heard.curves["perplexity"][0]


def test_without_tune_texts_the_last_weights_are_kept(tmp_path: Path) -> None:
    data = replace(twenty(tmp_path / "data"), dev_texts={})
    model = KIND.fit(data, small(KIND.Options, **TINY), Callbacks(tmp_path))
    assert len(list(model.transfer(SOURCES, WAY, BeamSearchOptions(beam=1)))) == len(SOURCES)


def test_the_defaults_are_the_authors_programs_for_yelp() -> None:
    options = StyleTransformerOptions()
    assert (options.self_weight, options.cycle_weight, options.style_weight) == (0.25, 0.5, 1.0)
    assert (options.pretrain, options.discriminator_updates, options.generator_updates) == (500, 10, 5)
    assert (options.hidden, options.layers, options.heads, options.feedforward) == (256, 4, 4, 4 * 256)
    assert (options.rate, options.discriminator_rate, options.optimizer, options.clip) == (1e-4, 1e-4, "adam", 5.0)
    assert (options.batch, options.least, options.longest + 1, options.dropout) == (2 * 64, 3, 16, 0.0)
    assert (options.discriminator, options.temperature, options.word_dropout) == ("multi_class", "1", "0")
    assert KIND.choose_options({}, "yelp") == options
    assert KIND.choose_options({}, "yelp_conditional").discriminator == "conditional"
    msd = KIND.choose_options({}, "msd")
    assert (msd.rate, msd.batch, msd.longest, msd.hidden, msd.dropout) == (0.001, 32, 100, 300, 0.5)


@pytest.mark.parametrize(("given", "where"), [
    ({"hidden": 16, "heads": 3}, "heads"), ({"temperature": "0"}, "temperature"),
    ({"temperature": "1@5 0.5@2"}, "temperature"), ({"word_dropout": "all"}, "word_dropout"),
    ({"word_dropout": "1.5"}, "word_dropout"), ({"vectors": "glove.txt", "subwords": 300}, "vectors"),
    ({"discriminator": "none"}, "discriminator"),
])  # fmt: skip
def test_what_cannot_be_is_one_sentence_before_anything_is_trained(given: dict[str, Any], where: str) -> None:
    with pytest.raises(UserError) as refused:
        KIND.choose_options(given)
    assert refused.value.where == where


def test_both_embeddings_begin_with_the_files_vectors_and_others_sizes_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    (tmp_path / "glove.txt").write_text("town " + " ".join(["0.5"] * 16) + "\n")
    model, _ = fitted(tmp_path / "run", vectors="glove.txt", epochs=1, rate=1e-8, discriminator_rate=1e-8)
    place = model.vocabularies.source.ids(["town"])[0]
    for name in ("encoder.embed.weight", "discriminator.embed.weight"):
        torch.testing.assert_close(model.net.get_parameter(name)[place], torch.full((16,), 0.5), atol=1e-4, rtol=0)
    with pytest.raises(UserError, match="hidden must be 16 too"):
        fitted(tmp_path / "other", vectors="glove.txt", hidden=8)


def test_an_unknown_word_is_put_in_from_the_source(tmp_path: Path) -> None:
    model, _ = fitted(tmp_path, words=2, least=1)  # nearly all that it learns to write is an unknown word
    (output,) = model.transfer(["qqq zzz"], WAY, small(KIND.Decoding, longest=3, shortest=3))
    assert {"qqq", "zzz"} & set(output.split())
