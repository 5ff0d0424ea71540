"""Numbers as a reader expects them; the expected words were written by hand."""

import pytest

from foundation.options import number_in_words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "0"), (0.0, "0"), (1, "1"), (10.0, "10"), (16_384, "16,384"), (1e6, "1,000,000"), (-5, "-5"),
        (1e22, "10,000,000,000,000,000,000,000"), (0.5, "0.5"), (1234.25, "1,234.25"), (0.999999, "0.999999"),
        (0.001, "0.001"), (0.0001, "0.0001"), (1e-8, "10⁻⁸"), (1e-16, "10⁻¹⁶"), (-1e-8, "-1 × 10⁻⁸"),
        (5e-05, "5 × 10⁻⁵"), (2.5e-05, "2.5 × 10⁻⁵"),
    ],
)  # fmt: skip
def test_a_number_is_written_as_people_read_it(value, words):
    assert number_in_words(value) == words
