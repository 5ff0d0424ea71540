"""Wilcoxon's and Mann and Whitney's tests: scipy's p, ties counted out, and where there is no test."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from scipy.stats import rankdata

from evaluation.statistics import STATISTICS

pytestmark = pytest.mark.filterwarnings("error")

GOLDEN = json.loads((Path(__file__).parents[3] / "golden" / "statistics" / "rank_tests_scipy.json").read_text())
EXAMPLES = [pytest.param(example, id=example["name"]) for example in GOLDEN["examples"]]
DIRECTIONS = ("two-sided", "greater", "less")
wilcoxon, mann_whitney = STATISTICS["wilcoxon"].compare, STATISTICS["mann_whitney"].compare


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("example", EXAMPLES)
def test_scipys_p(example, direction):
    expected = example[direction]
    assert wilcoxon(example["a"], example["b"], direction=direction).p == pytest.approx(expected["wilcoxon"], rel=1e-9)
    found = mann_whitney(example["a"], example["b"], direction)
    assert found.statistic == expected["u"]
    if "mann_whitney" in expected:
        assert found.p == pytest.approx(expected["mann_whitney"], rel=1e-9)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_ties_are_counted_out(direction):
    found = mann_whitney(GOLDEN["tied"]["x"], GOLDEN["tied"]["y"], direction)
    assert found.p == pytest.approx(GOLDEN["tied"][direction], rel=1e-9)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("levels", [4, 1_000])
def test_beyond_fifty_values_p_is_scipys_normal_one(levels, direction):
    """Ties and continuity corrected as scipy has them, over three orders of p."""
    random = np.random.default_rng(3)
    for shift in (0, 0.1, 0.4):
        x, y = (random.integers(0, levels, n) + 0.0 for n in (37, 61))
        y, z = y + round(shift * levels), random.integers(0, levels, 61) + 0.0
        expected = stats.mannwhitneyu(x, y, alternative=direction, method="asymptotic").pvalue
        assert mann_whitney(x, y, direction).p == pytest.approx(expected, rel=1e-12)
        apart = (y - z)[y != z]
        expected = stats.wilcoxon(apart, alternative=direction, method="asymptotic").pvalue
        assert len(apart) <= 50 or wilcoxon(y, z, direction=direction).p == pytest.approx(expected, rel=1e-12)


def test_a_broken_item_is_told_from_a_good_one():
    """By hand: of the ways to choose 4 of 8 values, those with a sum of ranks as large."""
    good, broken = [5, 4, 5, 4], [1, 1, 2, 4]
    ranks = rankdata(good + broken)
    sums = [sum(chosen) for chosen in combinations(ranks, 4)]
    found = mann_whitney(good, broken, "greater")
    assert found.p == pytest.approx(np.mean(np.array(sums) >= ranks[:4].sum()))
    assert found.effect == (14 + 2 * 0.5) / 16
    assert mann_whitney(broken, good, "greater").p > 0.9


def test_effects_at_the_ends():
    assert wilcoxon([2, 3, 4, 6], [1, 1, 1, 1]).effect == 1
    assert wilcoxon([1, 1, 1, 1], [2, 3, 4, 6]).effect == -1
    assert mann_whitney([5, 6], [1, 2, 3]).effect == 1
    assert mann_whitney([1, 2], [1, 2]).effect == 0.5


def test_rank_biserial_by_hand():
    """Differences 1, -2, 3, 4: ranks 1, 2, 3, 4; above 8, below 2."""
    found = wilcoxon([2, 1, 4, 5], [1, 3, 1, 1])
    assert (found.statistic, found.effect, found.n) == (8, pytest.approx((8 - 2) / 10), 4)


def test_a_source_counts_once():
    a, b = np.array([4, 5, 3, 5, 4.5]), np.array([3, 5, 1, 2, 3])
    once = wilcoxon(a, b)
    thrice = wilcoxon(np.repeat(a, 3), b, np.repeat(range(5), 3), range(5))
    assert thrice == once


@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        ([], [], "there are 0"),
        ([1, 2, 3], [2, 3, 5], "there are 3"),
        ([1, 2, 3, 4], [1, 2, 3, 4], "the same in all 4 pairs"),
        ([1, 2, 3, float("nan")], [2, 3, 4, 5], "not a number"),
    ],
)
def test_where_there_is_no_paired_test(a, b, why):
    found = wilcoxon(a, b)
    assert (found.p, found.effect) == (None, None)
    assert why in found.undefined


@pytest.mark.parametrize(
    ("x", "y", "why"),
    [
        ([], [1, 2, 3, 4], "empty"),
        ([1], [2, 3], "there are 3"),
        ([2, 2, 2], [2, 2], "all 5 values are the same"),
        ([2, 2, float("inf")], [2, 2], "not a number"),
    ],
)
def test_where_there_is_no_test_of_samples(x, y, why):
    found = mann_whitney(x, y)
    assert found.p is None
    assert why in found.undefined


def test_wrong_shapes_are_refused():
    with pytest.raises(ValueError, match="equal length"):
        wilcoxon([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="one-dimensional"):
        mann_whitney([[1, 2]], [1])
