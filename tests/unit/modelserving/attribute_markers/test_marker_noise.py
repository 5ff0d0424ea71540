"""Markers at edit distance 1 against the distance computed for each pair."""

from itertools import product

import numpy as np
import pytest

from modelserving.attribute_markers.style_markers import Marker, MarkerNoise

ALL = [words for n in (1, 2, 3) for words in product("abc", repeat=n)]
MARKERS = sorted({*ALL[::2], ("a",), ("b", "a")})


def distance(one: Marker, other: Marker) -> int:
    """Levenshtein's, by words."""
    rows = list(range(len(other) + 1))
    for i, word in enumerate(one, 1):
        before, rows[0] = rows[0], i
        for j, target in enumerate(other, 1):
            before, rows[j] = rows[j], min(before + (word != target), rows[j] + 1, rows[j - 1] + 1)
    return rows[-1]


@pytest.mark.parametrize("marker", MARKERS)
def test_near_markers_are_at_distance_1(marker: Marker) -> None:
    found = MarkerNoise(map(" ".join, MARKERS)).near(marker)
    near = [other for other in MARKERS if distance(marker, other) == 1]
    assert found == [other for other in near if len(marker) > 1 or len(other) == 2]


def test_the_papers_example() -> None:
    noise = MarkerNoise(["very rude", "was very rude", "rude", "great"])
    assert noise.near(("was", "very", "rude")) == [("very", "rude")]
    assert noise.near(("very", "rude")) == [("rude",), ("was", "very", "rude")]
    assert noise.near(("great",)) == []


def test_markers_are_altered_as_often_as_asked() -> None:
    noise, chance = MarkerNoise(["very rude", "was very rude", "great"]), np.random.default_rng(1)
    text = [["was", "very", "rude"], ["great"]]
    assert noise.altered(text, 0.0, chance) == text
    assert noise.altered(text, 1.0, chance) == [("very", "rude"), ["great"]], "'great' has none that is near"
    altered = sum(noise.altered(text, 0.1, chance)[0] == ("very", "rude") for _ in range(5_000))
    assert 400 < altered < 600
