"""A main comparison is over the sentences that both systems have, its means too."""

import pytest

from evaluation.human_studies import main_comparison
from evaluation.human_studies.main_comparison import Values


def test_an_easy_sentence_of_one_system_moves_neither_mean():
    """The baseline alone was judged on the easy sentences 7 to 9: its mean over all would be 3.1, and no worse."""
    values = {
        "base": Values([1, 2, 1, 2, 1, 2, 7, 7, 5], [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        "other": Values([2, 3, 2, 3, 2, 3], [1, 2, 3, 4, 5, 6]),
    }
    asked = {"systems": [], "baseline": "base", "test": "wilcoxon"}
    [compared] = main_comparison._compared(asked, values, 1)
    assert (compared.mean, compared.baseline, compared.test.n) == (2.5, 1.5, 6)
    assert compared.test.p == pytest.approx(2 / 64)


def test_a_resampling_test_takes_as_many_draws_as_the_level_and_the_comparisons_need():
    """Of 1,000 draws the least p is .001, and four times that after Holm's correction: nothing could differ at .001."""
    sentences = list(range(40))
    values = {"base": Values([1.0] * 40, sentences), "other": Values([2.0] * 40, sentences)}
    asked = {"systems": [], "baseline": "base", "test": "approximate_randomization", "alpha": 0.001}
    [compared] = main_comparison._compared(asked, values, 4)
    assert compared.test.p * 4 < 0.001
