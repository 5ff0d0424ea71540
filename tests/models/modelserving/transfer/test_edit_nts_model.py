"""EditNTS from texts to texts: what it keeps, the paper's settings, its tagger and vectors, and a kill on the way."""

from pathlib import Path
from typing import Any

import pytest
import torch
from support.killed_training import kill_training
from support.tiny_pairs import SOURCES, TARGETS, WAY, small, twenty
from support.tiny_tagger import make_tagger

from foundation.errors import UserError
from foundation.options import validate_options
from modelserving import edit_operations
from modelserving.edit_operations import delete_id, keep_id
from modelserving.nets.beam_search import Hypothesis
from modelserving.nets.edit_programmer import EditProgrammer
from modelserving.neural_transfer.model import NetworkModel
from modelserving.run_context import RunContext
from modelserving.training import weights
from modelserving.training.callbacks import Callbacks, Sample
from modelserving.training.dataset import Pairs, TrainingData
from modelserving.transfer import TRANSFERS
from modelserving.transfer.edit_nts import EditDecoding, EditOptions

KIND = TRANSFERS["edit_nts"]
GIVEN: dict[str, Any] = {"epochs": 3, "hidden": 16, "embedding": 8, "batch": 3, "dropout": 0.3, "keep_every": 2}


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    monkeypatch.setenv("RESTYLE_MODELS", str(folder))
    return folder


class Heard(Callbacks):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder, seed=5)
        folder.mkdir(parents=True, exist_ok=True)
        self.curves: dict[str, list[float]] = {}
        self.seen: list[Sample] = []

    def point(self, curve: str, step: int, value: float) -> None:
        self.curves.setdefault(curve, []).append(value)

    def samples(self, step: int, samples: Any) -> None:
        self.seen = list(samples)


def fitted(data: TrainingData, folder: Path, heard: Heard | None = None, **given: Any) -> NetworkModel:
    model = KIND.fit(data, small(KIND.Options, **(GIVEN | given)), heard or Heard(folder / "run"))
    assert isinstance(model, NetworkModel)
    return model


def same(model: NetworkModel, other: NetworkModel) -> bool:
    ours, others = (weights.tensors_of(one.net) for one in (model, other))
    return ours.keys() == others.keys() and all(torch.equal(ours[key], others[key]) for key in ours)


def test_the_papers_values_are_the_defaults() -> None:
    options = EditOptions()
    assert (options.hidden, options.embedding, options.tags, options.words) == (200, 100, 30, 30_000)
    assert (options.dropout, options.optimizer, options.rate, options.clip, options.batch) == (0.3, "adam", 1e-3, 1, 64)
    assert (options.balance, options.identical, options.lowercase) == (True, False, True)
    assert EditDecoding().beam == 1


def test_what_is_kept_is_kept_as_it_is_written_known_or_not(tmp_path: Path) -> None:
    model = fitted(twenty(tmp_path / "data"), tmp_path, lowercase=False)
    known = len(model.vocabularies.target)
    (town,) = model.vocabularies.target.ids(["town"])
    source = ["Zyx", "saw", "Ünbekannt", "!"]
    written = {
        (): source,
        (keep_id(known), delete_id(known), town): ["Zyx", "town", "Ünbekannt", "!"],
        (*[keep_id(known)] * 4, town): [*source, "town"],
        (delete_id(known),) * 4: [],
    }
    for labels, words in written.items():
        assert model._written(Hypothesis(list(labels), [], 0.0), source, EditDecoding()) == words


def test_a_text_may_have_an_edit_for_each_word_and_as_many_more_as_the_limit(tmp_path: Path) -> None:
    assert EditDecoding().limit(5) == 5 + 20
    assert EditDecoding(longest=12).limit(2000) == 2012
    model = fitted(twenty(tmp_path / "data"), tmp_path)
    (output,) = model.transfer(["she saw a dr " * 300], WAY, EditDecoding())
    assert len(output.split()) <= 1200 + 1400


def test_kept_and_added_runs_are_none_to_avoid() -> None:
    with pytest.raises(UserError, match=r"^no_repeat"):
        validate_options(EditDecoding, {"no_repeat": 3})


@pytest.mark.parametrize("name", ["vectors", "tagger"])
def test_what_is_of_whole_words_goes_not_with_subwords(name: str) -> None:
    with pytest.raises(UserError, match=f"^{name}: "):
        validate_options(EditOptions, {name: "a file", "subwords": 100})


