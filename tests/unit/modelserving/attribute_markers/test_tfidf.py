"""The index against scikit-learn's TfidfVectorizer, another implementation of the same numbers."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from modelserving.attribute_markers.style_markers import TfIdf

CHANCE = np.random.default_rng(2)
TEXTS = [[f"w{word}" for word in CHANCE.zipf(1.4, CHANCE.integers(1, 15)) % 60] for _ in range(300)]
QUERIES = [*TEXTS[:5], ["w1", "w1", "w7", "nowhere"], ["nowhere"], []]


@pytest.fixture(scope="module")
def index() -> TfIdf:
    return TfIdf(TEXTS)


def test_the_scores_are_scikit_learns(index: TfIdf) -> None:
    vectorizer = TfidfVectorizer(analyzer=lambda words: words)
    matrix = vectorizer.fit_transform(TEXTS)
    wanted = (matrix @ vectorizer.transform(QUERIES).T).toarray()
    for query, column in zip(QUERIES, wanted.T, strict=True):
        np.testing.assert_allclose(index.scores(query), column, atol=1e-12)


@pytest.mark.parametrize("most", [1, 10, 299, 300, 1000])
def test_the_nearest_are_the_first_of_all_in_order(index: TfIdf, most: int) -> None:
    for query in QUERIES:
        scores = index.scores(query)
        wanted = sorted(range(len(TEXTS)), key=lambda place: (-scores[place], place))
        assert index.nearest(query, most) == wanted[:most]


def test_a_text_is_nearest_to_itself_and_equal_ones_stand_in_order() -> None:
    index = TfIdf([["a", "b"], ["c"], ["b", "a"], []])
    assert index.scores(["b", "a"]) == pytest.approx([1, 0, 1, 0])
    assert index.nearest(["a", "b"], 2) == [0, 2]
