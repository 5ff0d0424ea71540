"""DPO: its loss and gradient as the papers write them, and trainings on preferences that resume as they began."""

import math
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from support import tiny_transformers
from support.tiny_pairs import SOURCES, TARGETS, WAY, twenty
from support.told import Told

from foundation.errors import UserError
from foundation.options import validate_options
from modelserving.pretrained.options import PreferringOptions
from modelserving.pretrained.preferences import ACCURACY, CURVE, MARGIN, SCORE, preference_losses, without_dropout
from modelserving.training.callbacks import Stopped
from modelserving.training.checkpoint import Manifest, pack, versions
from modelserving.training.dataset import Preferences, TrainingData
from modelserving.transfer import TRANSFERS

pytestmark = pytest.mark.slow

POLICY = [[-3.0, -5.0], [-7.5, -2.25]]
REFERENCE = [[-4.0, -4.5], [-7.0, -2.0]]
LENGTHS = [[4, 5], [10, 2]]
MARGINS = [1.0, 0.2]
QUICK: dict[str, Any] = {
    "learn_from": "preferences", "rate": 0.003, "batch": 3, "epochs": 3, "keep_every": 3, "beta": 0.5,
    "tune_by": "loss", "patience": 0, "warmup": 0,
}  # fmt: skip
OWN: dict[str, dict[str, Any]] = {
    "t5": {"folder": "t5", "accumulate": 2, "read": 64, "write": 24},
    "bart": {"folder": "bart", "accumulate": 2, "read": 64, "write": 24},
    "lora": {"folder": "causal", "accumulate": 2, "prompt": "{text}", "longest": 128, "r": 4},
}


def losses(**given: Any) -> tuple[list[float], list[list[float]]]:
    columns = (torch.tensor(rows, dtype=torch.float64) for rows in (POLICY, REFERENCE, LENGTHS, MARGINS))
    found, rewards = preference_losses(*columns, PreferringOptions(**given))
    return found.tolist(), rewards.tolist()


def minus_log_sigmoid(x: float) -> float:
    return math.log1p(math.exp(-x))


def test_the_losses_are_those_of_the_papers() -> None:
    """Rafailov et al. (2023), equation 7; Amini et al. (2024), equation 8; Azar et al. (2024), equation 17.

    The log-ratios are 1.0 and -0.5, and -0.5 and -0.25; `DPOTrainer` of trl 1.16 computes the same numbers.
    """
    found, rewards = losses(beta=0.1)
    assert rewards == [pytest.approx([0.1, -0.05]), pytest.approx([-0.05, -0.025])]
    assert found == pytest.approx([minus_log_sigmoid(0.15), minus_log_sigmoid(-0.025)], rel=1e-12)
    assert found == pytest.approx([0.6209570, 0.7057253], abs=1e-6)
    assert losses(beta=0.1, offset=2.0)[0] == pytest.approx(
        [minus_log_sigmoid(0.15 - 2.0), minus_log_sigmoid(-0.025 - 0.4)], rel=1e-12
    )
    assert losses(beta=0.1, smoothing=0.2)[0][0] == pytest.approx(
        0.8 * minus_log_sigmoid(0.15) + 0.2 * minus_log_sigmoid(-0.15), rel=1e-12
    )
    by_token = [(1.0 / 4 + 0.5 / 5 - 5) ** 2, (-0.5 / 10 + 0.25 / 2 - 5) ** 2]
    assert losses(beta=0.1, preference_loss="ipo")[0] == pytest.approx(by_token, rel=1e-12)


def test_the_gradient_is_the_weighted_difference_of_the_papers_section_4() -> None:
    """minus beta times sigmoid(r(worse) - r(better)) times (grad log pi(better) - grad log pi(worse))."""
    policy = torch.tensor(POLICY, dtype=torch.float64, requires_grad=True)
    reference = torch.tensor(REFERENCE, dtype=torch.float64)
    margins, lengths = torch.tensor(MARGINS), torch.tensor(LENGTHS)
    found, rewards = preference_losses(policy, reference, lengths, margins, PreferringOptions(beta=0.3))
    found.sum().backward()
    assert policy.grad is not None
    weight = 0.3 * torch.sigmoid(rewards[:, 1] - rewards[:, 0]).detach()
    assert torch.allclose(policy.grad, torch.stack([-weight, weight], dim=1), atol=1e-15)


