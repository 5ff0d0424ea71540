import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics import METRICS, MetricInput

CHRF = METRICS["chrf"]


def test_equals_sacrebleu(texts, uneven, golden):
    for case in golden("chrf")["cases"]:
        scores = CHRF.score(texts, **case["settings"])
        assert scores.corpus == pytest.approx(case["corpus"], abs=1e-9)
        assert scores.sentences == pytest.approx(case["sentences"], abs=1e-9)
        assert CHRF.score(uneven, **case["settings"]).corpus == pytest.approx(case["uneven"], abs=1e-9)


texts_of = st.text("ab .,é\n-\"'A!", max_size=14)


@given(
    rows=st.lists(st.tuples(texts_of, st.lists(texts_of, min_size=2, max_size=2)), min_size=1, max_size=4),
    words=st.integers(0, 2),
    beta=st.integers(1, 3),
    lower=st.booleans(),
)
def test_any_text_scores_as_in_sacrebleu(rows, words, beta, lower):
    outputs, references = [row[0] for row in rows], [row[1] for row in rows]
    theirs = sacrebleu.CHRF(word_order=words, beta=beta, lowercase=lower)
    scores = CHRF.score(MetricInput([], outputs, references), word_order=words, beta=beta, lowercase=lower)
    sentences = [theirs.sentence_score(output, refs).score for output, refs in rows]
    assert scores.sentences == pytest.approx(sentences, abs=1e-9)
    streams = [list(each) for each in zip(*references, strict=True)]
    assert scores.corpus == pytest.approx(theirs.corpus_score(outputs, streams).score, abs=1e-9)


def test_by_hand():
    """'abc' beside 'abd': 2 of 3 letters, 1 of 2 pairs, 0 of 1 triple; longer ones there are none."""
    assert CHRF.score(MetricInput([], ["abc"], [["abd"]])).corpus == pytest.approx(100 * (2 / 3 + 1 / 2) / 3)


def test_the_score_of_drawn_sentences_knows_its_beta(texts):
    whole = CHRF.score(texts, beta=3, word_order=2)
    places = [1, 1, 4, 5]
    drawn = MetricInput([], [texts.outputs[i] for i in places], [texts.references[i] for i in places])
    again = CHRF.score(drawn, beta=3, word_order=2).corpus
    assert float(CHRF.corpus_of(whole.sufficient_statistics[places].sum(axis=0))) == pytest.approx(again, abs=1e-9)


def test_chrf_plus_plus_is_said():
    assert "|nc:6|nw:2|beta:2|" in CHRF.signature(word_order=2)
