"""Ranks are of values, and not of what rounding leaves of them: tenths have the ranks that whole numbers have."""

import numpy as np
import pytest

from evaluation.statistics import STATISTICS

# Sums of tenths that are no float: 0.1 + 0.2 is above 0.3, and 0.9 - 0.8 below 0.5 - 0.4.
TENTHS = np.array([0.1 + 0.2, 0.3, 0.7, 0.9, 0.4, 0.8]), np.array([0.3, 0.4, 0.6, 0.8, 0.6, 0.1 + 0.5])
WHOLE = [np.rint(10 * values) for values in TENTHS]


@pytest.mark.parametrize("name", ["wilcoxon", "mann_whitney"])
def test_rank_tests(name):
    tenths, whole = (STATISTICS[name].compare(*values) for values in (TENTHS, WHOLE))
    assert (tenths.statistic, tenths.p, tenths.effect) == (whole.statistic, whole.p, whole.effect)


@pytest.mark.parametrize("groups", [None, [0, 0, 1, 2, 3, 4]])
@pytest.mark.parametrize("name", ["spearman", "kendall"])
def test_rank_coefficients_and_their_intervals(name, groups):
    tenths, whole = (STATISTICS[name].correlate(*values, groups) for values in (TENTHS, WHOLE))
    assert tenths == whole
    assert whole.low is not None


def test_what_is_apart_stays_apart():
    """A difference of one in a million millions of the values is one."""
    a, b = np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    assert STATISTICS["wilcoxon"].compare(a + 1e-10, b).statistic == 15
    assert (
        STATISTICS["wilcoxon"].compare(a + 1e-15, b).undefined == "There is no test: both are the same in all 5 pairs."
    )
