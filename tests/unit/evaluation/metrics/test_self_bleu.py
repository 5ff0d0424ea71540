import pytest

from evaluation.metrics import METRICS, MetricInput

SELF_BLEU = METRICS["self_bleu"]


def test_equals_sacrebleu_against_the_sources(texts, golden):
    for case in golden("self_bleu")["cases"]:
        scores = SELF_BLEU.score(texts, **case["settings"])
        assert scores.corpus == pytest.approx(case["corpus"], abs=1e-9)
        assert scores.sentences == pytest.approx(case["sentences"], abs=1e-9)


def test_a_copy_has_100(texts):
    scores = SELF_BLEU.score(MetricInput(texts.sources, texts.sources, []))
    assert scores.corpus == pytest.approx(100)
    assert scores.sentences == pytest.approx(100)


@pytest.mark.parametrize("system", ["orgin", "label", "retrieval"])
def test_equals_the_published_outputs_scores(amazon, golden, system):
    scores = SELF_BLEU.score(amazon(system), tokenize="none", lowercase=True)
    assert scores.corpus == pytest.approx(golden("amazon")["systems"][system]["self_bleu"], abs=1e-9)
