"""The reward model: its likelihood's minimum, what it has learnt of held-out sources, and where it is undefined."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import binomtest
from support.styled_texts import INFORMAL, made, material, preferred

from evaluation.learned_scorers.cross_fitting import fold_of
from evaluation.learned_scorers.reward_model import CrossFitted, RewardModel, text_features
from evaluation.metrics import METRICS, MetricInput
from evaluation.numerics import wilson

METRIC = METRICS["preference_reward"]
SOURCES = made(INFORMAL)


def score(outputs: list[str], pairs: Any, **settings: Any) -> Any:
    batch = MetricInput(SOURCES[: len(outputs)], outputs, [], material=material(preferences=pairs))
    return METRIC.score(batch, **settings)


def test_the_weights_are_at_the_minimum_of_the_bradley_terry_likelihood() -> None:
    """scipy's BFGS over the penalized negative log-likelihood, weighted by the margins; three features alone."""
    from scipy.sparse import csr_matrix

    def three(sources: Any, rewrites: Any) -> Any:
        whole = text_features(sources, rewrites)
        return csr_matrix(whole[:, [-10, -8, -7]])

    pairs = preferred()
    model = RewardModel(pairs, three, 0.7)
    sources, better, worse, _ = (list(column) for column in zip(*pairs, strict=True))
    ahead = (three(sources, better) - three(sources, worse)).toarray()
    margins = np.array([pair[3] for pair in pairs])

    def loss(weights: Any) -> float:
        return float(0.7 * (margins * np.logaddexp(0, -ahead @ weights)).sum() + 0.5 * weights @ weights)

    found = minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-9}).x
    assert model.weights == pytest.approx(found, abs=1e-4)


def test_outputs_that_people_prefer_have_the_higher_reward_and_a_copy_has_none() -> None:
    pairs = preferred()
    good, bad = (score([pair[side] for pair in pairs[:20]], pairs, least=20) for side in (1, 2))
    assert good.corpus > bad.corpus
    assert np.mean(good.sentences > bad.sentences) > 0.9
    assert score(SOURCES[:5], pairs, least=20).sentences.tolist() == [0.0] * 5
    assert good.details["agreement_held_out"] > 0.9
    assert (good.details["pairs"], good.details["judged_sources"]) == (64, 64)


def test_the_interval_is_wilsons() -> None:
    """As scipy's `binomtest` has it."""
    for right in (64, 45, 0):
        interval = binomtest(right, 64).proportion_ci(method="wilson")
        assert wilson(right / 64, 64) == pytest.approx((interval.low, interval.high), abs=1e-12)


def test_agreement_without_anything_to_learn_is_about_one_half() -> None:
    """Each pair is the other way round or not by the toss of a coin."""
    coins = np.random.default_rng(5).random(64) < 0.5
    pairs = [(s, *((w, b) if coin else (b, w)), m) for (s, b, w, m), coin in zip(preferred(), coins, strict=True)]
    about = score(SOURCES[:1], pairs, least=20).details
    assert about["agreement_low"] < 0.5 < about["agreement_high"]


def test_a_judged_source_is_scored_by_a_model_that_did_not_see_it() -> None:
    pairs = preferred()
    fold = fold_of(SOURCES[0])
    turned = [(s, w, b, m) if fold_of(s) == fold else (s, b, w, m) for s, b, w, m in pairs]
    outputs = [pairs[0][1]]
    usual, other = (score(outputs, given, least=20).sentences[0] for given in (pairs, turned))
    assert usual == other, "whatever people said of this fold's sources"
    models = CrossFitted(pairs, material(preferences=pairs), ("all",), text_features, 1.0)
    assert models.model(None).rewards(SOURCES[:1], outputs)[0] != usual


def test_too_few_judgements_are_no_model() -> None:
    found = score(SOURCES[:2], preferred()[:30])
    assert found.corpus is None
    assert found.undefined == (
        "There are too few judgements to learn from: people preferred one text to another in 30 pairs, and at least "
        "100 are needed."
    )
    one = [(SOURCES[0], *pair[1:]) for pair in preferred()]
    assert score(SOURCES[:2], one, least=20).undefined.startswith("There are too few judged sources to learn from")


def test_the_signature_names_the_judgements() -> None:
    first, second = (score(SOURCES[:2], preferred()[:size], least=20).signature for size in (40, 41))
    assert "preferences:" in first
    assert first != second


def test_an_encoder_adds_its_vectors(tiny_encoder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RESTYLE_MODELS", str(tiny_encoder.parent))
    found = score([pair[1] for pair in preferred()[:4]], preferred(), least=20, model=tiny_encoder.name)
    assert np.isfinite(found.sentences).all()
    assert f"model:{tiny_encoder.name}_" in found.signature
    assert found.sentences.tolist() != score([p[1] for p in preferred()[:4]], preferred(), least=20).sentences.tolist()
