import math

import numpy as np
import pytest

from evaluation.metrics import METRICS, MetricInput

CIDER = METRICS["cider"]


def test_equals_pycocoevalcap(texts, uneven, golden):
    """Of the same words: lower-cased, 13a, with punctuation."""
    for key, batch in (("references", texts), ("uneven", uneven)):
        expected = golden("cider")["cases"][key]
        scores = CIDER.score(batch, punctuation=True)
        assert scores.sentences == pytest.approx(expected["sentences"], abs=1e-9)
        assert scores.corpus == pytest.approx(expected["corpus"], abs=1e-9)


def test_by_hand():
    """Of two sentences each n-gram stands in one, so all weigh log 2; orders without n-grams have 0."""
    scores = CIDER.score(MetricInput([], ["a b", "c d"], [["a b"], ["c e"]]))
    assert scores.sentences == pytest.approx([10 * 2 / 4, 10 * (1 / 2) / 4])


def test_length_is_counted_in_pairs_of_words():
    scores = CIDER.score(MetricInput([], ["a b c", "x"], [["a b"], ["y"]]))
    single, pair = 2 / math.sqrt(6), 1 / math.sqrt(2)
    assert scores.sentences[0] == pytest.approx(10 * (single + pair) / 4 * math.exp(-1 / 72))


def test_a_sentences_score_depends_on_the_set():
    """A word that all sentences have weighs nothing."""
    alone = CIDER.score(MetricInput([], ["the cat", "a dog"], [["the cat"], ["a dog"]])).sentences[0]
    beside = CIDER.score(MetricInput([], ["the cat", "the cat"], [["the cat"], ["the cat"]])).sentences[0]
    assert alone == pytest.approx(5)
    assert beside == 0


def test_a_single_sentence_has_none():
    scores = CIDER.score(MetricInput([], ["the cat"], [["the cat"]]))
    assert scores.corpus is None
    assert "only one sentence" in scores.undefined
    assert np.isnan(scores.sentences).all()


def test_the_corpus_score_is_the_mean(texts):
    scores = CIDER.score(texts)
    assert scores.corpus == pytest.approx(scores.sentences.mean(), abs=1e-12)
    drawn = scores.sufficient_statistics[[0, 0, 3]].sum(axis=0)
    assert float(CIDER.corpus_of(drawn)) == pytest.approx(scores.sentences[[0, 0, 3]].mean(), abs=1e-12)


def test_punctuation_and_case_are_settings():
    batch = MetricInput([], ["The cat (sat).", "b"], [["the cat sat"], ["c"]])
    same = CIDER.score(MetricInput([], ["the cat sat", "b"], batch.references)).sentences[0]
    assert CIDER.score(batch).sentences[0] == pytest.approx(same)
    assert CIDER.score(batch, punctuation=True).sentences[0] < same
    assert CIDER.score(batch, lowercase=False).sentences[0] < same
    assert "|df:evaluated-set|punct:no|" in CIDER.score(batch).signature


def test_empty_texts():
    scores = CIDER.score(MetricInput([], ["", "a"], [["a b"], ["", "a"]]))
    assert scores.sentences[0] == 0
    assert np.isfinite(scores.sentences).all()
