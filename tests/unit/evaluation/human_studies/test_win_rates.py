"""The win rate of people alone, against a count of the pairs by hand."""

import pytest

from evaluation.human_studies.main_comparison import _won

PAGES = {
    (1, "ann"): {"New": 1.0, "Old": 2.0, "Third": 3.0},
    (1, "bob"): {"New": 2.0, "Old": 1.0},
    (2, "ann"): {"New": 1.0, "Old": 1.0},  # a tie
    (3, "ann"): {"New": 1.0, "Old": 4.0},
    (4, "bob"): {"New": 1.0},  # without the baseline
}


@pytest.mark.parametrize(("sign", "rate"), [(-1.0, (0.5 + 0.5 + 1) / 3), (1.0, (0.5 + 0.5 + 0) / 3)])
def test_pairs_count_within_one_persons_ranking_and_a_source_once(sign, rate):
    found = _won(PAGES, "New", "Old", sign)
    assert found.mean == pytest.approx(rate)
    assert found.n == 4


def test_without_a_pair_there_is_none():
    assert _won(PAGES, "Third", "New", -1.0).n == 1
    assert _won({(1, "ann"): {"New": 1.0}}, "New", "Old", 1.0) is None
