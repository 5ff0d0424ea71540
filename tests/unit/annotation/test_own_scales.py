"""Scales of a lab's own, in one line."""

import pytest

from annotation.scales import SCALES, canonical_line, is_own, line_of, short_name
from foundation.errors import UserError

MOOD = "mood | ordinal | 1 Rude | 2 | 3 Polite | rude > polite"
PART = "adequacy | interval | 0 .. 1 step 0.01 | 0 Nothing | 1 All"


def test_a_line_is_a_scale_with_levels_words_poles_and_measurement():
    scale = SCALES[MOOD]
    assert (scale.label, scale.measurement, scale.poles, scale.values) == (
        "mood", "ordinal", ("rude", "polite"), (1, 2, 3),
    )  # fmt: skip
    assert [(level.label, level.key) for level in scale.levels] == [("Rude", "1"), ("2", "2"), ("Polite", "3")]
    assert scale.parse("3") == 3
    assert MOOD in SCALES
    assert is_own(MOOD)
    assert short_name(MOOD) == "mood"
    assert short_name("likert_5") == "likert_5"
    assert SCALES["sign | ordinal | -1 Worse | 0 Same | 1 Better"].values == (-1, 0, 1)


@pytest.mark.parametrize(("values", "keys"), [
    ("0 1 2 3 4 5", "0 1 2 3 4 5"), ("-2 -1 0 1 2", "-2 -1 0 1 2"), ("0 1 2 3 4 5 6 7 8 9", "0 1 2 3 4 5 6 7 8 9"),
    ("10 20 30", "1 2 3"), ("0 50 100", "1 2 3"), ("1.5 2.5", "1 2"),
    ("1 1.5 2", None), ("2 10 20", None), (" ".join(map(str, range(15))), None),
])  # fmt: skip
def test_a_key_is_the_number_that_the_page_shows_and_never_that_of_another_level(values, keys):
    levels = SCALES[" | ".join(["any", "ordinal", *values.split()])].levels
    assert [level.key for level in levels] == (keys.split() if keys else [""] * len(levels))


def test_a_range_has_its_steps_and_takes_any_number_between_from_elsewhere():
    scale = SCALES[PART]
    assert (scale.kind, len(scale.values), scale.values[1], scale.values[30], scale.highest) == (
        "range", 101, 0.01, 0.3, 1,
    )  # fmt: skip
    assert scale.parse("0.30") == 0.3
    assert scale.parse("1") == 1
    assert scale.holds(0.123)
    assert not scale.holds(1.1)
    for wrong in ("0.005", "1.5", "", "x", "1e-1"):
        with pytest.raises(UserError, match="the steps of"):
            scale.parse(wrong)


def test_the_parts_make_the_line_and_spaces_do_not_matter():
    levels = [("1", "Rude"), ("2", ""), ("3", "Polite")]
    assert line_of("mood", "ordinal", levels, None, ("rude", "polite")) == MOOD
    assert line_of("adequacy", "interval", [("0", "Nothing"), ("1", "All")], ("0", "1", "0.01")) == PART
    assert canonical_line("mood|ordinal|1  Rude |2|3 Polite|rude > polite") == MOOD
    assert canonical_line("likert_5") == "likert_5"


@pytest.mark.parametrize(("line", "where"), [
    ("| ordinal | 0 | 1", "name"), ("5 | ordinal | 0 | 1", "name"), ("mood | fine | 0 | 1", "measurement"),
    ("mood |", "measurement"), ("mood | ordinal | 0 Bad", "levels"), ("mood | ordinal | 1 Bad | 0 Good", "levels"),
    ("mood | ordinal | 0 Bad | 0 Good", "levels"), ("mood | ordinal | 0 Bad | 1 bad", "levels"),
    ("mood | ordinal | Bad | Good", "levels"), ("mood | interval | 1 .. 0", "ends"),
    ("mood | interval | 0 .. 1 step 0.3", "ends"), ("mood | interval | 0 .. 9 step 0.0001", "ends"),
    ("mood | interval | 0 .. 10 | 5 Middle", "levels"),
    ("mood | ordinal | " + " | ".join(map(str, range(31))), "levels"),
])  # fmt: skip
def test_what_is_wrong_with_a_line_is_named(line, where):
    assert line not in SCALES
    with pytest.raises(UserError) as refused:
        _ = SCALES[line]
    assert refused.value.where == where
