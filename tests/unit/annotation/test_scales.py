"""Every scale: distinct values, labels and keys; a value off the scale is refused with a sentence."""

import math

import pytest

from annotation.scales import SCALES
from foundation.errors import UserError


@pytest.mark.parametrize("name", SCALES.names())
def test_values_rise_and_nothing_is_doubled(name: str) -> None:
    levels = SCALES[name].levels
    values = [level.value for level in levels]
    assert values == sorted(set(values))
    assert len({level.label for level in levels}) == len(levels)
    keys = [level.key for level in levels]
    if SCALES[name].kind == "range":
        assert set(keys) == {""}
    else:
        assert len(set(keys)) == len(levels)
        assert keys == [str(value) for value in values]  # as the page shows them


@pytest.mark.parametrize("name", SCALES.names())
def test_each_value_comes_back_from_a_number_and_from_its_text(name: str) -> None:
    scale = SCALES[name]
    for value in scale.values:
        assert scale.check(value) == value
        assert isinstance(scale.check(float(value)), int)
        assert scale.parse(f" {value} ") == value
    assert (scale.lowest, scale.highest) == (scale.levels[0].value, scale.levels[-1].value)


@pytest.mark.parametrize("wrong", [True, False, None, "1", 2.5, 99, math.nan, math.inf, [1], {}])
def test_what_is_off_the_scale_is_refused(wrong: object) -> None:
    with pytest.raises(UserError, match=r"choose one of 1, 2, 3, 4, 5\."):
        SCALES["likert_5"].check(wrong)


@pytest.mark.parametrize("wrong", ["", "0", "6", "one", "1.5", "٣", "-1", "nan"])
def test_text_off_the_scale_is_refused(wrong: str) -> None:
    with pytest.raises(UserError, match=r"choose one of"):
        SCALES["likert_5"].parse(wrong)


@pytest.mark.parametrize("wrong", [True, None, "50", 50.5, -1, 101, math.nan])
def test_a_range_takes_its_whole_numbers_alone(wrong: object) -> None:
    slider = SCALES["slider_100"]
    assert slider.values == tuple(range(101))
    with pytest.raises(UserError, match=r"choose one of the whole numbers from 0 to 100\."):
        slider.check(wrong)
    for text in ("", "101", "-1", "50.0", "٥", "fifty", "0101", "0-1"):
        with pytest.raises(UserError):
            slider.parse(text)
    assert [slider.parse(text) for text in ("07", "000", "0100", "50")] == [7, 0, 100, 50]
    assert (slider.label_of(100), slider.label_of(73)) == ("Strongly agree", "73")
    assert slider.measurement == "interval"


def test_what_stands_beside_is_the_papers() -> None:
    assert {name: SCALES[name].beside for name in ("content_5", "similarity_3", "slider_100")} == {
        "content_5": "source_and_reference",  # MSD: "given both input and gold references"
        "similarity_3": "source",  # Fu: pairs of a source and what it was transferred to
        "slider_100": "",
    }


def test_the_papers_own_labels() -> None:
    formality, fluency, meaning = (SCALES[name] for name in ("formality_7", "fluency_5", "meaning_6"))
    assert [level.value for level in formality.levels] == [-3, -2, -1, 0, 1, 2, 3]
    assert formality.label_of(-1) == "Somewhat Informal"
    assert fluency.label_of(1) == "Other"
    assert fluency.label_of(5) == "Perfect"
    assert meaning.label_of(6) == "Completely equivalent"
    assert meaning.label_of(1) == "Completely dissimilar"
    assert (formality.lowest, formality.highest) == (-3, 3)
    assert [SCALES["similarity_3"].label_of(value) for value in (2, 1, 0)] == [
        "Very similar",
        "Somewhat similar",
        "Not similar",
    ]
