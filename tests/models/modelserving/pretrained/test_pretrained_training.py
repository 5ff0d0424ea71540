"""Pretrained models are trained as transformers' own loss says, and go on as if nothing had happened."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from support.tiny_pairs import SOURCES, TARGETS, WAY

from foundation.errors import UserError
from foundation.options import validate_options
from modelserving.pretrained import trainer as pretrained_trainer
from modelserving.pretrained.options import PretrainedOptions
from modelserving.training.callbacks import Callbacks, Sample, Stopped
from modelserving.training.dataset import DevSet, Pairs, TrainingData
from modelserving.transfer import TRANSFERS

pytestmark = pytest.mark.slow

KINDS = {"t5": "t5", "bart": "bart", "pegasus": "pegasus"}
OTHERS = [pytest.param(kind, marks=pytest.mark.soak) for kind in KINDS if kind != "t5"]
QUICK: dict[str, Any] = {
    "rate": 0.003, "batch": 3, "accumulate": 2, "epochs": 3, "warmup": 2, "tune_by": "loss", "smoothing": 0.1,
    "decay": 0.01, "keep_every": 3, "patience": 0, "read": 64,
    "write": 24,
}  # fmt: skip


class Told(Callbacks):
    """Keeps what it is told, and stops at given calls of `at`."""

    def __init__(self, folder: Path, stops: frozenset[int] = frozenset(), seed: int = 5) -> None:
        super().__init__(folder, seed)
        self.stops, self.calls = stops, 0
        self.curves: dict[str, dict[int, float]] = {}
        self.lines: list[str] = []
        self.steps: list[tuple[int, int]] = []
        self.looks: list[list[Sample]] = []
        self.by_cudnn: set[bool] = set()

    def at(self, done: int, total: int) -> None:
        self.calls += 1
        self.steps.append((done, total))
        if self.calls in self.stops:
            raise Stopped

    def say(self, line: str) -> None:
        self.lines.append(line)

    def point(self, curve: str, step: int, value: float) -> None:
        self.curves.setdefault(curve, {})[step] = value
        if curve == "loss":
            self.by_cudnn.add(torch.backends.cuda.cudnn_sdp_enabled())

    def samples(self, step: int, samples: Any) -> None:
        self.looks.append(list(samples))


def options(kind: str, **given: Any) -> PretrainedOptions:
    chosen: PretrainedOptions = validate_options(TRANSFERS[kind].Options, {**QUICK, "folder": KINDS[kind], **given})
    return chosen


def kept(folder: Path) -> dict[str, torch.Tensor]:
    """Weights and optimizer of the last state, and the weights of the best."""
    files = ("last/weights.safetensors", "last/optimizer.safetensors", "best/weights.safetensors")
    return {f"{name}:{key}": value for name in files for key, value in load_file(folder / name).items()}


@pytest.mark.parametrize("kind", ["t5", *OTHERS])
def test_a_training_that_is_stopped_ends_bit_for_bit_as_one_that_was_left_alone(
    kind: str, made: Callable[..., Path], data: TrainingData, tmp_path: Path
) -> None:
    """Stopped within an update, at an epoch's end, and while the tune set is scored; dropout is on."""
    made(KINDS[kind])
    whole = Told(tmp_path / "whole")
    TRANSFERS[kind].fit(data, options(kind), whole)
    assert whole.steps[-1][1] == 12  # 20 pairs in batches of 3 are 7 batches, and 4 updates, of an epoch
    for calls in (3, 4, 12, 2, 9, 10_000):  # within an update, while the tune set is scored, at an end of an epoch
        parts = Told(tmp_path / "parts", frozenset({calls}))
        with suppress(Stopped):
            TRANSFERS[kind].fit(data, options(kind), parts)
    assert parts.calls < 10_000
    first, second = kept(tmp_path / "whole"), kept(tmp_path / "parts")
    assert first.keys() == second.keys()
    assert all(torch.equal(first[name], second[name]) for name in first)
    for name in ("position.json", "scheduler.json"):
        assert (tmp_path / "whole/last" / name).read_text() == (tmp_path / "parts/last" / name).read_text()


