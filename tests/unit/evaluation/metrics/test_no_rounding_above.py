"""A number at the end of its range is that end: 100, never 100.00000000000004, in sentences, corpora and resamples."""

import numpy as np
import pytest

from evaluation.metrics import METRICS, MetricInput
from evaluation.metrics.content_preservation import cosine

TEXTS = [
    f"the {word} patient had a {other} heart attack ." for word in ("old", "young", "tired") for other in "abcdefg"
]


@pytest.mark.parametrize(("name", "most"), [
    ("bleu", 100), ("bleu_1", 100), ("bleu_2", 100), ("bleu_3", 100), ("bleu_mean", 100), ("self_bleu", 100),
    ("chrf", 100), ("cider", 10), ("rouge_1", 1), ("rouge_l", 1), ("sari", 100),
])  # fmt: skip
def test_the_same_texts_have_the_most_there_is(name, most):
    scores = METRICS[name].score(MetricInput(TEXTS, TEXTS, [[text] for text in TEXTS]))
    drawn = METRICS[name].corpus_of(scores.sufficient_statistics[:5].sum(axis=0))
    assert max(scores.corpus, scores.sentences.max(), float(drawn)) <= most
    if name != "sari":
        assert scores.corpus == pytest.approx(most)


def test_no_cosine_is_above_one():
    draws = np.random.default_rng(1).normal(size=(500, 7))
    assert max(cosine(row, row * 3) for row in draws) == 1.0
