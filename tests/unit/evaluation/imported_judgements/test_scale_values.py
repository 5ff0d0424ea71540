"""Values as people wrote them, on a scale."""

from collections import Counter

import pytest

from evaluation.imported_judgements.criterion_planning import (
    ValueReading,
    likely_readings,
    proposed_scale,
    readings,
    seems_another_scale,
    words_in_passing,
)


def test_values_are_numbers_or_labels_and_scales_may_be_turned_or_counted_from_1():
    assert [ValueReading("formality_7").value(one) for one in ("-3", "2.0", "Somewhat Formal", "somewhat formal")] == [
        -3, 2, 1, 1,
    ]  # fmt: skip
    assert ValueReading("formality_7, from 1").value("1") == -3
    assert ValueReading("formality_7, from 1 reversed").value("1") == 3
    assert ValueReading("likert_5, reversed").value("5 - Very good") == 1
    assert [ValueReading("likert_5").value(one) for one in ("6", "4.5", "x", "")] == [None] * 4
    assert "formality_7, from 1" in dict(readings(["1", "7"]))
    assert "formality_7" not in dict(readings(["1", "7"]))
    assert "likert_5" in dict(readings(["1", "5"]))
    assert dict(readings(["Somewhat Formal"])).keys() == {"formality_7", "formality_7, reversed"}


@pytest.mark.parametrize("text", ["4-5", "3/4", "2 or 3", "4-Mar", "04-Mar", "4. Mrz", "5 5", "1-2 (unsure)", "4 5 6"])
def test_what_may_be_two_numbers_or_a_date_is_none(text):
    assert ValueReading("likert_5").value(text) is None


@pytest.mark.parametrize("text", [
    "4", "4.0", "4,0", " 4 ", "(4)", "4.", "4 - Good", "4-Good", "4: Good", "4 (good)", "(4) good", "4 = good", 
    "4 good", "4/5", "4 out of 5", "4 Marvellous things",
])  # fmt: skip
def test_a_number_before_words_is_the_number(text):
    assert ValueReading("likert_5").value(text) == 4


@pytest.mark.parametrize(("text", "value"), [
    ("0.8333333333333334", 5 / 6), ("0.16666666666666663", 0.16666666666666663), ("1e-05", 1e-5), ("6.25E-2", 0.0625),
])  # fmt: skip
def test_numbers_with_all_their_digits_are_read_as_programs_write_them(text, value):
    assert ValueReading("share | interval | 0 .. 1 step 0.01").value(text) == value


def test_penalties_get_a_scale_that_ends_at_0():
    assert proposed_scale("mqm", ["-27.500000000000007", "-0.0", "-72.0"]) == "mqm | interval | -100 .. 0 step 0.01"
    assert proposed_scale("change", ["-0.5", "0.25"]) == "change | interval | -1 .. 1 step 0.01"


def test_words_are_a_legend_or_said_in_passing():
    assert words_in_passing(["1 - Bad", "2", "5 - Good", "5 - Good"]) == []
    assert words_in_passing(["1 (unsure)", "4", "5"]) == ["1 (unsure)"]
    assert words_in_passing(["1 (unsure)", "1", "5 (unsure)", "5"]) == ["1 (unsure)", "5 (unsure)"]


def test_a_range_takes_decimals_and_is_turned_around_its_middle():
    assert ValueReading("slider_100").value("99.5") == 99.5
    assert ValueReading("slider_100, reversed").value("40,25") == 59.75
    assert ValueReading("slider_100").value("100.5") is None


@pytest.mark.parametrize(("values", "scale", "another"), [
    (["1", "2", "3", "4", "5"], "slider_100", True),
    (["0", "0.5", "1"], "slider_100", True),
    (["88", "95"], "slider_100", False),
    (["0", "3", "100"], "slider_100", False),
    (["0", "1", "2"], "formality_7", True),
    (["0", "3"], "formality_7", False),
    (["-3", "0"] * 10, "formality_7", True),
    (["1", "2", "3"] * 10, "fluency_5", True),
    (["1", "2", "3"], "fluency_5", False),
    (["3", "5"], "fluency_5", False),
    (["1", "5"], "fluency_5", False),
    (["1", "5"], "meaning_6", True),
])  # fmt: skip
def test_values_that_end_where_a_shorter_scale_ends_look_like_it(values, scale, another):
    assert seems_another_scale(Counter(values), scale) is another


def test_scales_that_most_values_fit_are_offered_best_first():
    offered = [reading for reading, _ in likely_readings({"1": 10, "5": 10, "perhaps": 8})]
    assert {"likert_5", "fluency_5"} <= set(offered)
    assert "likert_5" in dict(likely_readings({"4-5": 30, "5": 1}))
    assert likely_readings({"perhaps": 3}) == []