def test_curves_go_on_as_they_would_have(made: Callable[..., Path], data: TrainingData, tmp_path: Path) -> None:
    made("t5")
    whole, first, second = (Told(tmp_path / name) for name in ("whole", "parts", "parts"))
    TRANSFERS["t5"].fit(data, options("t5", tune_by="bleu"), whole)
    first.stops = frozenset({8})
    with pytest.raises(Stopped):
        TRANSFERS["t5"].fit(data, options("t5", tune_by="bleu"), first)
    TRANSFERS["t5"].fit(data, options("t5", tune_by="bleu"), second)
    for name in ("loss", "learning rate", "bleu"):
        assert {**first.curves.get(name, {}), **second.curves[name]} == whole.curves[name]
    assert whole.looks[-1] == second.looks[-1]
    assert whole.by_cudnn == {False}, "whose gradients of attention are no numbers at some lengths on an H100"
    assert len(whole.looks[0]) == 5
    updates = [4, 8, 12]  # an epoch's end each; of 12
    assert [line for line in whole.lines if line.startswith("Update ")] == [
        f"Update {step} of 12 ({share}%): bleu {whole.curves['bleu'][step]:.4g} (higher is better)"
        for step, share in zip(updates, (33, 66, 100), strict=True)
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_loss_is_the_models_own(
    kind: str, made: Callable[..., Path], data: TrainingData, tmp_path: Path
) -> None:
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    folder = made(KINDS[kind], **{"dropout_rate" if kind == "t5" else "dropout": 0.0})
    told = Told(tmp_path / "run")
    TRANSFERS[kind].fit(
        data, options(kind, batch=20, accumulate=1, epochs=1, smoothing=0.0, prefix="say: ", marked=False), told
    )
    tokenizer, net = AutoTokenizer.from_pretrained(folder), AutoModelForSeq2SeqLM.from_pretrained(folder)
    given = tokenizer([f"say: {source}" for source in SOURCES], return_tensors="pt", padding=True)
    labels = tokenizer(TARGETS, return_tensors="pt", padding=True)["input_ids"]
    labels[labels == tokenizer.pad_token_id] = -100
    own = net(input_ids=given["input_ids"], attention_mask=given["attention_mask"], labels=labels).loss
    assert told.curves["loss"][1] == pytest.approx(float(own), rel=1e-5)


def test_accumulated_batches_move_the_weights_as_one_batch_does(
    made: Callable[..., Path], data: TrainingData, tmp_path: Path
) -> None:
    """Also where they have different numbers of tokens: the loss is divided by all of them."""
    made("bart", dropout=0.0)
    for name, batch, accumulate in (("one", 20, 1), ("three", 7, 3)):
        chosen = options("bart", batch=batch, accumulate=accumulate, epochs=2, clip=0.0)
        TRANSFERS["bart"].fit(data, chosen, Told(tmp_path / name))
    one, three = (load_file(tmp_path / name / "last/optimizer.safetensors") for name in ("one", "three"))
    for name in (name for name in one if name.startswith("exp_avg:")):
        assert torch.allclose(one[name], three[name], atol=1e-6), name


def test_a_batch_that_does_not_fit_is_worked_off_in_parts_to_the_same_gradient(
    made: Callable[..., Path], data: TrainingData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made("t5", dropout_rate=0.0)
    summed, most = pretrained_trainer.summed_loss, 10_000

    def too_large(logits: torch.Tensor, labels: torch.Tensor, smoothing: float = 0.0) -> torch.Tensor:
        if len(labels) > most and logits.requires_grad:
            raise torch.OutOfMemoryError
        return summed(logits, labels, smoothing)

    monkeypatch.setattr(pretrained_trainer, "summed_loss", too_large)
    TRANSFERS["t5"].fit(data, options("t5", batch=10, epochs=2), Told(tmp_path / "whole"))
    most = 3
    told = Told(tmp_path / "parts")
    TRANSFERS["t5"].fit(data, options("t5", batch=10, epochs=2), told)
    assert any("worked off in 4 parts" in line for line in told.lines)
    one, parts = (load_file(tmp_path / name / "last/optimizer.safetensors") for name in ("whole", "parts"))
    assert all(torch.allclose(one[name], parts[name], atol=1e-6) for name in one)
    most = 0
    with pytest.raises(UserError, match="choose a smaller batch"):
        TRANSFERS["t5"].fit(data, options("t5", batch=10), Told(tmp_path / "none"))


@pytest.mark.parametrize("kind", ["t5", *OTHERS])
def test_gradient_checkpointing_computes_twice_and_gives_the_same_losses_and_gradients(
    kind: str, made: Callable[..., Path], data: TrainingData, tmp_path: Path
) -> None:
    """With dropout, whose draws the second computation repeats; AdamW's first moments are sums of the gradients."""
    made(KINDS[kind])
    computed: Counter[str] = Counter()
    told = {}
    for name, checkpointing in (("kept", False), ("twice", True)):
        told[name] = Told(tmp_path / name)
        with counted_attentions(computed, name):
            TRANSFERS[kind].fit(data, options(kind, epochs=2, checkpointing=checkpointing), told[name])
    assert computed["twice"] == 2 * computed["kept"] > 0
    for curve in ("loss", "validation_loss"):
        assert told["twice"].curves[curve] == pytest.approx(told["kept"].curves[curve], rel=1e-5)
    kept_one, twice = (load_file(tmp_path / name / "last/optimizer.safetensors") for name in ("kept", "twice"))
    moments = [name for name in kept_one if name.startswith("exp_avg:")]
    assert max(float(kept_one[name].abs().max()) for name in moments) > 1e-3
    assert all(torch.allclose(kept_one[name], twice[name], rtol=1e-4, atol=1e-7) for name in moments)


@contextmanager
def counted_attentions(computed: Counter[str], name: str) -> Iterator[None]:
    """Count how often an attention computes within the block while it is trained."""

    def count(module: torch.nn.Module, given: Any) -> None:
        computed[name] += module.training and type(module).__name__.endswith("Attention")

    hook = torch.nn.modules.module.register_module_forward_pre_hook(count)
    try:
        yield
    finally:
        hook.remove()


def test_a_loss_that_is_no_number_ends_it_with_a_sentence(
    made: Callable[..., Path], data: TrainingData, tmp_path: Path
) -> None:
    file = made("t5") / "model.safetensors"
    weights = load_file(file)
    weights["shared.weight"][3] = torch.inf
    save_file(weights, file, {"format": "pt"})
    with pytest.raises(UserError, match="no longer a number at update 4"):
        TRANSFERS["t5"].fit(data, options("t5"), Told(tmp_path / "run"))


def test_it_stops_early_and_the_best_is_not_the_last(
    made: Callable[..., Path], data: TrainingData, tmp_path: Path
) -> None:
    made("t5")
    odd = TrainingData(*WAY, train=data.train, dev=DevSet(SOURCES, [TARGETS[::-1]]))  # what is learnt is wrong there
    told = Told(tmp_path / "run")
    TRANSFERS["t5"].fit(odd, options("t5", epochs=200, rate=0.01, patience=3, schedule="constant"), told)
    scores = told.curves["validation_loss"]
    assert min(scores, key=scores.__getitem__) == sorted(scores)[-4]
    assert len(scores) < 200
    again = Told(tmp_path / "run")
    TRANSFERS["t5"].fit(odd, options("t5", epochs=200, rate=0.01, patience=3, schedule="constant"), again)
    assert again.calls == 0, "a training that is done does nothing more"


def test_long_texts_are_cut_counted_and_said(made: Callable[..., Path], tmp_path: Path) -> None:
    made("t5")
    long = TrainingData(*WAY, train=Pairs(["she saw a dr " * 20, "she luv", ""], ["She. " * 30, "She.", "No."]))
    told = Told(tmp_path / "run")
    TRANSFERS["t5"].fit(long, options("t5", read=12, write=10, epochs=1), told)
    assert "2 pairs; 1 left out that are empty." in told.lines
    assert "Cut to what the model is given: 1 sources longer than 12 tokens, 1 rewrites longer than 10." in told.lines


def test_nothing_is_pickled_and_the_model_needs_its_base_no_more(
    made: Callable[..., Path], data: TrainingData, tmp_path: Path
) -> None:
    folder = made("bart", "our-bart")
    TRANSFERS["bart"].fit(data, options("bart", folder="our-bart", epochs=1), Told(tmp_path / "run"))
    endings = {path.suffix for path in (tmp_path / "run").rglob("*") if path.is_file() and path.parent.name != "ids"}
    assert endings == {".json", ".safetensors"}
    about = json.loads((tmp_path / "run/best/model.json").read_text())
    assert (about["base"]["folder"], about["base"]["architecture"]) == ("our-bart", "bart")
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    assert TRANSFERS["bart"].load(tmp_path / "run/best").directions == (WAY,)


def test_marked_references_are_learnt_with_brackets_that_outputs_lose(
    made: Callable[..., Path], tmp_path: Path
) -> None:
    made("bart", dropout=0.0)
    marked = ["The patient[pt] has pain."] * 4
    pairs = Pairs(["pt has pain"] * 4, ["The patient has pain."] * 4, marked)
    folder = tmp_path / "run"
    TRANSFERS["bart"].fit(TrainingData(*WAY, train=pairs), options("bart", marked=True, epochs=1), Told(folder))
    from modelserving.pretrained.subwords import Subwords
    from modelserving.pretrained.token_rows import PairRows

    subwords = Subwords(folder / "last/tokenizer.json")
    assert subwords.text(PairRows(folder / "ids")[0][1]) == marked[0]
    model = TRANSFERS["bart"].load(folder / "last")
    ids = subwords.ids(["The pt[patient] has pain."], 50)[0]
    assert model.text(ids) == "The patient has pain."  # type: ignore[attr-defined]
