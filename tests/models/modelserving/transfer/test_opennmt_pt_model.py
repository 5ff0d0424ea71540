"""OpenNMT+PT from texts to texts: what stands for unknown words, where its table comes from, and a kill on the way."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from support.killed_training import kill_training
from support.tiny_pairs import WAY, small, twenty

from modelserving.nets.beam_search import Hypothesis
from modelserving.training import weights
from modelserving.training.callbacks import Callbacks, Stopped
from modelserving.training.dataset import Pairs, TrainingData
from modelserving.training.tokenization import END, UNKNOWN, Vocabularies, Vocabulary, WordTokenizer
from modelserving.transfer import TRANSFERS
from modelserving.transfer.opennmt_pt import FILE, OpenNmtDecoding, OpenNmtOptions, PhraseTableModel

KIND = TRANSFERS["opennmt_pt"]
ROOT = Path(__file__).parents[4]
GOLDEN = json.loads((ROOT / "tests/golden/modelserving/opennmt.json").read_text(encoding="utf-8"))["replacement"]
GIVEN: dict[str, Any] = {"epochs": 3, "hidden": 16, "embedding": 8, "batch": 3, "dropout": 0.3, "keep_every": 2}
ILLS = {
    "dyspnea": "breathlessness", "pyrexia": "fever", "cephalgia": "headache", "pruritus": "itching",
    "epistaxis": "nosebleed", "hypertension": "tension",
}  # fmt: skip
OFTEN = [("she is well .", "she feels fine ."), ("he is well .", "he feels fine .")] * 6


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


class Stopping(Callbacks):
    def __init__(self, folder: Path, calls: int) -> None:
        super().__init__(folder, seed=5)
        folder.mkdir(parents=True, exist_ok=True)
        self.calls = calls

    def at(self, done: int, total: int) -> None:
        self.calls -= 1
        if not self.calls:
            raise Stopped


def fitted(data: TrainingData, folder: Path, **given: Any) -> PhraseTableModel:
    folder.mkdir(parents=True, exist_ok=True)
    model = KIND.fit(data, small(KIND.Options, **(GIVEN | given)), Callbacks(folder, seed=5))
    assert isinstance(model, PhraseTableModel)
    return model


def same(model: PhraseTableModel, other: PhraseTableModel) -> bool:
    ours, others = (weights.tensors_of(one.net) for one in (model, other))
    return ours.keys() == others.keys() and all(torch.equal(ours[key], others[key]) for key in ours)


def ills(folder: Path) -> TrainingData:
    """Pairs whose single words stand thrice on their side, and others whose words stand there more often."""
    sources, targets = zip(*[*ILLS.items()] * 3, *OFTEN, strict=True)
    return TrainingData(*WAY, train=Pairs(sources, targets)).write(folder)


def test_unknown_words_are_replaced_as_by_opennmt() -> None:
    target = Vocabulary(GOLDEN["words"])
    words = Vocabularies(WordTokenizer(), Vocabulary(GOLDEN["source"]), target)
    model = PhraseTableModel(KIND, None, words, OpenNmtOptions(), "cpu")  # type: ignore[arg-type]
    model.phrase_table = GOLDEN["table"]
    ids = [place + END if place else UNKNOWN for place in GOLDEN["predicted"]]  # theirs: 0 is unknown, then words
    hypothesis = Hypothesis(ids, GOLDEN["attended"], 0.0)
    for decoding, theirs in (
        (OpenNmtDecoding(), GOLDEN["looked_up"]),
        (OpenNmtDecoding(phrase_table=False), GOLDEN["copied"]),
        (OpenNmtDecoding(replace_unknown=False), GOLDEN["left"]),
    ):
        assert model._written(hypothesis, GOLDEN["source"], decoding) == " ".join(theirs).split()


def test_the_authors_values_are_the_defaults() -> None:
    options = OpenNmtOptions()
    assert (options.layers, options.hidden, options.embedding, options.dropout) == (2, 500, 500, 0.3)
    assert (options.batch, options.clip, options.words) == (64, 5.0, 50_000)
    assert OpenNmtDecoding().beam == 5


def test_what_the_network_does_not_know_is_written_as_the_pairs_translate_it(tmp_path: Path) -> None:
    learning = {"hidden": 32, "embedding": 16, "dropout": 0.0, "epochs": 20, "rate": 0.01, "least": 4}
    model = fitted(ills(tmp_path / "data"), tmp_path / "run", **learning)
    assert model.phrase_table.items() >= {ill: [said] for ill, said in ILLS.items()}.items()
    assert not (tmp_path / "run" / "phrases").exists(), "what the extraction needed is gone"
    texts = [*ILLS, "zyxitis"]  # a single word, which all attention is on
    assert not set(texts) & set(model.vocabularies.source.words)
    looked_up, copied = (
        [output.split() for output in model.transfer(texts, WAY, small(KIND.Decoding, longest=1, phrase_table=table))]
        for table in (True, False)
    )
    assert looked_up == [*([said] for said in ILLS.values()), ["zyxitis"]]
    assert copied == [[text] for text in texts]


def test_in_lower_case_the_table_is_so_too(tmp_path: Path) -> None:
    rows = [(f"He had {ill.title()} .", f"He had {said.title()} .") for ill, said in ILLS.items() for _ in range(5)]
    sources, targets = zip(*rows, strict=True)
    data = TrainingData(*WAY, train=Pairs(sources, targets)).write(tmp_path / "data")
    model = fitted(data, tmp_path / "run", epochs=1, lowercase=True)
    assert model.phrase_table == {ill: [said] for ill, said in ILLS.items()}


def test_with_subwords_there_is_no_table(tmp_path: Path) -> None:
    model = fitted(ills(tmp_path / "data"), tmp_path / "run", subwords=280, epochs=1)
    assert model.phrase_table == {}
    assert not (tmp_path / "run" / FILE).exists()


def test_the_table_is_kept_with_the_best_state_and_loaded(tmp_path: Path) -> None:
    model = fitted(ills(tmp_path / "data"), tmp_path / "run", epochs=1)
    (tmp_path / "files").mkdir()
    model.save(tmp_path / "files")
    loaded = KIND.load(tmp_path / "files")
    assert isinstance(loaded, PhraseTableModel)
    assert loaded.phrase_table == model.phrase_table != {}


def test_a_training_hears_that_it_is_to_stop_while_its_table_is_made(tmp_path: Path) -> None:
    for calls in (1, 2, 3):  # while pairs are read, words aligned, phrases counted
        with pytest.raises(Stopped):
            KIND.fit(ills(tmp_path / "data"), small(KIND.Options, **GIVEN), Stopping(tmp_path / f"run-{calls}", calls))
        assert not (tmp_path / f"run-{calls}" / FILE).exists()
    data = ills(tmp_path / "data")
    resumed = fitted(data, tmp_path / "run-3")
    whole = fitted(data, tmp_path / "whole")
    assert same(resumed, whole)
    assert resumed.phrase_table == whole.phrase_table


@pytest.mark.soak
@pytest.mark.parametrize(
    "given", [{}, {"accumulate": 2, "smoothing": 0.1, "average": 2, "optimizer": "sgd"}, {"precision": "bfloat16"}]
)
def test_killed_on_the_way_it_ends_as_if_nothing_had_happened(tmp_path: Path, given: dict[str, Any]) -> None:
    run = kill_training("opennmt_pt", tmp_path, GIVEN | given, at=11)
    data = twenty(tmp_path / "again")
    resumed, whole = fitted(data, run, **given), fitted(data, tmp_path / "whole", **given)
    assert same(resumed, whole)
    assert resumed.phrase_table == whole.phrase_table


@pytest.mark.parametrize(("preset", "bound", "embeddings"), [("", 0.1, 0.1 / 3**0.5), ("small", 0.2, 1.0)])
def test_weights_begin_as_the_options_say(preset: str, bound: float, embeddings: float) -> None:
    """OpenNMT's param_init; with the preset `small`, sums over its 128 states are as wide as over OpenNMT's 500."""
    words = Vocabularies(WordTokenizer(), Vocabulary(list("abcdefgh")), Vocabulary(list("abcdefgh")))
    torch.manual_seed(1)
    net = KIND.build(words, KIND.choose_options({"hidden": 128, "embedding": 128}, preset))  # type: ignore[attr-defined]
    for name, weight in net.state_dict().items():
        if name.startswith("embed"):
            assert float(weight.std()) == pytest.approx(embeddings, rel=0.1), name
        else:
            assert 0.9 * bound < float(weight.abs().max()) <= bound, name
    assert KIND.choose_options({}, "small").init == pytest.approx(0.1 * (500 / 128) ** 0.5, abs=0.005)  # type: ignore[attr-defined]
