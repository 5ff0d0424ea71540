"""Numbers on pages have a minus, no negative nought, and the comma or point of the reader's language."""

import pytest
from django.utils import translation

from evaluation.table_parts.contents import Cell, interval_text, number
from evaluation.views.claims import signed
from evaluation.views.localized_numbers import localized, localized_cell


@pytest.mark.parametrize(("written", "shown"), [
    ("-0.28 to 0.15, n = 120", "−0.28 to 0.15, n = 120"), ("-1.80 to -1.50", "−1.80 to −1.50"),
    ("n - 1, 5-6", "n - 1, 5-6"), ("", ""),
])  # fmt: skip
def test_a_hyphen_before_a_number_is_a_minus(written, shown):
    assert localized(written) == shown


def test_words_stay_as_they_are():
    assert localized_cell(Cell("-5 degrees", small="-1")).text == "-5 degrees"
    interval = Cell("-2.00 to -1.00", parts={"low": -2.0, "high": -1.0})
    assert localized_cell(interval).text == "−2.00 to −1.00", "an interval by itself"
    assert localized_cell(number(-1.5, small="-2.00 to -1.00")).small == "−2.00 to −1.00"


def test_what_rounds_to_nought_has_no_sign():
    assert number(-0.001).text == "0.00"
    assert interval_text(-0.001, 0.2, 2) == "0.00 to 0.20"
    assert signed(-0.004) == "0.00"


@pytest.mark.parametrize(("language", "shown"), [
    ("de", "−0,28 bis 0,15, p = 0,012, n = 120"),
    ("he", "\u2066−0.28\u2069 עד 0.15, p = 0.012, n = 120"),
    ("ar", "\u2066−0.28\u2069 إلى 0.15, p = 0.012, n = 120"),
])  # fmt: skip
def test_numbers_are_written_as_in_the_language_of_the_page(language, shown):
    with translation.override(language):
        assert localized("-0.28 to 0.15, p = 0.012, n = 120") == shown


def test_names_with_digits_are_no_numbers():
    with translation.override("de"):
        assert localized("METEOR-1.5x, v2.0.1, chrF2") == "METEOR-1.5x, v2.0.1, chrF2"
