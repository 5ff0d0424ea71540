"""Slots filled from left to right; what is put where is what the authors' build_templatebased.py writes."""

import pytest

from modelserving.attribute_markers.style_markers import MarkedText, find_markers
from modelserving.transfer.template_based import can_fill, fill_slots, slot_markers

BAD = {"bad", "very bad", "awful"}


def marked(text: str) -> MarkedText:
    words = text.split()
    return MarkedText(words, find_markers(words, BAD, 4))


@pytest.mark.parametrize(
    ("text", "markers", "output"),
    [
        ("the food is bad .", ["good"], "the food is good ."),
        ("bad food , awful place .", ["good", "very nice"], "good food , very nice place ."),
        ("bad food , awful place .", ["good"], "good food , place ."),
        ("bad food .", ["good", "so nice"], "good food so nice ."),
        ("a dog runs .", ["in love", "to win"], "a dog runs in love to win ."),
        ("a dog runs", ["in love"], "a dog runs in love"),
        ("very bad awful !", ["good"], "good !"),
        (".", ["good"], "good ."),
    ],
)
def test_markers_in_slots(text: str, markers: list[str], output: str) -> None:
    assert " ".join(fill_slots(marked(text), [marker.split() for marker in markers])) == output


def test_markers_that_touch_fill_one_slot() -> None:
    assert slot_markers(marked("a very bad awful and bad dog")) == [["very", "bad", "awful"], ["bad"]]


def test_a_marker_with_a_full_stop_fills_none() -> None:
    assert can_fill([["good"], ["so", "nice"]])
    assert not can_fill([["good"], ["nice", "."]])