def test_it_is_tuned_by_the_perplexity_of_edits(tmp_path: Path) -> None:
    heard = Heard(tmp_path / "run")
    fitted(twenty(tmp_path / "data"), tmp_path, heard, tune_by="perplexity", tune_every=7, epochs=9)
    curve = heard.curves["perplexity"]
    assert curve[-1] < 0.7 * curve[0]
    assert [one.source for one in heard.seen] == SOURCES[:5]


@pytest.mark.soak
@pytest.mark.parametrize("given", [
    {}, {"accumulate": 2, "smoothing": 0.1, "average": 2, "balance": False}, {"precision": "bfloat16"},
])  # fmt: skip
def test_killed_on_the_way_it_ends_as_if_nothing_had_happened(tmp_path: Path, given: dict[str, Any]) -> None:
    kill_training("edit_nts", tmp_path, GIVEN | given, at=11)
    data = twenty(tmp_path / "again")
    resumed = fitted(data, tmp_path, **given)
    assert same(resumed, fitted(data, tmp_path / "whole", Heard(tmp_path / "whole"), **given))


def test_a_model_with_a_tagger_learns_and_is_loaded_where_the_tagger_is_not(models: Path, tmp_path: Path) -> None:
    make_tagger(models / "tagger")
    options = {"tagger": "tagger", "tags": 4, "dropout": 0.0, "hidden": 64, "embedding": 32, "batch": 5, "epochs": 60}
    model = fitted(twenty(tmp_path / "data"), tmp_path, lowercase=False, **options)
    assert list(model.transfer(SOURCES, WAY, EditDecoding())) == TARGETS
    assert isinstance(model.net, EditProgrammer)
    assert model.net.embed_tag is not None
    assert model.net.embed_tag.weight.shape[1] == 4
    folder = tmp_path / "files"
    folder.mkdir()
    model.save(folder)
    for path in (models / "tagger").iterdir():
        path.unlink()
    loaded = KIND.load(folder)
    texts = [*SOURCES, "", "Zyx well-known 1984 ?"]
    assert list(loaded.transfer(texts, WAY, EditDecoding())) == list(model.transfer(texts, WAY, EditDecoding()))
    (folder / edit_operations.FILE).unlink()
    with pytest.raises(UserError, match=edit_operations.FILE):
        KIND.load(folder)


def test_parts_of_speech_change_what_is_read(models: Path, tmp_path: Path) -> None:
    make_tagger(models / "tagger")
    model = fitted(twenty(tmp_path / "data"), tmp_path, tagger="tagger", epochs=1)
    batch = KIND.source_batch(model, [["she", "saw"]], WAY)  # type: ignore[attr-defined]
    before = model.net.start(batch).memory["values"].clone()
    batch.tags[0, 0] = 5 if batch.tags[0, 0] != 5 else 6
    assert not torch.equal(model.net.start(batch).memory["values"], before)


def test_embeddings_begin_with_the_vectors_of_a_file_and_the_output_as_their_copy(models: Path, tmp_path: Path) -> None:
    vectors = {"she": [1.0, 2.0, 3.0, 4.0], "doctor": [0.5, 0.25, 0.125, 0.0]}
    (models / "glove.txt").write_text("".join(f"{word} {' '.join(map(str, row))}\n" for word, row in vectors.items()))
    data = twenty(tmp_path / "data")
    options = small(KIND.Options, **{**GIVEN, "embedding": 4, "vectors": "glove.txt"})
    words = KIND.vocabularies_of(data, options)  # type: ignore[attr-defined]
    net = KIND.build(words, options)  # type: ignore[attr-defined]
    KIND.initialize(net, words, options)  # type: ignore[attr-defined]
    for word, row in vectors.items():
        (place,) = words.source.ids([word])
        assert net.embed.weight[place].tolist() == row
    assert torch.equal(net.output.weight, net.embed.weight)
    with pytest.raises(UserError, match=r"^vectors: The vectors have 4 numbers: embedding must be 4 too"):
        fitted(data, tmp_path, vectors="glove.txt")


def test_a_tune_set_of_equal_pairs_still_has_a_perplexity(tmp_path: Path) -> None:
    data = twenty(tmp_path / "data")
    model = fitted(data, tmp_path, epochs=1)
    equal = TrainingData(*WAY, train=Pairs(SOURCES, TARGETS), dev=type(data.dev)(SOURCES, [SOURCES]))
    options = small(KIND.Options, **GIVEN, tune_by="perplexity")
    validation = KIND.validation(model, equal, options, Heard(tmp_path / "other"))  # type: ignore[attr-defined]
    assert validation is not None
    assert validation.score(RunContext())[0] >= 1
