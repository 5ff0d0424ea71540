"""BERT-MT from texts to texts: the paper's settings, marked terms, long and unknown texts, and a kill on the way."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from support import tiny_transformers
from support.killed_training import kill_training
from support.tiny_pairs import SOURCES, TARGETS, WAY, small, twenty

from foundation.errors import UserError
from modelserving.neural_transfer.model import NetworkModel
from modelserving.pretrained import folder_list
from modelserving.run_context import RunContext
from modelserving.training import weights
from modelserving.training.callbacks import Callbacks, Sample
from modelserving.training.checkpoint import Manifest, pack
from modelserving.training.dataset import DevSet, Pairs, TrainingData
from modelserving.transfer import TRANSFERS
from modelserving.transfer.bert_mt import BertMt, BertMtDecoding, BertMtOptions

GIVEN: dict[str, Any] = {
    "folder": "bert", "epochs": 3, "batch": 3, "rate": 0.003, "warmup": 4, "keep_every": 2, "dropout": 0.3,
    "tune_every": 0,
}  # fmt: skip
LEARNT = {"epochs": 60, "batch": 5, "schedule": "constant", "dropout": 0.0, "warmup": 0, "tune_every": 10_000}
STILL = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that RESTYLE_MODELS names, with a tiny BERT that has dropout."""
    folder = tmp_path / "models"
    folder.mkdir()
    monkeypatch.setenv("RESTYLE_MODELS", str(folder))
    tiny_transformers.make("bert", folder / "bert")
    return folder


def kind() -> BertMt:
    found = TRANSFERS["bert_mt"]
    assert isinstance(found, BertMt)
    return found


class Heard(Callbacks):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder, seed=5)
        folder.mkdir(parents=True, exist_ok=True)
        self.curves: dict[str, list[float]] = {}
        self.lines: list[str] = []
        self.seen: list[Sample] = []

    def point(self, curve: str, step: int, value: float) -> None:
        self.curves.setdefault(curve, []).append(value)

    def say(self, line: str) -> None:
        self.lines.append(line)

    def samples(self, step: int, samples: Any) -> None:
        self.seen = list(samples)


def fitted(data: TrainingData, heard: Heard, **given: Any) -> NetworkModel:
    model = kind().fit(data, small(kind().Options, **(GIVEN | given)), heard)
    assert isinstance(model, NetworkModel)
    return model


def same(model: NetworkModel, other: NetworkModel) -> bool:
    ours, others = (weights.tensors_of(one.net) for one in (model, other))
    return ours.keys() == others.keys() and all(torch.equal(ours[key], others[key]) for key in ours)


def test_the_papers_values_and_its_authors_programs_are_the_defaults() -> None:
    options = BertMtOptions()
    assert (options.optimizer, options.rate, options.tune_by, options.batch) == ("adamw", 5e-5, "bleu", 30)
    assert (options.schedule, options.epochs, options.decay, options.clip) == ("linear", 30, 0.01, 0.0)
    assert (options.longest, options.dropout, options.marked) == (64, 0.2, True)
    share = options.warmup / (12_801 / options.batch * options.epochs)  # MedLane's training pairs
    assert share == pytest.approx(0.03, abs=0.002)
    assert BertMtDecoding().beam == 1


def test_it_begins_with_the_folders_weights_and_a_decoder_as_wide(models: Path) -> None:
    from transformers import BertModel

    options = BertMtOptions(folder="bert")
    words = kind().vocabularies_of(TrainingData(*WAY, train=Pairs(SOURCES, TARGETS)), options)
    net = kind().build(words, options)
    kind().initialize(net, words, options)
    own = dict(BertModel.from_pretrained(models / "bert").named_parameters())
    read = dict(net.encoder.named_parameters())
    assert all(torch.equal(one, own[name]) for name, one in read.items())
    assert set(own) - set(read) == {"pooler.dense.weight", "pooler.dense.bias"}
    assert (net.lstm.hidden_size, net.embed.embedding_dim, net.output.in_features) == (32, 32, 64)


