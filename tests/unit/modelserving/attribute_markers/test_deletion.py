"""Markers taken from left to right, the longest first, by hand; the authors' preprocess_train.py finds the same."""

import pytest

from modelserving.attribute_markers.style_markers import MarkedText, find_markers

MARKERS = {"very bad", "bad", "bad food .", "was", "a b c d", "c d e"}


def marked(text: str) -> MarkedText:
    words = text.split()
    return MarkedText(words, find_markers(words, MARKERS, 4))


@pytest.mark.parametrize(
    ("text", "content", "markers"),
    [
        ("the food is here .", "the food is here .", []),
        ("the food was very bad .", "the food .", ["was", "very bad"]),
        ("it is a bad thing", "it is a thing", ["bad"]),
        ("the very bad food .", "the", ["very bad", "bad food ."]),  # they overlap: the second ends behind the first
        ("x a b c d y", "x y", ["a b c d"]),  # nothing within a marker that was taken
        ("a b c d e", "", ["a b c d", "c d e"]),
        ("bad bad", "", ["bad", "bad"]),
        ("", "", []),
    ],
)
def test_content_and_markers(text: str, content: str, markers: list[str]) -> None:
    found = marked(text)
    assert " ".join(found.content) == content
    assert [" ".join(marker) for marker in found.markers] == markers


def test_no_marker_is_longer_than_those_that_are_looked_for() -> None:
    assert find_markers(["a", "b", "c", "d"], MARKERS, 3) == ()


def test_markers_that_overlap_or_touch_are_one_slot() -> None:
    assert marked("it was very bad .").slots == [(1, 4)]
    assert marked("the very bad food . was").slots == [(1, 6)]
    assert marked("was it bad").slots == [(0, 1), (2, 3)]