@pytest.fixture(scope="module", autouse=True)
def _models(tmp_path_factory: pytest.TempPathFactory) -> Any:
    root = tmp_path_factory.mktemp("models")
    kinds: tuple[tiny_transformers.Kind, ...] = ("t5", "bart", "causal")
    for kind in kinds:
        tiny_transformers.make(kind, root / kind)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RESTYLE_MODELS", str(root))
        yield


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> TrainingData:
    """People preferred the rewrites to the sources as they stand: fifteen pairs to train on, five held out."""
    pairs = Preferences(SOURCES, TARGETS, SOURCES, [1.0] * len(SOURCES))
    cut = [
        Preferences(pairs.sources[part], pairs.better[part], pairs.worse[part], pairs.margins[part])
        for part in (slice(0, 15), slice(15, None))
    ]
    whole = replace(twenty(tmp_path_factory.mktemp("plain")), preferences=cut[0], dev_preferences=cut[1])
    return whole.write(tmp_path_factory.mktemp("data"))


def options(kind: str, **given: Any) -> Any:
    return validate_options(TRANSFERS[kind].Options, {**QUICK, **OWN[kind], **given})


def test_the_pairs_are_written_and_read_as_files(data: TrainingData) -> None:
    assert list(data.preferences.worse) == SOURCES[:15]
    assert list(data.dev_preferences.better) == TARGETS[15:]
    assert data.preferences.margins == [1.0] * 15


@pytest.mark.parametrize("kind", OWN)
def test_a_training_begins_at_log_2_and_learns_the_order(kind: str, data: TrainingData, tmp_path: Path) -> None:
    """Before the first update the model is its own reference, so each pair has the loss log 2; dropout is declared."""
    told = Told(tmp_path / "run")
    model = TRANSFERS[kind].fit(data, options(kind, batch=15, accumulate=1, epochs=6, rate=0.01), told)
    assert told.curves[CURVE][1] == pytest.approx(math.log(2), abs=1e-6)
    assert told.curves[ACCURACY][6] == 1.0
    assert told.curves[MARGIN][6] > 0.01
    assert told.curves[SCORE][6] < math.log(2)
    assert len(told.outputs) == 5
    assert told.lines[-1].startswith("Update 6 of 6 (100%): preference loss")
    (tmp_path / "saved").mkdir()
    model.save(tmp_path / "saved")
    again = TRANSFERS[kind].load(tmp_path / "saved")
    decoding = validate_options(TRANSFERS[kind].Decoding, {"longest": 8, "beam": 1})
    assert list(again.transfer(SOURCES[:3], WAY, decoding)) == list(model.transfer(SOURCES[:3], WAY, decoding))


@pytest.mark.parametrize("kind", ["t5", "lora", pytest.param("bart", marks=pytest.mark.soak)])
def test_a_training_that_moves_to_another_machine_ends_bit_for_bit_as_one_left_alone(
    kind: str, data: TrainingData, tmp_path: Path
) -> None:
    """Only the kept states move: the reference's log-probabilities are among them."""
    whole = Told(tmp_path / "whole")
    TRANSFERS[kind].fit(data, options(kind), whole)
    for number, stop in enumerate((11, 5, 10_000)):
        parts = Told(tmp_path / f"part-{number}", stop)
        if number:
            for state in ("last", "best"):
                if (before := tmp_path / f"part-{number - 1}" / state).exists():
                    shutil.copytree(before, tmp_path / f"part-{number}" / state)
        with suppress(Stopped):
            TRANSFERS[kind].fit(data, options(kind), parts)
    for name in ("optimizer.safetensors", "reference.safetensors"):
        first, second = (load_file(tmp_path / run / "last" / name) for run in ("whole", "part-2"))
        assert first.keys() == second.keys()
        assert all(torch.equal(first[key], second[key]) for key in first)
    assert parts.curves[SCORE].items() <= whole.curves[SCORE].items()


