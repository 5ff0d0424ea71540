"""Similarity of sentence vectors, against sentence-transformers over the same small encoder."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from evaluation.learned_scorers.encoders import load_encoder
from evaluation.metrics import METRICS, MetricInput
from foundation.errors import UserError

SIMILARITY = METRICS["semantic_similarity"]


@pytest.fixture(autouse=True)
def _models(tiny_encoder, monkeypatch):
    monkeypatch.setenv("RESTYLE_MODELS", str(tiny_encoder.parent))


def test_equals_sentence_transformers(texts, golden):
    scores = SIMILARITY.score(texts, model="tiny-encoder")
    expected = [np.nan if not text else 5 * max(0, cosine) for text, cosine in zip(
        texts.outputs, golden("semantic_similarity")["mean"], strict=True
    )]  # fmt: skip
    assert scores.sentences == pytest.approx(expected, abs=1e-4, nan_ok=True)
    assert scores.corpus == pytest.approx(np.nanmean(expected), abs=1e-4)


def test_pools_as_the_folder_says(texts, golden, tiny_encoder):
    place = tiny_encoder / "1_Pooling"
    mean = SIMILARITY.signature(model="tiny-encoder")
    try:
        place.mkdir()
        (place / "config.json").write_text('{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}')
        scores = SIMILARITY.score(texts, model="tiny-encoder")
    finally:
        (place / "config.json").unlink()
        place.rmdir()
    there = np.array([bool(text) for text in texts.outputs])
    assert scores.sentences[there] / 5 == pytest.approx(np.array(golden("semantic_similarity")["cls"])[there], abs=1e-5)
    assert "|pooling:cls|" in scores.signature
    assert "|pooling:mean|" in mean


def test_the_same_text_has_five_and_none_has_no_score():
    scores = SIMILARITY.score(MetricInput(["The cup.", "a", ""], ["The cup.", " ", "b"], []), model="tiny-encoder")
    assert scores.sentences[0] == pytest.approx(5)
    assert np.isnan(scores.sentences[1:]).all()
    assert scores.corpus == pytest.approx(5)
    nothing = SIMILARITY.score(MetricInput(["a"], [""], []), model="tiny-encoder")
    assert nothing.corpus is None
    assert nothing.undefined


def test_a_sentence_scores_the_same_alone(texts):
    whole = SIMILARITY.score(texts, model="tiny-encoder").sentences
    for i, (source, output) in enumerate(zip(texts.sources, texts.outputs, strict=True)):
        alone = SIMILARITY.score(MetricInput([source], [output], []), model="tiny-encoder").sentences
        assert alone == pytest.approx(whole[i : i + 1], nan_ok=True, abs=1e-5)


def test_says_what_is_missing(texts):
    assert SIMILARITY.unavailable(model="tiny-encoder") == ""
    assert "No language model is named" in SIMILARITY.unavailable()
    with pytest.raises(UserError, match="There is no language model 'other'"):
        SIMILARITY.score(texts, model="other")


def test_bertscore_takes_a_folder_of_the_same_place(texts, monkeypatch):
    score = METRICS["bertscore"]
    named = score.score(texts)
    monkeypatch.delenv("RESTYLE_BERTSCORE_MODEL")
    assert score.unavailable(model="tiny-encoder") == ""
    assert score.score(texts, model="tiny-encoder").sentences == pytest.approx(named.sentences)
    assert "There is no language model 'other'" in score.unavailable(model="other")
    assert "RESTYLE_BERTSCORE_MODEL" in score.unavailable()


def test_a_dense_layer_is_that_of_sentence_transformers(tiny_encoder, tmp_path, monkeypatch):
    """sentence-transformers 5: Transformer, Pooling of the first token, Dense with Tanh, Normalize; as LaBSE's."""
    from safetensors.numpy import save_file

    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    folder = Path(shutil.copytree(tiny_encoder, tmp_path / "labse"))
    for place, about in (
        ("1_Pooling", '{"pooling_mode": "cls"}'),
        ("2_Dense", '{"activation_function": "torch.nn.modules.activation.Tanh"}'),
    ):
        (folder / place).mkdir()
        (folder / place / "config.json").write_text(about)
    drawn = {
        name: np.random.default_rng(seed).normal(0, 0.3, shape).astype("float32")
        for name, seed, shape in (("linear.weight", 1, (8, 32)), ("linear.bias", 2, (8,)))
    }
    save_file(drawn, folder / "2_Dense" / "model.safetensors")
    sources = ["the patient had a heart attack", "you must see the table", "the cup"]
    outputs = ["the heart attack of the patient", "see the cup", "a table"]
    found = METRICS["labse"].score(MetricInput(sources, outputs, []), model="labse")
    assert found.sentences == pytest.approx([0.947593, 0.9956653, 0.9889866], abs=1e-5)
    (folder / "2_Dense" / "config.json").write_text('{"activation_function": "torch.nn.GELU"}')
    load_encoder.cache_clear()
    with pytest.raises(UserError, match="2_Dense has the activation GELU"):
        METRICS["labse"].score(MetricInput(sources, outputs, []), model="labse")
