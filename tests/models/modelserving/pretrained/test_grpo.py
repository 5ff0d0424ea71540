"""GRPO: its loss and advantages as trl computes them, and trainings on rewards that resume as they began."""

import shutil
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from support import tiny_transformers
from support.tiny_pairs import SOURCES, TARGETS, WAY, twenty
from support.told import Told

from foundation.errors import UserError
from foundation.options import validate_options
from modelserving.pretrained.grpo import CURVE, HELD_OUT, REWARD, SCORE, as_it_began, token_losses
from modelserving.pretrained.rewards import Judge, advantages, check_rewards, rewards_of, wins
from modelserving.training.callbacks import Stopped
from modelserving.training.dataset import Preferences, TrainingData
from modelserving.transfer import TRANSFERS

pytestmark = pytest.mark.slow

REWARDS = "style_accuracy\npinc weight=0.5\nperplexity_ngram order=2"
QUICK: dict[str, Any] = {
    "learn_from": "rewards", "rewards": REWARDS, "rewrites": 4, "rewrite_tokens": 6, "rate": 0.01, "batch": 5,
    "epochs": 2, "keep_every": 3, "accumulate": 2, "tune_by": "loss", "patience": 0, "warmup": 0,
}  # fmt: skip
OWN: dict[str, dict[str, Any]] = {
    "t5": {"folder": "t5", "read": 64, "write": 24},
    "bart": {"folder": "bart", "read": 64, "write": 24},
    "lora": {"folder": "causal", "prompt": "{text}", "longest": 128, "r": 4},
}


TRL_GRADIENT = [
    [-0.14912384518467894, -0.18950948185847624, -0.16000000000000003], [0.18107672375799233, 0.2579272335297135, 0.0]
]  # fmt: skip
TRL_ONE = [0.299976, -0.099992, -1.29989599, 1.09991199, -0.19866932, -0.19866932, 1.39068527, -0.99334662]
TRL_TWO = [-1.31479125, 1.49843549, 0.39657002, -0.58021426, -0.18243699, -0.18243699, 1.27705892, -0.91218494]


def test_the_loss_and_its_gradient_are_those_of_trl() -> None:
    """`GRPOTrainer._compute_loss` of trl 1.16 with loss_type "dapo" and beta 0.3, on these numbers."""
    policy = torch.tensor([[-0.7, -1.9, -0.2], [-2.5, -0.4, -3.0]], dtype=torch.float64, requires_grad=True)
    reference = torch.tensor([[-0.9, -1.5, -0.2], [-2.0, -1.4, 0.0]], dtype=torch.float64)
    counts = torch.tensor([[1, 1, 1], [1, 1, 0]], dtype=torch.float64)
    losses, apart = token_losses(policy, reference, torch.tensor([0.8, -1.1], dtype=torch.float64), 0.3)
    loss = (losses * counts).sum() / counts.sum()
    loss.backward()
    assert float(loss.detach()) == pytest.approx(-0.00237063024455062, rel=1e-9)
    assert policy.grad is not None
    assert torch.allclose(policy.grad, torch.tensor(TRL_GRADIENT, dtype=torch.float64), atol=1e-12)
    assert float((apart * counts).sum().detach() / counts.sum()) == pytest.approx(0.12543123251816451, rel=1e-9)


SCORES = np.array([[[0.0, 3.0], [1.0, 2.5], [1.0, 1.0], [0.0, 4.0]], [[1.0, 2.0], [1.0, 2.0], [1.0, 5.0], [1.0, 0.5]]])


def test_advantages_are_those_of_trl_for_one_reward_and_for_several() -> None:
    """Of trl 1.16: "group" for one; "normalize_then_sum", which then divides by the spread of the batch, for two."""
    one = advantages(SCORES[:, :, 1:], np.array([1.0]))
    assert one.ravel().tolist() == pytest.approx(TRL_ONE, abs=1e-5)
    two = advantages(SCORES, np.array([1.0, 0.5])) * 1.5
    assert (two / (two.std(ddof=1) + 1e-4)).ravel().tolist() == pytest.approx(TRL_TWO, abs=1e-5)


def test_a_rewrite_without_a_score_counts_as_the_worst_of_its_group() -> None:
    scores = np.array([[[1.0], [np.nan], [3.0]], [[np.nan], [np.nan], [np.nan]]])
    assert np.allclose(advantages(scores, np.ones(1)), advantages(np.nan_to_num(scores, nan=1.0), np.ones(1)))
    assert not advantages(scores, np.ones(1))[1].any()
    assert wins(np.array([[2.0], [np.nan], [1.0]]), np.array([[1.0], [np.nan], [2.0]]), np.ones(1)) == 0.5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Name at least one metric"),
        ("blue", "There is no metric 'blue'; did you mean bleu"),
        ("bleu", "BLEU rewards nothing: it needs references"),
        ("self_bleu", "has no better end"),
        ("pinc\npinc", "pinc occurs twice"),
        ("pinc much", "not 'much'"),
        ("pinc weight=0", "A weight is a number above 0"),
        ("pinc weight=many", "Expected a number, not 'many'"),
        ("perplexity_ngram order=9", "order"),
        ("pinc depth=3", "depth"),
        ("semantic_similarity model=nowhere", "nowhere"),
    ],
)
def test_a_fault_in_the_list_is_one_sentence(text: str, said: str) -> None:
    with pytest.raises(UserError) as refused:
        check_rewards(text)
    assert said in str(refused.value)


