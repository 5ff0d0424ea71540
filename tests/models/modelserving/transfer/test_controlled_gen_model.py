"""Controlled generation from texts to texts: tuned by all its losses, killed and resumed, with options that fit."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from support.killed_training import kill_training
from support.tiny_pairs import SOURCES, TARGETS, WAY, small, twenty

from foundation.errors import UserError
from foundation.options import validate_options
from modelserving.neural_transfer.model import NetworkModel
from modelserving.training import weights
from modelserving.training.callbacks import Callbacks
from modelserving.training.concept_definitions import definition_words
from modelserving.training.dataset import TrainingData
from modelserving.training.process_group import ProcessGroup
from modelserving.training.recipe import BeamSearchOptions
from modelserving.training.tokenization import END, PAD, WordTokenizer
from modelserving.transfer import TRANSFERS

KIND = TRANSFERS["controlled_gen"]
ATTENDING = {"base": "attention", "samples": "texts", "noise": True, "generated": 0.0, "content": 32, "hidden": 48}
QUICK: dict[str, Any] = {"rate": 0.01, "epochs": 6, "pretraining": 3, "kl_warmup": 10, "content": 32, "hidden": 32}
GREEDY = BeamSearchOptions(beam=1)


class Heard(Callbacks):
    """Keeps the curves."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, seed=5)
        self.curves: dict[str, list[float]] = {}

    def point(self, curve: str, step: int, value: float) -> None:
        self.curves.setdefault(curve, []).append(value)


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> Iterator[None]:
    """As many as the process that is killed has: sums are in the same order."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> TrainingData:
    return twenty(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def fit(data: TrainingData, tmp_path_factory: pytest.TempPathFactory) -> Any:
    @cache
    def fitted(**given: Any) -> tuple[NetworkModel, Heard]:
        heard = Heard(tmp_path_factory.mktemp("controlled"))
        model = KIND.fit(data, small(KIND.Options, **{**QUICK, **given}), heard)
        assert isinstance(model, NetworkModel)
        return model, heard

    return fitted


def test_an_auto_encoder_that_attends_gives_texts_back_and_moves_them(fit: Any) -> None:
    model, heard = fit(**ATTENDING, epochs=28, pretraining=14)
    for texts, direction in ((SOURCES, WAY[::-1]), (TARGETS, WAY)):
        words = [model.vocabularies.tokenizer.tokenize(text) for text in texts]
        assert model.rewrite(words, direction, GREEDY) == words
    moved = list(model.transfer(SOURCES, WAY, GREEDY))
    ended = sum(text.endswith(".") for text in moved)  # as all texts of that style do, and none of the other
    assert ended > 0.7 * len(moved), moved  # how many, the rounding of the processor decides
    assert heard.curves["style loss of samples"][-1] < 0.1


def test_losses_begin_when_their_time_has_come(fit: Any) -> None:
    _, heard = fit(tune_every=0)
    often = {name: len(values) for name, values in heard.curves.items()}
    assert often["loss"] == often["KL"] == often["style loss"] == 7, "each epoch of 8 batches, and the twentieth"
    late = ("style loss of samples", "content loss of samples", "style loss of drawn texts")
    assert [often[name] for name in late] == [3, 3, 3]


def test_tune_texts_are_scored_by_all_losses_together(fit: Any, data: TrainingData, tmp_path: Path) -> None:
    """Tune texts are the train texts here. The model that is left is the one of the lowest score."""
    model, heard = fit(**ATTENDING, epochs=3, pretraining=1, attribute=0.4, tune_every=0)
    batches = model.kind.batches(data, model.vocabularies, model.options, Callbacks(tmp_path, seed=5), ProcessGroup())
    words, style = [], []
    for rows in batches.order(0):
        with torch.no_grad():
            lost, judged = model.net.losses(batches.batch(rows))
        words.append((lost.total.item(), lost.count))
        style.append((judged.total.item(), judged.count))
        assert judged.weight == 0.4
    means = [sum(total for total, _ in each) / sum(count for _, count in each) for each in (words, style)]
    assert min(heard.curves["objective"]) == pytest.approx(means[0] + 0.4 * means[1], rel=1e-4)
    assert sum(count for _, count in style) == 40


@pytest.mark.soak
@pytest.mark.parametrize("base", [{}, ATTENDING], ids=["vae", "attention"])
def test_a_training_that_is_killed_ends_as_one_that_was_left_alone(
    base: dict[str, Any], fit: Any, tmp_path: Path
) -> None:
    options = {**QUICK, **base, "keep_every": 34, "dropout": 0.3}
    # In the fifth epoch, when all losses count, three batches after what was kept last.
    run = kill_training("controlled_gen", tmp_path, options, at=37)
    resumed = KIND.fit(twenty(tmp_path / "data"), small(KIND.Options, **options), Heard(run))
    whole, _ = fit(**{**base, "keep_every": 34, "dropout": 0.3})
    assert isinstance(resumed, NetworkModel)
    for name, tensor in whole.net.state_dict().items():
        assert torch.equal(resumed.net.state_dict()[name], tensor), name


def test_it_writes_what_it_wrote_when_it_was_trained_with_word_vectors(
    data: TrainingData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    (tmp_path / "vectors.txt").write_text("song " + " ".join(["0.25"] * 32) + "\n")
    given = {**QUICK, "vectors": "vectors.txt", "rate": 1e-8, "epochs": 1}
    model = KIND.fit(data, small(KIND.Options, **given), Callbacks(tmp_path / "run"))
    assert isinstance(model, NetworkModel)
    row = model.vocabularies.source.ids(["song"])[0]
    torch.testing.assert_close(model.net.get_parameter("generator.embed.weight")[row], torch.full((32,), 0.25))
    model.save(tmp_path / "run")
    assert weights.read(tmp_path / "run" / weights.FILE).keys() == model.net.state_dict().keys()


LEXICON = """\
L1\tDISO\tpizza|pizzas\tflat bread with cheese
L2\tPROC\tsaw a dr\tcare by a person who heals
"""


@pytest.fixture
def lexicon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "concepts.tsv"
    path.write_text(LEXICON)
    monkeypatch.setenv("RESTYLE_CONCEPTS", str(path))
    return path


def test_definitions_are_read_beside_a_text_trained_on_or_rewritten(
    lexicon: Path, data: TrainingData, tmp_path: Path
) -> None:
    given = {**QUICK, **ATTENDING, "definitions": True, "knowledge": 8, "definition_words": 7, "epochs": 4}
    model = KIND.fit(data, small(KIND.Options, **given), Callbacks(tmp_path / "run", seed=5))
    assert isinstance(model, NetworkModel)
    known = model.vocabularies.source
    assert {"cheese", "heals"} <= set(known.words), "words that stand in definitions alone"
    kind = model.kind
    batches = kind.batches(data, model.vocabularies, model.options, Callbacks(tmp_path / "run"), ProcessGroup())
    texts = [*SOURCES, *TARGETS]
    for rows in batches.order(0):
        batch = batches.batch(rows)
        for row, ids, length in zip(rows, batch.definitions.tolist(), batch.definition_lengths.tolist(), strict=True):
            wanted = "flat bread with cheese" if "pizza" in texts[row] else ""
            wanted = "care by a person who heals" if "saw a dr" in texts[row] else wanted
            assert [known.words[one] for one in ids[: length - 1]] == wanted.split()
            assert (ids[length - 1], set(ids[length:])) in ((END, set()), (END, {PAD}))
    one = kind.source_batch(model, [["she", "saw", "a", "dr"], ["she"]], WAY)
    assert one.definition_lengths.tolist() == [7, 1]
    before, signed = list(model.transfer(SOURCES, WAY, GREEDY)), model.signature(WAY, GREEDY)
    model.save(tmp_path / "run")
    loaded = KIND.load(tmp_path / "run")
    assert list(loaded.transfer(SOURCES, WAY, GREEDY)) == before
    assert loaded.signature(WAY, GREEDY) == signed
    assert "|concepts:" in signed
    lexicon.write_text(LEXICON + "L3\tDISO\tsong\tnoise\n")
    assert loaded.signature(WAY, GREEDY) != signed, "other definitions may give other texts"


def test_a_texts_definitions_stand_once_and_in_its_order(lexicon: Path) -> None:
    tokenizer = WordTokenizer(lowercase=True)
    words = ["she", "saw", "a", "dr", ".", "pizza", "or", "pizzas"]
    every = ["care", "by", "a", "person", "who", "heals", "flat", "bread", "with", "cheese"]
    assert definition_words(words, tokenizer, 100) == every
    assert definition_words(words, tokenizer, 8) == every[:8]
    assert definition_words([], tokenizer, 8) == []


@pytest.mark.parametrize(("given", "where"), [
    ({"base": "attention"}, "samples"),
    ({"base": "attention", "samples": "texts", "hidden": 100}, "content"),
    ({"vectors": "v.txt", "subwords": 100}, "vectors"),
    ({"tune_by": "bleu"}, "tune_by"),
])  # fmt: skip
def test_options_that_do_not_fit_are_a_sentence(given: dict[str, object], where: str) -> None:
    with pytest.raises(UserError) as refused:
        validate_options(KIND.Options, given)
    assert refused.value.where == where


def test_the_presets_are_the_published_values() -> None:
    """Texar's config.py, and what section 4.2 of MSD's paper says of its training."""
    texar, msd = (KIND.choose_options({}, name) for name in ("texar", "msd"))
    assert (texar.embedding, texar.hidden, texar.style, texar.content) == (100, 700, 200, 500)
    assert (texar.batch, texar.rate, texar.dropout, texar.filters) == (64, 0.0005, 0.5, 128)
    assert (texar.epochs, texar.pretraining, texar.attribute, texar.cooling) == (12, 10, 0.1, 0.5)
    assert texar.clip == 0
    assert (msd.optimizer, msd.batch, msd.longest, msd.embedding) == ("adam", 32, 100, 300)
    assert (msd.rate, msd.dropout, msd.base) == (0.001, 0.5, "attention")
    assert replace(KIND.choose_options({}, "msd_definitions"), definitions=False) == msd