@pytest.mark.soak
@pytest.mark.parametrize("given", [
    {}, {"accumulate": 2, "smoothing": 0.1, "average": 2}, {"precision": "bfloat16"},
])  # fmt: skip
def test_killed_on_the_way_it_ends_as_if_nothing_had_happened_and_without_its_folder(
    tmp_path: Path, models: Path, given: dict[str, Any]
) -> None:
    run = kill_training("bert_mt", tmp_path, GIVEN | given, at=11)
    data = twenty(tmp_path / "again")
    whole = fitted(data, Heard(tmp_path / "whole"), **given)
    shutil.rmtree(models / "bert")
    resumed = fitted(data, Heard(run), **given)
    assert same(resumed, whole)
    assert resumed.signature(WAY, BertMtDecoding()) == whole.signature(WAY, BertMtDecoding())


def marked_data() -> TrainingData:
    """Sources with 'pt', whose rewrites mark the full form as MedLane's files do: 'pt[the patient] ...'."""
    sources = [text for text in SOURCES if text.startswith("pt")]
    plain = [text.replace("The patient", "the patient") for text in TARGETS if text.startswith("The patient")]
    marked = [text.replace("the patient", "pt[the patient]") for text in plain]
    return TrainingData(*WAY, train=Pairs(sources, plain, marked), dev=DevSet(sources, [plain], [marked]))


def test_marked_terms_are_learnt_and_their_brackets_taken_off(tmp_path: Path, models: Path) -> None:
    data = marked_data()
    texts = [*data.train.targets, *data.train.marked, *SOURCES]
    tiny_transformers.make("bert", models / "ours", tuple(texts), **STILL)
    model = fitted(data, Heard(tmp_path / "run"), **LEARNT, folder="ours")
    words = [model.vocabularies.tokenizer.tokenize(text) for text in data.train.sources]
    assert all(text[:4] == ["[", "the", "patient", "]"] for text in model.rewrite(words, WAY, BertMtDecoding()))
    assert list(model.transfer(data.train.sources, WAY, BertMtDecoding())) == data.train.targets
    plain = fitted(data, Heard(tmp_path / "plain"), **LEARNT, folder="ours", marked=False)
    assert list(plain.transfer(data.train.sources, WAY, BertMtDecoding())) == data.train.targets
    assert all("[" not in text for text in plain.rewrite(words, WAY, BertMtDecoding()))


def test_its_perplexity_is_of_references_as_it_is_taught_to_write_them(tmp_path: Path, models: Path) -> None:
    data = marked_data()
    tiny_transformers.make("bert", models / "ours", (*data.train.targets, *data.train.marked, *SOURCES), **STILL)
    heard = Heard(tmp_path / "run")
    model = fitted(data, heard, **(LEARNT | {"tune_every": 20}), folder="ours", tune_by="perplexity")
    plain = replace(model.options, marked=False)
    without = kind().validation(model, data, plain, Heard(tmp_path / "plain"))
    assert without is not None
    assert heard.curves["perplexity"][-1] < 1.5 < 2 < without.score(RunContext())[0]


def test_a_source_longer_than_the_encoder_reads_is_left_out_and_rewritten_as_far_as_it_is_read(
    tmp_path: Path, models: Path
) -> None:
    data = TrainingData(*WAY, train=Pairs([*SOURCES, "she " * 127], [*TARGETS, "She."]))
    heard = Heard(tmp_path / "run")
    model = fitted(data, heard, longest=1000, epochs=1)
    assert "20 pairs; 1 left out that are empty or longer than 126 words." in heard.lines
    kept, cut = model.transfer(["she luv " * 63, "she luv " * 63 + "pizza " * 900], WAY, BertMtDecoding())
    assert kept == cut


def test_what_has_no_piece_is_copied_from_where_it_attends(tmp_path: Path, models: Path) -> None:
    sources, targets = [f"{one} saw 🙂" for one in ("she", "pt")], [f"{one} saw 🙂" for one in ("She", "Patient")]
    tiny_transformers.make("bert", models / "ours", ("she pt saw She Patient",), **STILL)
    data = TrainingData(*WAY, train=Pairs(sources * 5, targets * 5))
    model = fitted(data, Heard(tmp_path / "run"), **(LEARNT | {"epochs": 40}), folder="ours")
    assert list(model.transfer(["she saw 🍕", "pt saw 🚀"], WAY, BertMtDecoding())) == ["She saw 🍕", "Patient saw 🚀"]


def test_it_starts_from_a_checkpoint_without_the_encoders_folder(tmp_path: Path, models: Path) -> None:
    data = twenty(tmp_path / "data")
    first = fitted(data, Heard(tmp_path / "run"))
    files = tmp_path / "files"
    files.mkdir()
    first.save(files)
    pack(files, Manifest("bert_mt", directions=(WAY,)), models / "first.zip")
    shutil.rmtree(models / "bert")
    heard = Heard(tmp_path / "further")
    further = fitted(data, heard, start_from="first.zip", epochs=1)
    assert not same(first, further)
    assert further.signature(WAY, BertMtDecoding()) == first.signature(WAY, BertMtDecoding())


