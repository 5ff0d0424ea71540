"""Markers against salience worked by hand, and against all n-grams counted without leaving any out."""

from collections import Counter

import numpy as np
import pytest

from modelserving.attribute_markers.style_markers import frequent_ngrams, markers_of, ngrams, salience

SAD = ["the food was very bad .", "very bad .", "bad food ."]
GLAD = ["the food was very good .", "good .", "the very food ."]
TEXTS = {"sad": [text.split() for text in SAD], "glad": [text.split() for text in GLAD]}


def test_salience_by_hand() -> None:
    assert salience(3, 0, 1) == 4
    assert salience(4, 1, 1) == 2.5
    assert salience(1, 3, 0.5) == 1.5 / 3.5


def test_markers_by_hand() -> None:
    """Lambda is 1. 'bad' stands 3 times to 0: 4; 'very bad', 'bad .', 'very bad .' twice: 3; 'was very bad' once: 2."""
    found = markers_of(TEXTS, 2.5, 1, 4)
    assert found["sad"] == {"bad": 4, "bad .": 3, "very bad": 3, "very bad .": 3}
    assert found["glad"] == {"good": 3, "good .": 3}
    assert markers_of(TEXTS, 3, 1, 4)["sad"] == {"bad": 4}, "as salient as the threshold is not above it"
    assert markers_of(TEXTS, 2.5, 1, 1)["sad"] == {"bad": 4}


def test_n_grams_have_no_more_words_than_asked() -> None:
    assert list(ngrams(["a", "b", "c"], 2)) == ["a", "b", "c", "a b", "b c"]


@pytest.fixture(scope="module")
def drawn() -> dict[str, list[list[str]]]:
    """400 texts a style of few words, drawn by other chances in each."""
    chance, words = np.random.default_rng(4), list("abcdefgh")
    shares = {"one": chance.dirichlet(np.ones(8)), "other": chance.dirichlet(np.ones(8)), "third": np.full(8, 1 / 8)}
    return {
        style: [[str(word) for word in chance.choice(words, chance.integers(0, 9), p=p)] for _ in range(400)]
        for style, p in shares.items()
    }


@pytest.mark.parametrize("threshold", [1.0, 1.7, 3.0, 15.0])
@pytest.mark.parametrize("smoothing", [0.5, 1.0, 4.0])
def test_markers_are_those_of_all_n_grams(
    drawn: dict[str, list[list[str]]], threshold: float, smoothing: float
) -> None:
    counts = {style: Counter(gram for text in texts for gram in ngrams(text, 4)) for style, texts in drawn.items()}
    found = markers_of(drawn, threshold, smoothing, 4)
    for style, own in counts.items():
        wanted = {
            gram: (count + smoothing) / (sum(counts[other][gram] for other in counts if other != style) + smoothing)
            for gram, count in own.items()
        }
        assert found[style] == {gram: score for gram, score in wanted.items() if score > threshold}
        assert list(found[style].values()) == sorted(found[style].values(), reverse=True)


@pytest.mark.parametrize("least", [1, 2, 5, 30])
def test_frequent_n_grams_are_all_that_are_frequent(drawn: dict[str, list[list[str]]], least: int) -> None:
    texts = drawn["one"]
    counts = Counter(gram for text in texts for gram in ngrams(text, 3))
    assert frequent_ngrams(texts, 3, least) == {gram: count for gram, count in counts.items() if count >= least}
