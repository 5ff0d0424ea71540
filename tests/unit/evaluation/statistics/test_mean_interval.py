"""Means: the textbook's interval without groups, statsmodels' with them, and a reason where there is none."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.statistics import STATISTICS
from evaluation.statistics.mean_interval import mean_interval

pytestmark = pytest.mark.filterwarnings("error")


@given(st.lists(st.integers(1, 7), min_size=2, max_size=40).filter(lambda values: len(set(values)) > 1))
def test_a_judgement_a_source_is_the_textbooks_interval(values):
    found = mean_interval(values, [f"s{i}" for i in range(len(values))])
    low, high = stats.t.interval(0.95, len(values) - 1, np.mean(values), stats.sem(values))
    assert (found.mean, found.low, found.high) == pytest.approx((np.mean(values), low, high))
    plain = mean_interval(values)
    assert (found.mean, found.low, found.high) == pytest.approx((plain.mean, plain.low, plain.high))


GOLDEN = json.loads((Path(__file__).parents[3] / "golden/statistics/mean_interval_statsmodels.json").read_text())


@pytest.mark.parametrize("made", GOLDEN["examples"], ids=lambda made: made["name"])
def test_statsmodels_cluster_robust_interval(made):
    found = mean_interval(made["values"], made["groups"])
    assert (found.mean, found.low, found.high) == pytest.approx((made["mean"], made["low"], made["high"]), abs=1e-9)


TWO_WAY = json.loads(
    (Path(__file__).parents[3] / "golden/statistics/mean_interval_two_way_statsmodels.json").read_text()
)


@pytest.mark.parametrize("made", TWO_WAY["examples"], ids=lambda made: made["name"])
def test_statsmodels_variance_of_two_kinds_of_clusters(made):
    """The interval is Satterthwaite's t times the root of the larger of both and of sources alone."""
    found = mean_interval(made["values"], made["groups"], made["raters"])
    variance = max(made["both"], made["sources"])
    kinds = ((made["sources"], made["groups"]), (made["by_raters"], made["raters"]))
    degrees = variance**2 / sum(part**2 / (len(set(labels)) - 1) for part, labels in kinds)
    reach = stats.t.ppf(0.975, max(degrees, 1)) * variance**0.5
    assert (found.mean, found.low, found.high) == pytest.approx(
        (made["mean"], made["mean"] - reach, made["mean"] + reach), abs=1e-9
    )


def test_equal_judgements_of_a_source_count_once():
    values = [1, 4, 2, 5, 3, 3, 5]
    once = mean_interval(values)
    found = mean_interval(np.repeat(values, 5), np.repeat(np.arange(7), 5))
    assert (found.mean, found.low, found.high) == pytest.approx((once.mean, once.low, once.high))
    assert (found.n, once.n) == (35, 7)


def test_by_hand():
    """Mean 3; sources' sums about it are -2 (1, 3), 2 (4, 4) and 0 (3): sqrt(3/2 * 8) / 5 times t(2)."""
    found = mean_interval([1, 3, 4, 4, 3], ["a", "a", "b", "b", "c"])
    assert (found.mean, found.n) == (3, 5)
    assert found.high - found.mean == pytest.approx(4.302652729911275 * 12**0.5 / 5)
    assert found.mean - found.low == pytest.approx(found.high - found.mean)


def test_covers_the_truth_where_judgements_of_a_source_are_alike():
    rng = np.random.default_rng(2)
    sources = np.repeat(np.arange(25), 4)
    held = plain = 0
    for _ in range(400):
        values = rng.normal(size=25)[sources] + 0.5 * rng.normal(size=100)
        found, naive = mean_interval(values, sources), mean_interval(values)
        held += found.low <= 0 <= found.high
        plain += naive.low <= 0 <= naive.high
    assert 366 <= held <= 392
    assert plain < 330


def test_each_unit_counts_once_however_many_judged_it():
    found = mean_interval([1, 1, 1, 1, 5], ["a"] * 4 + ["b"], units=["a"] * 4 + ["b"])
    assert (found.mean, found.n) == (3, 5)
    assert mean_interval([1, 1, 1, 1, 5], ["a"] * 4 + ["b"]).mean == pytest.approx(1.8)


def test_two_kinds_of_clusters_by_hand():
    """Four judgements about a mean of 3: sources move by 1.5 - 3 and 4.5 - 3, raters by -1 and 1 each a half."""
    found = mean_interval([1, 2, 4, 5], ["a", "a", "b", "b"], raters=["v", "w", "v", "w"])
    sources, raters, alone = 2 * 2 * 0.75**2, 2 * 2 * 0.25**2, 4 / 3 * 10 / 16
    variance = max(sources + raters - alone, sources)
    degrees = variance**2 / (sources**2 + raters**2)
    assert found.high - found.mean == pytest.approx(stats.t.ppf(0.975, max(degrees, 1)) * variance**0.5)


def test_covers_the_truth_where_raters_differ_in_severity():
    """Four raters, SD 0.5 of severity: an interval over sources alone covers it in every second study."""
    rng = np.random.default_rng(3)
    sources, raters = np.repeat(np.arange(60), 4), np.tile(np.arange(4), 60)
    held = alone = 0
    for _ in range(400):
        values = rng.normal(size=60)[sources] + 0.5 * rng.normal(size=4)[raters] + rng.normal(size=240)
        found, over_sources = mean_interval(values, sources, raters, sources), mean_interval(values, sources)
        held += found.low <= 0 <= found.high
        alone += over_sources.low <= 0 <= over_sources.high
    assert 364 <= held <= 392
    assert alone < 300


def test_a_single_rater_says_nothing_of_others():
    values, sources = [1, 3, 4, 4, 3], ["a", "a", "b", "b", "c"]
    assert mean_interval(values, sources, raters=["w"] * 5) == mean_interval(values, sources)


def test_reasons():
    assert mean_interval([]).undefined == "There are no judgements."
    one = mean_interval([4])
    assert (one.mean, one.low, one.n, one.undefined) == (4, None, 1, "There is no interval: there is one judgement.")
    source = mean_interval([4, 2], ["a", "a"])
    assert (source.mean, source.high) == (3, None)
    assert source.undefined == "There is no interval: all judgements are of one source."
    assert mean_interval([1, float("nan")]).undefined == "1 of the 2 judgements lacks a number."
    with pytest.raises(ValueError, match="equal length"):
        mean_interval([1, 2], ["a"])


def test_is_in_the_registry():
    assert STATISTICS["mean_interval"].mean is mean_interval


def test_weights_repeat_units_and_leave_those_of_none_out():
    values, units = [1.0, 2.0, 4.0, 5.0, 3.0], [0, 0, 1, 2, 3]
    found = mean_interval(values, units, None, units, [1, 1, 3, 1, 0])
    assert found.mean == pytest.approx((1.5 + 3 * 4 + 5) / 5)
    assert found.n == 4
    alike = mean_interval(values[:4], units[:4], None, units[:4], [2, 2, 2, 2])
    assert alike == mean_interval(values[:4], units[:4], None, units[:4])
