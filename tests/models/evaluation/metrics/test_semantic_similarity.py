"""Similarity of sentence vectors, against sentence-transformers over the same small encoder."""

import numpy as np
import pytest

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
