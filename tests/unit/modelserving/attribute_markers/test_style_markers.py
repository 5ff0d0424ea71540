"""Markers learnt of texts, texts that are retrieved, and their files."""

from dataclasses import replace
from pathlib import Path

import pytest

from foundation.errors import UserError
from modelserving.attribute_markers.options import MARKER_PRESETS, MarkerOptions
from modelserving.attribute_markers.style_markers import (
    MARKER_FILE,
    TEXT_FILE,
    StyleMarkers,
    learn_style_markers,
    load_style_markers,
    save_style_markers,
)
from modelserving.training.dataset import TrainingData

OPTIONS = MarkerOptions(threshold=2.5, least_content=2)
DATA = TrainingData(
    "sad",
    "glad",
    texts={
        "sad": ["The food is Bad.", "The food is Bad.", "the bar is bad", "a long day in town", "bad"],
        "glad": ["The food is good.", "our room  was Good", "good dogs run home", "a long night in town"],
    },
    dev_texts={"glad": ["The food here is good."]},
)


@pytest.fixture(scope="module")
def known() -> StyleMarkers:
    return learn_style_markers(DATA, OPTIONS, "A model")


def test_markers_are_of_any_case_and_texts_as_they_are_written(known: StyleMarkers) -> None:
    """'bad' stands 4 times, 'is bad' 3 times, 'bad .' twice: saliences 5, 4 and 3."""
    assert known.markers["glad"] == {"good": 4}
    assert {marker: score for marker, score in known.markers["sad"].items() if "bad" in marker.split()} == {
        "bad": 5, "is bad": 4, "bad .": 3, "food is bad": 3, "is bad .": 3, "food is bad .": 3, "the food is bad": 3,
    }  # fmt: skip
    marked = known.mark("It was GOOD!", "glad")
    assert (marked.content, marked.markers) == (["It", "was", "!"], [["GOOD"]])


def test_texts_of_the_train_split_with_a_marker_and_enough_content_are_retrieved_once(known: StyleMarkers) -> None:
    assert known.texts["glad"] == ["The food is good.", "our room  was Good", "good dogs run home"]
    found = known.retrieve(["dogs", "run"], "glad", 2)
    assert [one.text for one in found] == ["good dogs run home", "The food is good."]
    assert found[0].marked.markers == [["good"]]
    assert len(known.retrieve([], "glad", 10)) == 3


def test_what_is_saved_is_loaded(known: StyleMarkers, tmp_path: Path) -> None:
    save_style_markers(known, tmp_path)
    loaded = load_style_markers(tmp_path, ("sad", "glad"), 4)
    assert loaded.markers == known.markers
    assert loaded.texts["glad"] == ["The food is good.", "our room was Good", "good dogs run home"]


@pytest.mark.parametrize("name", [MARKER_FILE, TEXT_FILE])
@pytest.mark.parametrize("content", [b"", b"0\tx", b"2\t1.0\tbad\n", b"0\tbad\n0\tx\ty\tz\n", b"\xff\n"])
def test_a_broken_file_is_a_sentence(known: StyleMarkers, tmp_path: Path, name: str, content: bytes) -> None:
    save_style_markers(known, tmp_path)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UserError) as error:
        load_style_markers(tmp_path, ("sad", "glad"), 4)
    assert error.value.where == name


def test_without_markers_it_says_so() -> None:
    with pytest.raises(UserError, match="salience above 15") as error:
        learn_style_markers(DATA, MarkerOptions(), "A model")
    assert error.value.where == "sad"


@pytest.mark.parametrize("styles", [("sad",), ("a", "b", "c")])
def test_texts_of_other_than_two_styles_are_refused(styles: tuple[str, ...]) -> None:
    with pytest.raises(UserError, match="two styles"):
        learn_style_markers(replace(DATA, texts=dict.fromkeys(styles, ("a b",))), OPTIONS, "A model")


def test_the_papers_values_are_the_defaults() -> None:
    options = MarkerOptions()
    assert (options.threshold, options.marker_smoothing, options.marker_words) == (15, 1, 4)
    assert [preset.options["threshold"] for preset in MARKER_PRESETS.values()] == [15, 5.5, 5]
