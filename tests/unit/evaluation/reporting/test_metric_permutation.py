import numpy as np
import pytest

from evaluation.reporting.metric_permutation import MetricPermutations
from evaluation.statistics.perm_both import compare


@pytest.fixture
def given():
    numbers = np.random.default_rng(4)
    human = numbers.normal(size=(6, 40)) + np.arange(6)[:, None] / 4
    metrics = {f"m{spread}": human + spread * numbers.normal(size=human.shape) for spread in (1, 2, 3)}
    metrics["m2"][5] = np.nan  # a system that one metric does not score
    metrics["m3"][2, 7] = np.nan
    human[1, 3] = np.nan
    metrics["flat"] = np.ones_like(human)
    return metrics, human


@pytest.mark.parametrize("level", ["none", "system"])
def test_many_comparisons_at_once_are_each_that_of_perm_both(given, level):
    metrics, human = given
    pairs = MetricPermutations(metrics, human, draws=300, seed=9)
    for first, second in (("m1", "m2"), ("m1", "m3"), ("m3", "m2"), ("m1", "m2")):
        expected = compare(metrics[first], metrics[second], human, level, "pearson", draws=300, seed=9)
        found = pairs.compare(first, second, level)
        assert found.statistic == pytest.approx(expected.statistic, abs=1e-12)
        assert (found.p, found.n) == (expected.p, expected.n)


def test_a_metric_that_says_the_same_of_everything_cannot_be_compared(given):
    found = MetricPermutations(*given).compare("m1", "flat", "none")
    assert (found.p, found.undefined) == (None, "All scores of flat are the same.")


def test_draws_in_which_a_metric_says_the_same_of_everything_do_not_count():
    """Their sums differ by rounding alone, which must not pass for a correlation."""
    first = np.full((2, 6), 0.1)
    second = first / 3
    first[0, 0], second[1, 2] = 0.7, 0.7 / 3  # a swap of the first item takes away all that is not the same
    human = np.random.default_rng(2).normal(size=first.shape)
    expected = compare(first, second, human, "none", "pearson", draws=400, seed=1)
    found = MetricPermutations({"x": first, "y": second}, human, draws=400, seed=1).compare("x", "y", "none")
    assert found.statistic == pytest.approx(expected.statistic, abs=1e-12)
    assert (found.p, found.undefined) == (None, "In too many of the draws a correlation has no value.")
    assert (expected.p, expected.undefined) == (found.p, found.undefined)
