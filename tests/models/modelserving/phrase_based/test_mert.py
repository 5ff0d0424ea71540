"""Tuning finds the best weights: on a line exactly, on a case by hand, and the same ones again."""

import numpy as np
import pytest
import sacrebleu

from evaluation.metrics import METRICS, MetricInput
from foundation import seeds
from foundation.kneser_ney import estimate
from modelserving.phrase_based.decoder import Decoder
from modelserving.phrase_based.mert import Outputs, Pool, bleu, climb, line, optimize, tune_weights
from modelserving.phrase_based.phrase_table import START
from tests.factories.phrases import phrase_table

SENTENCES, EACH = 12, 15


def pool(seed: int) -> Pool:
    """Outputs by chance, of sentences of 9 words."""
    chance = seeds.generator(seed, "pool")
    many = SENTENCES * EACH
    counts = np.zeros((many, 10), dtype=np.int64)
    counts[:, :4] = np.sort(chance.integers(0, 7, (many, 4)))[:, ::-1]
    counts[:, 4:] = [9, 8, 7, 6, 9, 9]
    return Pool(np.arange(SENTENCES + 1) * EACH, chance.normal(size=(many, 15)), counts)


def reached(given: Pool, weights) -> float:
    """BLEU of each sentence's best output."""
    scores = (given.features @ weights).reshape(SENTENCES, EACH)
    return bleu(given.counts[scores.argmax(axis=1) + given.first[:-1]].sum(axis=0))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_line_is_searched_exactly(seed):
    given, chance = pool(seed), seeds.generator(seed, "line")
    base, direction = chance.normal(size=15), chance.normal(size=15)
    step, value = line(given, given.features @ base, given.features @ direction)
    assert reached(given, base + step * direction) == pytest.approx(value)
    grid = max(reached(given, base + each * direction) for each in np.linspace(-20, 20, 20_001))
    assert value >= grid - 1e-12


def test_a_case_by_hand():
    """Two outputs each: where the weight of the first feature is between 1 and 2, both right ones are the best."""
    features = np.zeros((4, 15))
    features[:, 0] = [1, 0, 0, 1]
    features[:, 1] = [0, 1, 2, 0]
    right, wrong = [4, 3, 2, 1, 4, 3, 2, 1, 4, 4], [0, 0, 0, 0, 4, 3, 2, 1, 4, 4]
    given = Pool(np.array([0, 2, 4]), features, np.array([right, wrong, right, wrong]))
    start = np.eye(15)[1] * 1.0
    step, value = line(given, features @ start, features @ np.eye(15)[0])
    assert (step, value) == pytest.approx((1.5, 1.0))


def test_climbing_never_loses_and_ends_where_no_grid_is_better():
    given, start = pool(4), np.ones(15)
    found, value = climb(given, start, range(2), seeds.generator(1, "climb"))
    assert value == pytest.approx(reached(given, found))
    assert value >= reached(given, start)
    assert (found[2:] == 1).all()
    angles = np.linspace(-30, 30, 121)
    grid = max(reached(given, np.array([a, b, *start[2:]])) for a in angles for b in angles)
    assert value >= 0.97 * grid


def test_what_is_optimised_is_the_same_again_and_keeps_its_size():
    tuned = [0, 1, 2, 3, 4, 5, 6, 7]
    one, other = (optimize(pool(5), START, tuned, seeds.generator(7, "w")) for _ in range(2))
    assert (one == other).all()
    assert (one[8:] == START[8:]).all()
    assert np.abs(one[tuned]).sum() == pytest.approx(np.abs(START[tuned]).sum())


def test_bleu_is_sacrebleus():
    references = [
        [["the", "cat", "sat", "on", "the", "mat", "today"], ["a", "cat", "was", "on", "the", "mat"]],
        [["he", "left", "early", "in", "Rights"]],
    ]
    texts = [["the", "cat", "was", "on", "the", "mat"], ["he", "left", "in", "Rights", "early", "on"]]
    streams = [[" ".join(each[min(i, len(each) - 1)]) for each in references] for i in range(2)]
    expected = sacrebleu.corpus_bleu([" ".join(text) for text in texts], streams, tokenize="none").score
    assert 100 * Outputs(references).score(texts) == pytest.approx(expected)


def test_sari_is_that_of_the_metrics():
    sources = [["the", "cat", "perched", "upon", "the", "mat"], ["He", "departed", "early"]]
    references = [[["the", "cat", "sat", "on", "the", "mat"], ["a", "cat", "sat", "there"]], [["he", "left", "early"]]]
    texts = [["the", "cat", "sat", "upon", "a", "mat"], ["He", "left", "early"]]
    given = [[" ".join(each) for each in some] for some in references]
    expected = (
        METRICS["sari"].score(MetricInput([" ".join(t) for t in sources], [" ".join(t) for t in texts], given)).corpus
    )
    assert 100 * Outputs(references, sources).score(texts) == pytest.approx(expected)


@pytest.mark.parametrize(("metric", "reached"), [("bleu", "BLEU 100.00"), ("sari", "SARI 66.67")])  # nothing is kept
def test_rounds_tune_a_decoder(metric, reached):
    """The table's first score prefers what is wrong; tuned, its other scores win."""
    entries = [
        (word, text, (first, -first, 0.0, 0.0), ())
        for word in "abcdef"
        for text, first in ((f"{word}1", -0.1), (f"{word}2", -2.0))
    ]
    model = estimate([["a1", "b1"], ["a2", "b2"]], 2)
    decoder = Decoder(phrase_table(entries), model)
    sources = [list("abcdef"), list("fedcba"), list("cabfe")]
    references = [[[f"{word}2" for word in source]] for source in sources]
    assert decoder.translate(sources[0])[0] == "a1"
    said: list[str] = []
    found = [
        tune_weights(decoder, sources, references, 1, metric=metric, rounds=4, size=20, say=said.append)
        for _ in range(2)
    ]
    assert (found[0] == found[1]).all()
    assert found[0][8] == START[8]
    assert [decoder.weighing(found[0]).translate(source) for source in sources] == [each[0] for each in references]
    assert reached in said[-1]
