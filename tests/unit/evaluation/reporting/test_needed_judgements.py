"""How many more judgements would decide who is best: held to the power of studies of that size."""

import numpy as np
import pytest
from scipy import stats

from evaluation.numerics import Test
from evaluation.reporting.leaderboard_numbers import more_judgements
from evaluation.statistics import STATISTICS


def test_a_study_of_so_many_finds_the_difference_four_times_of_five():
    random = np.random.default_rng(0)
    apart = random.normal(size=40)
    apart += 0.2 * apart.std() - apart.mean()
    test = STATISTICS["approximate_randomization"].compare(apart, np.zeros(40), draws=5000)
    more = more_judgements(test, 80, 0.05, 1)
    studies = random.normal(0.2, 1, (2000, (80 + more) // 2))
    found = (stats.ttest_1samp(studies, 0, axis=1).pvalue < 0.05).mean()
    assert found == pytest.approx(0.8, abs=0.04)


def test_a_correction_over_more_pairs_needs_more():
    test = Test(0.2, 0.2, 40, 0.2)
    needed = [more_judgements(test, 80, 0.05, pairs) for pairs in (1, 10)]
    assert needed == [310, 580]  # 80 ((1.96 + 0.84)^2 / 1.625 - 1) and 80 ((2.81 + 0.84)^2 / 1.625 - 1), upwards


@pytest.mark.parametrize("test", [Test(0.0, 1.0, 40, 0.0), Test(None, None, 2, None), Test(1e-9, 1.0, 40, 1e-6)])
def test_without_a_difference_no_number_would_do(test):
    assert more_judgements(test, 80, 0.05, 1) is None
