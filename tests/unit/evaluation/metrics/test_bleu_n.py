"""BLEU-1, 2 and 3, and the mean of the four."""

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics import METRICS, MetricInput

NAMES = {1: "bleu_1", 2: "bleu_2", 3: "bleu_3", 4: "bleu"}


@pytest.mark.parametrize("n", NAMES)
def test_equals_sacrebleu(n, texts, uneven, golden):
    expected = golden("bleu_n")["n"][str(n)]
    scores = METRICS[NAMES[n]].score(texts)
    assert scores.corpus == pytest.approx(expected["corpus"], abs=1e-9)
    assert scores.sentences == pytest.approx(expected["sentences"], abs=1e-9)
    assert METRICS[NAMES[n]].score(uneven).corpus == pytest.approx(expected["uneven"], abs=1e-9)


def test_the_mean_of_the_four(texts, uneven, golden):
    stored = golden("bleu_n")
    scores = METRICS["bleu_mean"].score(texts)
    assert scores.corpus == pytest.approx(stored["mean"]["corpus"], abs=1e-9)
    assert scores.sentences == pytest.approx(stored["mean"]["sentences"], abs=1e-9)
    assert METRICS["bleu_mean"].score(uneven).corpus == pytest.approx(stored["mean"]["uneven"], abs=1e-9)
    for n in NAMES:
        assert scores.details[f"bleu_{n}"] == pytest.approx(stored["n"][str(n)]["corpus"], abs=1e-9)


def test_by_hand():
    """Three of four words, one of three pairs."""
    batch = MetricInput([], ["the cat is here"], [["the cat sat here"]])
    assert METRICS["bleu_1"].score(batch).corpus == pytest.approx(75)
    assert METRICS["bleu_2"].score(batch).corpus == pytest.approx(50)
    assert METRICS["bleu_2"].score(batch).details["precision_2"] == pytest.approx(100 / 3)
    assert "precision_3" not in METRICS["bleu_2"].score(batch).details


def test_signatures_tell_them_apart():
    assert "|n:1-2|" in METRICS["bleu_2"].signature()
    assert "|n:" not in METRICS["bleu"].signature()
    assert "|n:mean-of-1-2-3-4|" in METRICS["bleu_mean"].signature()


line = st.text("abc .\n-", max_size=16)


@given(rows=st.lists(st.tuples(line, st.tuples(line, line)), min_size=1, max_size=4), n=st.integers(1, 4))
def test_any_text_scores_as_in_sacrebleu(rows, n):
    outputs, references = [row[0] for row in rows], [list(row[1]) for row in rows]
    scores = METRICS[NAMES[n]].score(MetricInput([], outputs, references))
    theirs = sacrebleu.BLEU(max_ngram_order=n)
    streams = [list(each) for each in zip(*references, strict=True)]
    assert scores.corpus == pytest.approx(theirs.corpus_score(outputs, streams).score, abs=1e-9)
    effective = sacrebleu.BLEU(max_ngram_order=n, effective_order=True)
    sentences = [effective.sentence_score(output, list(refs)).score for output, refs in rows]
    assert scores.sentences == pytest.approx(sentences, abs=1e-9)
