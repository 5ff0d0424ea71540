"""Texts longer than a model reads are read to their end, or have no score, and the signature says which."""

import math

import numpy as np
import pytest
from support.tiny_language_model import make

from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.metrics import METRICS, MetricInput

BEGIN = "the patient had a heart attack and you must see the table . " * 20
ENDS = ("blood pressure " * 30, "cup story table " * 30)
LONG = [BEGIN + end for end in ENDS]


@pytest.fixture(autouse=True)
def _models(tiny_encoder, monkeypatch):
    monkeypatch.setenv("RESTYLE_MODELS", str(tiny_encoder.parent))
    monkeypatch.setenv("RESTYLE_BERTSCORE_LAYER", "2")


def test_bertscore_sees_the_end_of_a_long_text():
    score = METRICS["bertscore"].score
    same, other = (score(MetricInput([], [output], [[LONG[0]]])) for output in LONG)
    assert same.corpus == pytest.approx(1, abs=1e-5)
    assert other.corpus < 0.999
    assert "|long:windows|" in same.signature


def test_windows_match_what_stands_in_reach_of_them():
    """Plain BERTScore over vectors that come of windows worked out by hand."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    from evaluation.learned_scorers.bertscore_model import bertscore_folder

    folder = bertscore_folder()
    model, tokenizer = AutoModel.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)

    def vectors(text):
        body = tokenizer.encode(text, add_special_tokens=False, verbose=False)
        starts = [*range(0, len(body) - 126, 63), len(body) - 126]
        found = np.zeros((len(body), 32))
        nearest = np.full(len(body), -1)
        for start in starts:
            ids = torch.tensor([[2, *body[start : start + 126], 3]])
            with torch.inference_mode():
                states = model(ids, output_hidden_states=True).hidden_states[2][0, 1:-1].numpy()
            for at in range(126):
                edge = 10**6 if (start == 0 and at < 63) or (start == starts[-1] and at >= 63) else min(at, 125 - at)
                if edge > nearest[start + at]:
                    nearest[start + at], found[start + at] = edge, states[at]
        return found / np.linalg.norm(found, axis=1, keepdims=True)

    first, second = map(vectors, LONG)
    alike = first @ second.T
    precision, recall = alike.max(axis=1).mean(), alike.max(axis=0).mean()
    found = METRICS["bertscore"].score(MetricInput([], [LONG[0]], [[LONG[1]]])).corpus
    assert found == pytest.approx(2 * precision * recall / (precision + recall), abs=2e-3)


def test_similarity_sees_the_end_of_a_long_text():
    score = METRICS["semantic_similarity"].score
    same, other = (score(MetricInput([LONG[0]], [output], []), model="tiny-encoder") for output in LONG)
    assert same.corpus == pytest.approx(5, abs=1e-4)
    assert other.corpus < 4.999


@pytest.mark.parametrize("name", ["bertscore", "semantic_similarity"])
def test_long_texts_have_no_score_where_that_is_asked(name):
    settings = {"long_texts": "undefined"} | ({"model": "tiny-encoder"} if name == "semantic_similarity" else {})
    batch = MetricInput(["the cup", LONG[0]], ["the cup", "a cup"], [["the cup"], [LONG[0]]])
    scores = METRICS[name].score(batch, **settings)
    assert np.isnan(scores.sentences).tolist() == [False, True]
    assert scores.corpus == pytest.approx(scores.sentences[0])
    assert "|long:undefined|" in scores.signature
    alone = METRICS[name].score(MetricInput([LONG[0]], [LONG[0]], [[LONG[0]]]), **settings)
    assert alone.corpus is None
    assert "128 tokens" in alone.undefined


@pytest.mark.parametrize("kind", ["masked", "causal"])
def test_perplexity_counts_every_token_of_a_long_text(kind, tmp_path, monkeypatch, one_thread):
    make(tmp_path / kind, kind == "masked")
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    material = TrainingMaterial(texts={"formal": ["the cup"]})
    score = METRICS["perplexity_lm"].score
    batches = [MetricInput([], [text], [], target_styles=["formal"], material=material) for text in (*LONG, "the cup")]
    first, second, short = (score(batch, model=kind, tune_epochs=0) for batch in batches)
    from transformers import AutoTokenizer

    body = AutoTokenizer.from_pretrained(tmp_path / kind).encode(LONG[0], add_special_tokens=False, verbose=False)
    assert first.details["tokens"] == len(body)
    assert first.corpus != second.corpus
    assert math.isfinite(short.corpus)
    undefined = score(batches[0], model=kind, tune_epochs=0, long_texts="undefined")
    assert undefined.corpus is None
    assert "tokens" in undefined.undefined