def test_the_list_has_settings_and_weights() -> None:
    found = rewards_of("style_accuracy features=characters lowercase=no\n\n  pinc weight=2")
    assert [(one.metric.name, one.weight, one.settings) for one in found] == [
        ("style_accuracy", 1.0, {"features": "characters", "lowercase": False}), ("pinc", 2.0, {}),
    ]  # fmt: skip


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
    return twenty(tmp_path_factory.mktemp("data"))


def options(kind: str, **given: Any) -> Any:
    return validate_options(TRANSFERS[kind].Options, {**QUICK, **OWN[kind], **given})


def test_scores_are_the_metrics_own_with_the_better_end_up(data: TrainingData) -> None:
    judge = Judge(REWARDS, data)
    scores = judge.scores([SOURCES[0], SOURCES[0], SOURCES[0]], [TARGETS[0], SOURCES[0], " "])
    assert scores[0, 0] == 1.0, "a formal text"
    assert scores[1, :2].tolist() == [0.0, 0.0], "a copy"
    assert scores[0, 2] > scores[1, 2], "perplexity is better where it is low"
    assert np.isnan(scores[2]).all(), "an empty text is not fluent"


def test_what_people_prefer_rewards_by_a_model_of_their_judgements(data: TrainingData) -> None:
    pairs = [(source, target) for source, target in zip(SOURCES, TARGETS, strict=True) if source != target]
    judged = Preferences(*map(list, zip(*((source, target, source, 1.0) for source, target in pairs), strict=True)))
    rewarded = options("t5", rewards="preference_reward least=20")
    kind = TRANSFERS["t5"]
    assert (kind.wants_preferences(rewarded), kind.wants_texts(rewarded)) == (True, True)
    assert not kind.wants_preferences(options("t5"))
    scores = Judge("preference_reward least=20", replace(data, preferences=judged)).scores(
        [source for source, _ in pairs] * 2, [*(target for _, target in pairs), *(source for source, _ in pairs)]
    )
    likely, left = scores[: len(pairs), 0], scores[len(pairs) :, 0]
    assert (likely > left).mean() > 0.8
    with pytest.raises(UserError, match="There are too few judgements to learn from"):
        Judge("preference_reward", data)


@pytest.mark.parametrize("kind", ["t5", "lora", pytest.param("bart", marks=pytest.mark.soak)])
def test_a_training_that_moves_to_another_machine_ends_bit_for_bit_as_one_left_alone(
    kind: str, data: TrainingData, tmp_path: Path
) -> None:
    """Only the kept states move; it stops between updates, and while it writes for one."""
    whole = Told(tmp_path / "whole")
    model = TRANSFERS[kind].fit(data, options(kind), whole)
    assert whole.curves[CURVE][2] >= 0.0
    each = ("style_accuracy", "pinc", "perplexity_ngram")
    held_out = {HELD_OUT.format(name) for name in each}
    assert set(whole.curves) - held_out == {CURVE, "learning rate", SCORE, *(REWARD.format(name) for name in each)}
    assert kind == "bart" or held_out < set(whole.curves), "the small BART writes nothing at all"
    assert sum(line.startswith("Rewarded: metric:") for line in whole.lines) == 3
    assert "rewards:style_accuracy" in model.signature(WAY, TRANSFERS[kind].Decoding())
    for number, stop in enumerate((7, 3, 10_000)):
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


def test_the_weights_of_the_start_are_in_place_for_a_while() -> None:
    net = torch.nn.Linear(2, 1)
    began = {name: torch.zeros_like(one) for name, one in net.named_parameters()}
    own = net.weight.detach().clone()
    with as_it_began(net, began):
        assert not net.weight.any()
    assert torch.equal(net.weight, own)


@pytest.mark.soak
def test_what_is_rewarded_becomes_likelier(data: TrainingData, tmp_path: Path) -> None:
    """Without any reference, a T5 that knows nothing writes what the classifier takes for the target style."""
    alone = TrainingData(*WAY, texts=data.texts, dev_texts=data.dev_texts)
    chosen = options("t5", rewards="style_accuracy", epochs=30, batch=20, accumulate=1, beta=0.01, rewrites=8)
    told = Told(tmp_path / "run")
    TRANSFERS["t5"].fit(alone, chosen, told)
    curve = told.curves[REWARD.format("style_accuracy")]
    assert np.mean([curve[step] for step in range(26, 31)]) > np.mean([curve[step] for step in range(1, 6)]) + 0.2
