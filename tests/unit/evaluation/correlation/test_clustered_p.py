"""p of a correlation whose points come in groups: it goes with the interval, and takes no chance for a relation."""

import numpy as np
import pytest
from scipy import stats

from evaluation.statistics import STATISTICS

SOURCES = np.repeat(np.arange(40), 6)


def alike(random):
    """x and y that have nothing to do with each other, both nearly the same in all six points of a source."""
    return (random.normal(size=40)[SOURCES] + 0.3 * random.normal(size=240) for _ in range(2))


@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall"])
def test_p_is_below_five_percent_where_the_interval_is_off_zero_but_for_a_draw(name):
    random, off = np.random.default_rng(0), 0
    for seed in range(12):
        x, y = alike(random)
        found = STATISTICS[name].correlate(x, y + 0.35 * x, SOURCES, draws=199, seed=seed)
        off_zero = found.low > 0 or found.high < 0
        assert off_zero if found.p < 0.05 else not off_zero or found.p <= 0.06
        off += found.p < 0.05
    assert 0 < off < 12


def test_equal_points_of_a_source_do_not_make_p_small():
    """Of 200 pairs without a relation scipy's p finds most "significant"; p by source about one in twenty."""
    random, clustered, plain = np.random.default_rng(1), 0, 0
    for seed in range(200):
        x, y = alike(random)
        clustered += STATISTICS["pearson"].correlate(x, y, SOURCES, draws=199, seed=seed).p < 0.05
        plain += stats.pearsonr(x, y).pvalue < 0.05
    assert plain > 80
    assert clustered < 24


def test_points_of_their_own_have_scipys_p():
    random = np.random.default_rng(2)
    x, y = random.normal(size=(2, 30))
    assert STATISTICS["pearson"].correlate(x, y).p == pytest.approx(stats.pearsonr(x, y).pvalue)


def test_too_few_sources_have_no_p():
    x, y = np.random.default_rng(3).normal(size=(2, 12))
    assert STATISTICS["pearson"].correlate(x, y, np.repeat([1, 2, 3], 4)).p is None
