"""Fu et al.'s (2018) models from texts to texts: one serves both directions, numbers and case are lost, and so on."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support.tiny_pairs import SOURCES, TARGETS, WAY, small, twenty

from foundation.errors import UserError
from modelserving.neural_transfer.model import NetworkModel
from modelserving.neural_transfer.styled import StyledOptions
from modelserving.training.callbacks import Callbacks, Sample
from modelserving.training.dataset import TrainingData
from modelserving.training.network import Network
from modelserving.training.recipe import BeamSearchOptions
from modelserving.transfer import TRANSFERS

NAMES = ["auto_encoder", "multi_decoder", "style_embedding"]
BACK = WAY[::-1]
QUICK = {"optimizer": "adam", "rate": 0.01, "hidden": 32, "epochs": 8}


class Heard(Callbacks):
    """Keeps what it hears."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, seed=5)
        self.curves: dict[str, list[float]] = {}
        self.seen: list[Sample] = []
        self.scored: dict[str, bool] = {}

    def score(self, curve: str, step: int, value: float, *, higher_is_better: bool) -> None:
        self.scored[curve] = higher_is_better
        super().score(curve, step, value, higher_is_better=higher_is_better)

    def point(self, curve: str, step: int, value: float) -> None:
        self.curves.setdefault(curve, []).append(value)

    def samples(self, step: int, samples: Any) -> None:
        self.seen = list(samples)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> TrainingData:
    return twenty(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def fit(data: TrainingData, tmp_path_factory: pytest.TempPathFactory) -> Any:
    @cache
    def fitted(name: str, **given: Any) -> tuple[NetworkModel, Heard]:
        heard = Heard(tmp_path_factory.mktemp(name))
        model = TRANSFERS[name].fit(data, small(TRANSFERS[name].Options, **{**QUICK, **given}), heard)
        assert isinstance(model, NetworkModel)
        return model, heard

    return fitted


def written(model: NetworkModel, direction: tuple[str, str], texts: list[str] = SOURCES) -> list[str]:
    return list(model.transfer(texts, direction, BeamSearchOptions(beam=1)))


@pytest.mark.parametrize("name", NAMES)
def test_one_model_serves_both_directions(name: str, fit: Any) -> None:
    model, _ = fit(name)
    assert model.directions == (WAY, BACK)
    with pytest.raises(UserError, match="informal to formal"):
        written(model, (WAY[0], WAY[0]))


def test_an_auto_encoder_gives_back_what_it_was_given_either_way(fit: Any) -> None:
    model, _ = fit("auto_encoder")
    assert written(model, WAY) == written(model, BACK)


@pytest.mark.parametrize("name", ["multi_decoder", "style_embedding"])
def test_the_style_changes_what_is_written(name: str, fit: Any) -> None:
    model, _ = fit(name)
    assert written(model, WAY) != written(model, BACK)


@pytest.mark.parametrize("name", NAMES)
def test_tuned_by_the_perplexity_of_texts_given_back_in_their_style(name: str, fit: Any) -> None:
    _, heard = fit(name, tune_every=32)
    curve = heard.curves["perplexity"]
    assert curve[-1] < curve[0]
    assert [one.source for one in heard.seen] == [*SOURCES[:3], *TARGETS[:3]]
    more = {"style loss", "negative style entropy"} if name != "auto_encoder" else set()
    assert heard.scored == {"perplexity": False}, "the losses are no tune score, and less of it is better"
    assert set(heard.curves) == {"loss", "tokens a second", "perplexity", *more}


def test_case_and_numbers_are_lost_and_long_texts_teach_no_word(data: TrainingData, tmp_path: Path) -> None:
    kind = TRANSFERS["auto_encoder"]
    assert issubclass(kind.Options, StyledOptions)
    texts = {"a": ["It has 9 lives .", "seldom " * 21], "b": ["Other 3,000 cats"]}
    words = kind.vocabularies_of(replace(data, texts=texts), kind.Options())  # type: ignore[attr-defined]
    assert set(words.source.words[4:]) == {"it", "has", "<NUM>", "lives", ".", "other", "cats"}
    assert words.shared


@pytest.mark.parametrize("name", NAMES)
def test_longer_texts_than_were_trained_on_are_taken(name: str, fit: Any) -> None:
    model, _ = fit(name)
    (output,) = written(model, WAY, ["she saw a dr " * 30])
    assert output


def test_adadelta_learns_at_its_own_rate_and_not_at_the_printed_one(fit: Any) -> None:
    _, learnt = fit("auto_encoder", optimizer="adadelta", rate=1.0)
    _, printed = fit("auto_encoder", optimizer="adadelta", rate=0.0001)
    assert learnt.curves["loss"][-1] < 0.8 * learnt.curves["loss"][0]
    assert printed.curves["loss"][-1] > 0.99 * printed.curves["loss"][0]


def test_the_papers_values_are_the_defaults() -> None:
    options = StyledOptions()
    assert (options.optimizer, options.rate, options.batch, options.epochs) == ("adadelta", 1.0, 128, 50)
    assert (options.embedding, options.longest, options.lowercase, options.numbers) == (64, 20, True, True)


@pytest.mark.parametrize("styles", [("informal",), ("a", "b", "c")])
def test_texts_of_other_than_two_styles_are_refused(
    styles: tuple[str, ...], data: TrainingData, tmp_path: Path
) -> None:
    kind = TRANSFERS["multi_decoder"]
    with pytest.raises(UserError, match="two styles"):
        kind.fit(replace(data, texts=dict.fromkeys(styles, SOURCES)), small(kind.Options), Callbacks(tmp_path))


def test_without_tune_texts_the_last_weights_are_kept(data: TrainingData, tmp_path: Path) -> None:
    kind = TRANSFERS["style_embedding"]
    model = kind.fit(replace(data, dev_texts={}), small(kind.Options, epochs=2), Callbacks(tmp_path))
    assert isinstance(model, NetworkModel)
    assert isinstance(model.net, Network)
    assert len(written(model, WAY)) == len(SOURCES)
