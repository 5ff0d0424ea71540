"""Li et al.'s (2018) DeleteOnly and DeleteAndRetrieve from texts to texts, on two styles of a few words."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch

from foundation.errors import UserError
from foundation.options import validate_options
from foundation.papers import LI
from modelserving.attribute_markers.style_markers import TEXT_FILE
from modelserving.nets.delete_networks import DeleteAndRetrieve
from modelserving.neural_transfer.marked import (
    MARKED_PRESETS,
    MarkedModel,
    MarkedOptions,
    MarkedTransfer,
    RetrievingDecoding,
)
from modelserving.training.batches import pad
from modelserving.training.callbacks import Callbacks, Sample
from modelserving.training.dataset import TrainingData
from modelserving.transfer import TRANSFERS

NAMES = ["delete_only", "delete_and_retrieve"]
SAD, GLAD = ("sad", "glad"), ("glad", "sad")
WHAT = ["the food", "our room", "this old bar", "her little dog", "the tea"]
SAID = {"sad": ["was awful", "is really bad"], "glad": ["was lovely", "is so good"]}
SMALL = {
    "threshold": 2.0, "least_content": 1, "hidden": 48, "embedding": 24, "optimizer": "adam", "rate": 0.01, "batch": 5,
    "epochs": 40, "tune_every": 10_000,
}  # fmt: skip
DATA = TrainingData(
    *SAD,
    texts={style: [f"{what} {how} ." for what in WHAT for how in said] for style, said in SAID.items()},
    dev_texts={style: [f"{what} {said[0]} ." for what in WHAT[:3]] for style, said in SAID.items()},
)
Fit = Callable[..., MarkedModel]


class Heard(Callbacks):
    """Keeps what it hears."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, seed=5)
        self.curves: dict[str, list[float]] = {}
        self.seen: list[Sample] = []

    def point(self, curve: str, step: int, value: float) -> None:
        self.curves.setdefault(curve, []).append(value)

    def samples(self, step: int, samples: Any) -> None:
        self.seen = list(samples)


def trained(name: str, callbacks: Callbacks, data: TrainingData = DATA, **given: Any) -> MarkedModel:
    kind = TRANSFERS[name]
    model = kind.fit(data, validate_options(kind.Options, {**SMALL, **given}), callbacks)
    assert isinstance(model, MarkedModel)
    return model


@pytest.fixture(scope="module")
def fit(tmp_path_factory: pytest.TempPathFactory) -> Fit:
    @cache
    def fitted(name: str, **given: Any) -> MarkedModel:
        return trained(name, Callbacks(tmp_path_factory.mktemp(name), seed=5), **given)

    return fitted


def written(model: MarkedModel, direction: tuple[str, str], *texts: str, **given: Any) -> list[str]:
    return list(model.transfer(texts, direction, validate_options(model.kind.Decoding, given)))  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("direction", "said"), [(SAD, SAID["glad"]), (GLAD, SAID["sad"])])
def test_markers_give_way_to_those_of_the_other_style(
    name: str, direction: tuple[str, str], said: list[str], fit: Fit
) -> None:
    sources = DATA.texts[direction[0]]
    outputs = written(fit(name), direction, *sources)
    wanted = [{f"{what} {how}." for how in said} for what in WHAT for _ in SAID["sad"]]
    assert [output in right for output, right in zip(outputs, wanted, strict=True)] == [True] * 10


def test_of_one_retrieved_text_the_markers_are_taken(fit: Fit) -> None:
    """The nearest to a text without its markers is the first of the train texts with that content."""
    model = fit("delete_and_retrieve")
    assert written(model, SAD, "the tea is really bad .", retrieved=1) == ["the tea was lovely."]
    assert written(model, GLAD, "our room is so good .", retrieved=1) == ["our room was awful."]


def test_the_likeliest_output_is_the_language_models(fit: Fit) -> None:
    model = fit("delete_and_retrieve")
    assert isinstance(model.net, DeleteAndRetrieve)
    ids = [model.vocabularies.target.ids(text.split()) for text in ("food the . was", "the food was lovely .")]
    found = model.net.perplexities(*pad(ids, end=True), 1)
    assert found[1] < found[0]
    assert model._likeliest(ids, 1) == ids[1]
    assert model._likeliest([ids[1], ids[1], ids[0]], 1) is ids[1]
    assert math.exp(-torch.log(found[1]).item()) > 0.5, "learnt by heart"


