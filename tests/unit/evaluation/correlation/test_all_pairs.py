"""One report's correlations: shared draws, and points that are missing."""

import time
from dataclasses import astuple

import numpy as np
import pytest

from evaluation.correlation import correlate_all
from evaluation.resampling import Bootstrap
from evaluation.statistics import STATISTICS, Coefficient, of_kind

pytestmark = pytest.mark.filterwarnings("error")


def report(points, groups, seed=0):
    rng = np.random.default_rng(seed)
    human = rng.integers(5, 26, points) / 5
    metrics = {"close": human + rng.normal(size=points), "noise": rng.normal(size=points)}
    return metrics, {"fluency": human}, np.arange(points) % groups


def test_is_each_coefficient_on_its_own():
    metrics, criteria, groups = report(120, 30)
    found = correlate_all(metrics, criteria, groups, of_kind(Coefficient), Bootstrap(groups, 100, 5))
    assert len(found) == 6
    for (metric, criterion, name), correlation in found.items():
        alone = STATISTICS[name].correlate(metrics[metric], criteria[criterion], groups, draws=100, seed=5)
        assert astuple(alone)[:5] == pytest.approx(astuple(correlation)[:5], abs=1e-12)
        assert (alone.undefined, alone.note) == (correlation.undefined, correlation.note) == ("", "")
    assert found["close", "fluency", "kendall"].low > found["noise", "fluency", "kendall"].high


def test_the_order_of_the_points_does_not_matter():
    metrics, criteria, groups = report(120, 30)
    order = np.random.default_rng(1).permutation(120)
    found = correlate_all(metrics, criteria, groups, of_kind(Coefficient), Bootstrap(groups, 100))
    again = correlate_all(
        {name: values[order] for name, values in metrics.items()},
        {name: values[order] for name, values in criteria.items()},
        groups[order],
        of_kind(Coefficient),
        Bootstrap(groups[order], 100),
    )
    for key, correlation in found.items():
        assert (again[key].value, again[key].low, again[key].high) == pytest.approx(
            (correlation.value, correlation.low, correlation.high), abs=1e-12
        )


def test_a_pair_is_taken_over_the_points_that_have_both():
    metrics, criteria, groups = report(120, 30)
    metrics["close"][:7] = np.nan
    criteria["fluency"][5:10] = np.nan
    metrics["none"] = np.full(120, np.nan)
    found = correlate_all(metrics, criteria, groups, of_kind(Coefficient), Bootstrap(groups, 50))
    here = slice(10, None)
    for name, coefficient in of_kind(Coefficient).items():
        close = found["close", "fluency", name]
        assert close.n == 110
        assert close.value == coefficient.correlate(metrics["close"][here], criteria["fluency"][here], draws=5).value
        assert close.low < close.value < close.high
        assert found["noise", "fluency", name].n == 115
        assert found["none", "fluency", name].undefined == "A correlation needs three points or more; there are 0."


def test_pairs_over_points_of_their_own_are_those_points_alone():
    """Each metric and criterion lacks points of its own, so no two pairs share theirs; groups may lose all points."""
    metrics, criteria, groups = report(1600, 400)
    rng = np.random.default_rng(9)
    criteria["meaning"] = rng.integers(1, 7, 1600).astype(float)
    for values in (*metrics.values(), *criteria.values()):
        values[rng.random(1600) < 0.1] = np.nan
    metrics["close"][groups < 20] = np.nan
    draws = Bootstrap(groups, 60, 2)
    found = correlate_all(metrics, criteria, groups, of_kind(Coefficient), draws)
    assert list(found)[:4] == [("close", "fluency", name) for name in of_kind(Coefficient)] + [
        ("close", "meaning", "kendall")
    ]
    for (metric, criterion, name), correlation in found.items():
        here = ~(np.isnan(metrics[metric]) | np.isnan(criteria[criterion]))
        alone = STATISTICS[name].over(draws, metrics[metric][here], criteria[criterion][here], groups[here])
        assert astuple(alone)[:5] == pytest.approx(astuple(correlation)[:5], abs=1e-12)


def test_the_correlations_of_a_whole_report_come_quickly():
    """10 systems x 2,000 sentences, 20 metrics, 4 criteria, 3 coefficients: 2 to 4 s on a quiet processor."""
    rng = np.random.default_rng(1)
    groups = np.tile(np.arange(2000), 10)
    quality = rng.normal(size=20_000)
    criteria = {f"criterion {i}": np.round(quality + rng.normal(size=20_000), 1) for i in range(4)}
    metrics = {f"metric {i}": quality + rng.normal(size=20_000) * (i + 1) for i in range(20)}
    started = time.process_time()
    found = correlate_all(metrics, criteria, groups, of_kind(Coefficient), Bootstrap(groups, 1000, 1))
    assert time.process_time() - started < 30
    assert len(found) == 240
    assert all(one.low < one.value < one.high for one in found.values())
