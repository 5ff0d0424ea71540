"""Perplexity under a language model: against the losses that transformers itself works out of the same model."""

import math

import numpy as np
import pytest
from support.tiny_language_model import make

from evaluation.learned_scorers.cross_fitting import fold_of
from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.metrics import METRICS, MetricInput
from foundation.errors import UserError

PERPLEXITY = METRICS["perplexity_lm"]
OUTPUTS = ["the patient had a heart attack .", "you must see the table", "cup", "", "the zebra had blood pressure"]
TARGETS = ["formal", "informal", "formal", "formal", "informal"]
TEXTS = {
    "formal": [f"the patient had a {word} heart" for word in ("warm", "cold", "tired")] * 12,
    "informal": [f"you must see the {word} cup" for word in ("warm", "cold", "tired")] * 12,
}
KINDS = ["masked", "causal"]


@pytest.fixture(scope="module")
def root(tmp_path_factory, one_thread):
    folder = tmp_path_factory.mktemp("models")
    for kind in KINDS:
        make(folder / kind, kind == "masked")
    return folder


@pytest.fixture(autouse=True)
def _models(root, monkeypatch):
    monkeypatch.setenv("RESTYLE_MODELS", str(root))


def batch(material=None, outputs=OUTPUTS, targets=TARGETS):
    return MetricInput(
        [], list(outputs), [], target_styles=list(targets), material=material or TrainingMaterial(texts=TEXTS)
    )


def losses(folder, kind, text):
    """Each token's loss, worked out by transformers' own heads."""
    import torch
    from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    if kind == "causal":
        ids = torch.tensor([[tokenizer.bos_token_id, *tokenizer.encode(text)]])
        model = AutoModelForCausalLM.from_pretrained(folder).eval()
        with torch.no_grad():
            return [float(model(ids, labels=ids).loss)] * (ids.shape[1] - 1)
    ids = torch.tensor([tokenizer.encode(text)])
    model, found = AutoModelForMaskedLM.from_pretrained(folder).eval(), []
    for place in range(1, ids.shape[1] - 1):
        shown, labels = ids.clone(), torch.full_like(ids, -100)
        shown[0, place], labels[0, place] = tokenizer.mask_token_id, ids[0, place]
        with torch.no_grad():
            found.append(float(model(shown, labels=labels).loss))
    return found


@pytest.mark.parametrize("kind", KINDS)
class TestEitherKind:
    def test_equals_the_losses_of_transformers(self, kind, root):
        scores = PERPLEXITY.score(batch(), model=kind, tune_epochs=0)
        found = [losses(root / kind, kind, text) if text else [] for text in OUTPUTS]
        expected = [math.exp(np.mean(each)) if each else math.nan for each in found]
        assert scores.sentences == pytest.approx(expected, rel=1e-4, nan_ok=True)
        together = [loss for each in found for loss in each]
        assert scores.corpus == pytest.approx(math.exp(np.mean(together)), rel=1e-4)
        assert scores.details["tokens"] == len(together)

    def test_tuning_on_a_style_makes_it_likely(self, kind):
        texts = [TEXTS["formal"][0]]
        before, right, wrong = (
            PERPLEXITY.score(batch(None, texts, [style]), model=kind, tune_epochs=epochs).corpus
            for style, epochs in (("formal", 0), ("formal", 12), ("informal", 12))
        )
        assert right < before
        assert right < wrong

    def test_the_same_again_and_nothing_of_others_is_touched(self, kind):
        import torch

        torch.manual_seed(3)
        expected = torch.rand(1)
        torch.manual_seed(3)
        scores = [PERPLEXITY.score(batch(), model=kind) for _ in range(2)]
        assert torch.rand(1) == expected
        assert np.array_equal(scores[0].sentences, scores[1].sentences, equal_nan=True)
        assert PERPLEXITY.score(batch(), model=kind, seed=2).corpus != scores[0].corpus

    def test_a_long_text_is_read_to_its_end(self, kind):
        scores = PERPLEXITY.score(batch(None, ["the cup " * 100], ["formal"]), model=kind, tune_epochs=0)
        assert scores.details["tokens"] == 200  # in windows of 24

    def test_own_texts_are_judged_by_a_model_of_the_other_half(self, kind):
        own = TrainingMaterial(texts=TEXTS, origin="own")
        outputs = ["the heart", "a cup", "you must see", "cold", "a warm story ."]
        scores = PERPLEXITY.score(batch(own, outputs, ["formal"] * 5), model=kind)
        assert {fold_of(text, 2) for text in outputs} == {0, 1}
        assert sorted(key[-1] for key in own.remembered) == [0, 1]
        assert "|origin:own" in scores.signature
        assert math.isfinite(scores.corpus)


def test_a_style_without_texts_has_no_score():
    scores = PERPLEXITY.score(batch(TrainingMaterial(texts={"formal": TEXTS["formal"]})), model="masked")
    assert np.isnan(scores.sentences).tolist() == [False, True, False, True, True]
    nothing = PERPLEXITY.score(batch(TrainingMaterial()), model="masked")
    assert nothing.corpus is None
    assert nothing.undefined == "The study has no texts of the target styles to tune the model on."


def test_the_signature_names_model_weights_and_tuning():
    signature = PERPLEXITY.score(batch(), model="masked", tune_epochs=0).signature
    assert "|model:masked_" in signature
    assert "|tune_epochs:0|seed:1|" in signature
    assert PERPLEXITY.signature(model="masked") != PERPLEXITY.signature(model="causal")


def test_says_what_is_missing(monkeypatch):
    assert PERPLEXITY.unavailable(model="masked") == ""
    assert "No language model is named" in PERPLEXITY.unavailable()
    assert "There is no language model 'bert' below RESTYLE_MODELS" in PERPLEXITY.unavailable(model="bert")
    assert "leads out of" in PERPLEXITY.unavailable(model="../x")
    with pytest.raises(UserError, match="no language model 'bert'"):
        PERPLEXITY.score(batch(), model="bert")
    monkeypatch.delenv("RESTYLE_MODELS")
    assert "names no folder" in PERPLEXITY.unavailable(model="masked")
