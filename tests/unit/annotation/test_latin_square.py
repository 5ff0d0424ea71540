"""Williams designs: each candidate in each place, and after each other one, equally often."""

import itertools
from collections import Counter

import pytest

from annotation.presentation_order import latin_square


@pytest.mark.parametrize("size", range(1, 12))
def test_each_candidate_stands_in_each_place_equally_often_over_any_consecutive_rows(size: int) -> None:
    for start in (0, 1, 5):
        seen = [latin_square.row(size, start * size + number) for number in range(size)]
        for place in range(size):
            assert sorted(row[place] for row in seen) == list(range(size))


@pytest.mark.parametrize("size", range(2, 12))
def test_each_follows_each_other_equally_often(size: int) -> None:
    pairs: Counter[tuple[int, int]] = Counter()
    for number in range(latin_square.rows(size)):
        row = latin_square.row(size, number)
        pairs.update(itertools.pairwise(row))
    assert len(pairs) == size * (size - 1)
    assert set(pairs.values()) == {latin_square.rows(size) // size}


def test_the_design_begins_again() -> None:
    for size in (1, 4, 5):
        assert latin_square.row(size, 3) == latin_square.row(size, 3 + 7 * latin_square.rows(size))
    assert latin_square.row(0, 3) == ()


def test_the_first_rows_for_four_are_the_textbook_ones() -> None:
    assert [latin_square.row(4, number) for number in range(4)] == [
        (0, 1, 3, 2),
        (1, 2, 0, 3),
        (2, 3, 1, 0),
        (3, 0, 2, 1),
    ]