def test_a_metric_of_outputs_may_be_the_dev_score_beside_the_held_out_pairs(data: TrainingData, tmp_path: Path) -> None:
    told = Told(tmp_path / "run")
    TRANSFERS["t5"].fit(data, options("t5", tune_by="bleu", epochs=1, batch=15, accumulate=1), told)
    assert set(told.curves) == {CURVE, "learning rate", "bleu", ACCURACY, MARGIN}


def test_pairs_do_not_depend_on_how_they_are_accumulated(data: TrainingData, tmp_path: Path) -> None:
    for name, batch, accumulate in (("one", 15, 1), ("five", 3, 5)):
        chosen = options("t5", batch=batch, accumulate=accumulate, epochs=1, clip=0.0)
        TRANSFERS["t5"].fit(data, chosen, Told(tmp_path / name))
    one, five = (load_file(tmp_path / name / "last/optimizer.safetensors") for name in ("one", "five"))
    for name in (name for name in one if name.startswith("exp_avg:")):
        assert torch.allclose(one[name], five[name], atol=1e-6), name


@pytest.mark.parametrize("kind", ["t5", "lora"])
def test_it_starts_from_a_checkpoint_which_is_then_the_reference(kind: str, data: TrainingData, tmp_path: Path) -> None:
    first = TRANSFERS[kind].fit(
        data, options(kind, learn_from="references", tune_by="loss", epochs=1), Told(tmp_path / "first")
    )
    (tmp_path / "saved").mkdir()
    first.save(tmp_path / "saved")
    start = tmp_path / "start.zip"
    pack(tmp_path / "saved", Manifest(kind, {}, (WAY,), {}, versions()), start)
    second = Told(tmp_path / "second")
    chosen = options(kind, start_from="first", epochs=1, batch=15, accumulate=1, folder=OWN[kind]["folder"])
    TRANSFERS[kind].fit(replace(data, start=start), chosen, second)
    assert second.curves[CURVE][1] == pytest.approx(math.log(2), abs=1e-6)
    other = Told(tmp_path / "other")
    TRANSFERS[kind].fit(data, options(kind, epochs=1, batch=15, accumulate=1), other)
    scores = [load_file(tmp_path / run / "ids/reference.safetensors")["preferences"] for run in ("second", "other")]
    assert not torch.allclose(*scores)


def test_a_start_of_another_kind_names_the_option(data: TrainingData, tmp_path: Path) -> None:
    first = TRANSFERS["bart"].fit(data, options("bart", epochs=1), Told(tmp_path / "first"))
    (tmp_path / "saved").mkdir()
    first.save(tmp_path / "saved")
    pack(tmp_path / "saved", Manifest("bart", {}, (WAY,), {}, versions()), tmp_path / "start.zip")
    with pytest.raises(UserError, match=r"^start_from.*another kind, bart"):
        TRANSFERS["t5"].fit(
            replace(data, start=tmp_path / "start.zip"), options("t5", start_from="x"), Told(tmp_path / "second")
        )


def test_without_pairs_there_is_a_sentence(data: TrainingData, tmp_path: Path) -> None:
    nothing = replace(data, preferences=Preferences())
    with pytest.raises(UserError, match="T5 is trained on pairs, and there are none"):
        TRANSFERS["t5"].fit(nothing, options("t5"), Told(tmp_path / "none"))
    alike = replace(data, preferences=Preferences(SOURCES, TARGETS, TARGETS, [1.0] * 20))
    with pytest.raises(UserError, match="no pair of preferences to train on"):
        TRANSFERS["t5"].fit(alike, options("t5"), Told(tmp_path / "alike"))


@pytest.mark.parametrize("kind", ["t5", "bart"])
def test_without_dropout_a_network_in_training_computes_what_it_does_otherwise(
    kind: str, made: Callable[..., Path]
) -> None:
    from transformers import AutoModelForSeq2SeqLM

    net: Any = AutoModelForSeq2SeqLM.from_pretrained(made(kind))
    given = {"input_ids": torch.arange(4, 12)[None], "decoder_input_ids": torch.arange(4, 10)[None]}
    with torch.no_grad():
        usual = net.eval()(**given).logits
        assert not torch.equal(net.train()(**given).logits, usual)
        without_dropout(net)
        assert torch.equal(net.train()(**given).logits, usual)
