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
    # 80 ((1.96 + 0.84)^2 / 1.625 + 1.96^2 / 80 - 1) and 80 ((2.81 + 0.84)^2 / 1.625 + 2.81^2 / 80 - 1), upwards
    assert needed == [320, 590]


@pytest.mark.parametrize("test", [Test(0.0, 1.0, 40, 0.0), Test(None, None, 2, None), Test(1e-9, 1.0, 40, 1e-6)])
def test_without_a_difference_no_number_would_do(test):
    assert more_judgements(test, 80, 0.05, 1) is None


@pytest.mark.parametrize(("effect", "sources"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_sources_are_those_of_the_tables_of_power(effect, sources):
    """Matched pairs, two-sided, alpha 0.05, power 0.8: G*Power 3.1 gives so many pairs for Cohen's d."""
    n = 10
    r = effect / (effect**2 + (n - 1) / n) ** 0.5  # the effect of approximate randomization for a d over n sources
    more = more_judgements(Test(effect, 0.2, n, r), n, 0.05, 1)
    assert sources - n - 1 <= more <= 1.1 * (sources - n), "two digits are kept, upwards"


def test_six_systems_that_were_undecided_are_told_apart_by_so_many_more_four_times_of_five():
    """Simulated ratings of six systems: of studies that are larger by the number that a first one asked for, at least
    four of five find the best system ahead of the second by Holm's correction over all 15 pairs.
    """
    random = np.random.default_rng(5)
    gains = np.array([0.3, 0.0, -1, -1.2, -1.4, -1.6])
    sources, raters = 30, 3

    def means(n):
        return gains + random.normal(size=(n, 1)) + random.normal(0, 1, (n, 6)) + random.normal(
            0, 1, (n, 6, raters)).mean(axis=2)  # fmt: skip

    first = means(sources)
    apart = first[:, 0] - first[:, 1]
    first[:, 0] += 0.3 - apart.mean()  # the difference that is seen is the true one, and so is its deviation
    centred = first[:, 0] - first[:, 1]
    true = (1 + 1 + 2 / raters) ** 0.5
    first[:, 0] = first[:, 1] + 0.3 + (centred - 0.3) * true / centred.std(ddof=1)
    test = STATISTICS["approximate_randomization"].compare(first[:, 0], first[:, 1], draws=2000)
    judgements = sources * 6 * raters
    more = more_judgements(test, judgements, 0.05, 15)
    larger = sources + more // (6 * raters)
    one, other = np.triu_indices(6, 1)
    found = 0
    for _ in range(400):
        drawn = means(larger)
        found += _holm(stats.ttest_rel(drawn[:, one], drawn[:, other]).pvalue)[0] < 0.05
    assert found / 400 >= 0.76, "Holm finds at least what Bonferroni does"


def _holm(p_values):
    order = np.argsort(p_values)
    stepped = np.maximum.accumulate(np.sort(p_values) * np.arange(len(p_values), 0, -1))
    corrected = np.empty(len(p_values))
    corrected[order] = stepped
    return corrected