def test_it_is_scored_by_bleu_on_the_tune_set(tmp_path: Path) -> None:
    data = twenty(tmp_path / "data")
    heard = Heard(tmp_path / "run")
    model = fitted(data, heard, **(LEARNT | {"tune_every": 0, "epochs": 2}))
    validation = kind().validation(model, data, model.options, Heard(tmp_path / "other"))
    assert validation is not None
    assert validation.higher_is_better
    assert max(heard.curves["bleu"]) == pytest.approx(validation.score(RunContext())[0])  # the best state is kept
    assert [one.source for one in heard.seen] == SOURCES[:5]


BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "away": (shutil.rmtree, "There is no pretrained model 'bert' below RESTYLE_MODELS"),
    "another": (lambda folder: tiny_transformers.make("t5", folder), "architecture is 't5'; this takes bert"),
    "pickled": (lambda folder: (folder / "model.safetensors").rename(folder / "pytorch_model.bin"), "pickled"),
    "padding": (lambda folder: _write(folder / "config.json", '"pad_token_id": 0', '"pad_token_id": 70000'),
                "pad_token_id"),
    "no ends": (lambda folder: _without_ends(folder / "tokenizer.json"), "no special token at the begin"),
}  # fmt: skip


def _without_ends(path: Path) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), "post_processor": None}))


def _write(path: Path, old: str, new: str) -> None:
    whole = path.read_text(encoding="utf-8")
    assert old in whole
    path.write_text(whole.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize("name", BROKEN)
def test_a_folder_that_is_not_right_is_a_sentence(name: str, models: Path, tmp_path: Path) -> None:
    change, sentence = BROKEN[name]
    change(models / "bert")
    with pytest.raises(UserError, match=sentence) as told:
        fitted(twenty(tmp_path / "data"), Heard(tmp_path / "run"))
    assert str(told.value).startswith("folder")


def test_one_that_does_not_fit_into_memory_is_refused_before_it_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, content in {"memory.max": "1000000", "memory.current": "900000"}.items():
        (tmp_path / name).write_text(content)
    monkeypatch.setattr(folder_list, "GROUP", tmp_path)
    with pytest.raises(UserError, match=r"^folder: The model of .* needs about .* are free on this machine"):
        fitted(twenty(tmp_path / "data"), Heard(tmp_path / "run"))


def test_what_it_needs_is_told_before_a_training_is_queued(models: Path) -> None:
    options = BertMtOptions(folder="bert", longest=2000)
    assert kind().why_unavailable() == ""
    kind().check_options({"folder": "bert"})
    with pytest.raises(UserError, match=r"^folder: There is no pretrained model 'none'"):
        kind().check_options({"folder": "none"})
    limit = kind().length_limit(options)
    assert limit is not None
    assert (limit.source, limit.unit, list(limit.lengths(["pt saw a dr", ""]))) == (126, "tokens", [4, 0])
    assert kind().length_limit(replace(options, folder="none")) is None
    shutil.rmtree(models / "bert")
    assert (
        "needs a pretrained model below RESTYLE_MODELS, of one of these architectures: bert,"
        in kind().why_unavailable()
    )


def test_a_checkpoint_whose_configuration_was_changed_is_refused(tmp_path: Path) -> None:
    model = fitted(twenty(tmp_path / "data"), Heard(tmp_path / "run"), epochs=1)
    files = tmp_path / "files"
    files.mkdir()
    model.save(files)
    assert {path.name for path in files.iterdir()} == {
        "config.json", "model.json", "tokenizer.json", "weights.safetensors"
    }  # fmt: skip
    _write(files / "config.json", '"intermediate_size": 64', '"intermediate_size": 32')
    with pytest.raises(UserError, match=r"encoder.* is 64 where the network's is 32"):
        kind().load(files)


def test_each_target_may_be_a_pair_of_itself_too(tmp_path: Path) -> None:
    heard = Heard(tmp_path / "run")
    fitted(twenty(tmp_path / "data"), heard, epochs=1, tune_every=10_000, copied_targets=1)
    assert any(line.startswith("40 pairs") for line in heard.lines), heard.lines