def test_the_same_markers_are_written_with_once(fit: Fit) -> None:
    model = fit("delete_and_retrieve")
    sources = model._sources(3, ["the", "food", "was", "awful", "."], SAD, RetrievingDecoding())
    assert [(one.place, one.content) for one in sources] == [(3, ["the", "food"])] * 2
    assert [" ".join(one.markers) for one in sources] == [f"{how} ." for how in SAID["glad"]]


@pytest.mark.parametrize("name", NAMES)
def test_tuned_by_the_perplexity_of_texts_given_their_own_markers(name: str, tmp_path: Path) -> None:
    heard = Heard(tmp_path)
    trained(name, heard, tune_every=8, epochs=12, patience=0)
    curve = heard.curves["perplexity"]
    assert curve[-1] < curve[0] / 2
    assert [one.source for one in heard.seen] == [*DATA.dev_texts["sad"], *DATA.dev_texts["glad"]]
    assert ("language model loss" in heard.curves) == (name == "delete_and_retrieve")


def test_texts_with_too_little_content_or_too_many_words_are_left_out(tmp_path: Path) -> None:
    said: list[str] = []

    class Saying(Callbacks):
        def say(self, line: str) -> None:
            said.append(line)

    trained("delete_only", Saying(tmp_path), epochs=1, least_content=3, longest=6)
    # "this old bar" and "her little dog" are contents of three words; with "is really bad ." they are of seven.
    assert any(line.startswith("sad: ") and "2 texts; 8 left out" in line for line in said)
    with pytest.raises(UserError, match="besides"):
        trained("delete_only", Callbacks(tmp_path / "none"), least_content=6)


@pytest.mark.parametrize("name", NAMES)
def test_the_embeddings_begin_with_word_vectors(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "vectors.txt").write_text("food 0.5 -1.5\nelsewhere 1 2\n")
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    given = {"embedding": 2, "vectors": "vectors.txt", "epochs": 1, "optimizer": "sgd", "rate": 1e-8}
    model = trained(name, Callbacks(tmp_path / "run"), **given)
    (food,) = model.vocabularies.source.ids(["food"])
    assert model.net.get_parameter("embed.weight")[food].tolist() == pytest.approx([0.5, -1.5], abs=1e-5)
    with pytest.raises(UserError, match="subwords"):
        validate_options(TRANSFERS[name].Options, {"vectors": "vectors.txt", "subwords": 300})


@pytest.mark.parametrize("name", NAMES)
def test_only_what_retrieves_keeps_texts(name: str, fit: Fit, tmp_path: Path) -> None:
    fit(name).save(tmp_path)
    assert (tmp_path / TEXT_FILE).exists() == (name == "delete_and_retrieve")


def test_a_training_from_a_checkpoint_retrieves_texts_of_its_own_data(fit: Fit, tmp_path: Path) -> None:
    fit("delete_and_retrieve").save(tmp_path)
    kind = TRANSFERS["delete_and_retrieve"]
    assert isinstance(kind, MarkedTransfer)
    other = replace(DATA, texts={style: [text.replace("tea", "soup") for text in lines] for style, lines in
                                 DATA.texts.items()})  # fmt: skip
    options = validate_options(kind.Options, SMALL)
    found = kind.start_vocabularies(tmp_path, options, other, options)
    assert found.source.words == fit("delete_and_retrieve").vocabularies.source.words
    assert found.known.texts["sad"] == other.texts["sad"]  # type: ignore[attr-defined]


def test_the_papers_values_are_the_defaults() -> None:
    options = MarkedOptions()
    assert (options.embedding, options.hidden, options.optimizer, options.batch) == (128, 512, "adadelta", 256)
    assert (options.threshold, options.marker_smoothing, options.marker_words) == (15, 1, 4)
    assert RetrievingDecoding().beam == RetrievingDecoding().retrieved == 10
    assert TRANSFERS["delete_and_retrieve"].Options().noise == 0.1
    for name in NAMES:
        kind = TRANSFERS[name]
        assert kind.paper == LI
        for preset in MARKED_PRESETS:
            kind.choose_options({}, preset)


@pytest.mark.parametrize("styles", [("sad",), ("a", "b", "c")])
@pytest.mark.parametrize("name", NAMES)
def test_texts_of_other_than_two_styles_are_refused(name: str, styles: tuple[str, ...], tmp_path: Path) -> None:
    texts = dict.fromkeys(styles, DATA.texts["sad"])
    with pytest.raises(UserError, match="two styles"):
        trained(name, Callbacks(tmp_path), replace(DATA, texts=texts))
