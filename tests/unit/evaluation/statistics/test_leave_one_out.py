"""One rater against the others: the definition of Agirre et al. (2012), written out with scipy's r."""

import numpy as np
import pytest
from scipy.stats import pearsonr

from evaluation.resampling import Bootstrap
from evaluation.statistics import STATISTICS

pytestmark = pytest.mark.filterwarnings("error")
method = STATISTICS["leave_one_out"]


def judgements(raters=4, systems=5, sentences=12, share=0.8):
    """In long form: rater, item, value, system, source; rater 0 judged three items only."""
    random = np.random.default_rng(7)
    table = random.normal(size=systems * sentences) + random.normal(size=(raters, systems * sentences))
    table[random.random(table.shape) > share] = np.nan
    table[0, 3:] = np.nan
    rater, item = np.nonzero(np.isfinite(table))
    return table, (rater, item, table[rater, item]), item // sentences, item % sentences


def test_is_the_mean_of_each_raters_correlation_with_the_mean_of_the_others():
    table, given, _, sources = judgements()
    rs = []
    for rater in range(1, 4):
        others = np.delete(table, rater, axis=0)
        counts = np.isfinite(others).sum(axis=0)
        here = np.isfinite(table[rater]) & (counts > 0)
        rs.append(pearsonr(table[rater, here], np.nansum(others[:, here], axis=0) / counts[here])[0])
    found = method.over(Bootstrap(np.arange(12), 200, 1), *given, sources)
    assert (found.value, found.n) == (pytest.approx(np.mean(rs), abs=1e-12), 3)
    assert found.low < found.value < found.high


def test_by_system_it_is_that_of_the_systems_means():
    table, given, systems, _ = judgements()
    rs = []
    for rater in range(1, 4):
        others = np.delete(table, rater, axis=0)
        counts = np.isfinite(others).sum(axis=0)
        here = np.isfinite(table[rater]) & (counts > 0)
        mean = np.nansum(others, axis=0) / np.maximum(counts, 1)
        pairs = [
            (table[rater, at].mean(), mean[at].mean())
            for at in (here & (np.arange(60) // 12 == system) for system in range(5))
            if at.any()
        ]
        rs.append(pearsonr(*zip(*pairs, strict=True))[0])
    found = method.by_system(*given, systems)
    assert (found.value, found.n) == (pytest.approx(np.mean(rs), abs=1e-12), 3)


def test_one_rater_alone_has_no_others():
    items = np.arange(6)
    for found in (
        method.over(Bootstrap(items, 10, 1), np.zeros(6), items, items * 1.0, items),
        method.by_system(np.zeros(6), items, items * 1.0, items),
    ):
        assert (found.value, found.n) == (None, 0)
        assert found.undefined.startswith("No rater judged 4 ")
