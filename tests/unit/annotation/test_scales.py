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
    assert len({level.key for level in levels}) == len(levels)
    assert all(len(level.key) == 1 for level in levels)


@pytest.mark.parametrize("name", SCALES.names())
def test_each_value_comes_back_from_a_number_and_from_its_text(name: str) -> None:
    scale = SCALES[name]
    for level in scale.levels:
        assert scale.check(level.value) == level.value
        assert scale.check(float(level.value)) == level.value
        assert scale.parse(f" {level.value} ") == level.value


@pytest.mark.parametrize("wrong", [True, False, None, "1", 2.5, 99, math.nan, math.inf, [1], {}])
def test_what_is_off_the_scale_is_refused(wrong: object) -> None:
    with pytest.raises(UserError, match=r"choose one of 1, 2, 3, 4, 5\."):
        SCALES["likert_5"].check(wrong)


@pytest.mark.parametrize("wrong", ["", "0", "6", "one", "1.5", "٣", "-1", "nan"])
def test_text_off_the_scale_is_refused(wrong: str) -> None:
    with pytest.raises(UserError, match=r"choose one of"):
        SCALES["likert_5"].parse(wrong)


def test_the_papers_own_labels() -> None:
    formality, fluency, meaning = (SCALES[name] for name in ("formality_7", "fluency_5", "meaning_6"))
    assert [level.value for level in formality.levels] == [-3, -2, -1, 0, 1, 2, 3]
    assert [level.key for level in formality.levels] == list("1234567")
    assert formality.label_of(-1) == "Somewhat Informal"
    assert fluency.label_of(1) == "Other"
    assert fluency.label_of(5) == "Perfect"
    assert meaning.label_of(6) == "Completely equivalent"
    assert meaning.label_of(1) == "Completely dissimilar"
    assert (formality.lowest, formality.highest) == (-3, 3)
