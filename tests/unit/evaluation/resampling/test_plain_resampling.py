"""Sums over bootstrap samples and the two paired resampling tests, each source written out, on generated judgements."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.resampling import Bootstrap
from evaluation.statistics import STATISTICS
from foundation.seeds import generator

RESAMPLES, SEED = 40, 5
judgements = st.lists(st.tuples(st.integers(0, 6), st.integers(1, 5)), min_size=4, max_size=20)
ties = st.lists(st.tuples(st.integers(0, 6), st.just(3)), min_size=4, max_size=10)


@given(st.lists(st.tuples(st.integers(0, 5), few := st.integers(-3, 3), few), min_size=1, max_size=15))
def test_sums_over_a_sample_are_those_of_its_rows_written_out(rows):
    groups, parts = [row[0] for row in rows], np.array([row[1:] for row in rows], dtype=float)
    bootstrap = Bootstrap(groups, RESAMPLES, SEED)
    (found,) = bootstrap.sums([(groups, parts)])
    times = bootstrap.weights[:, bootstrap.columns(groups)]
    expected = [[sum(t * v for t, v in zip(drawn, part, strict=True)) for part in parts.T] for drawn in times]
    np.testing.assert_array_equal(found, expected)


def by_source(pairs):
    """source -> its judgements."""
    found = {}
    for source, value in pairs:
        found.setdefault(source, []).append(value)
    return found


def mean(sources):
    values = [value for source in sources for value in source]
    return sum(values) / len(values)


def written_out(name, a, b):
    """The difference of the means, and of each resample."""
    shared = sorted(a.keys() & b.keys())
    first, second = [a[source] for source in shared], [b[source] for source in shared]
    observed = mean(first) - mean(second)
    if name == "paired_bootstrap":
        drawn = [
            np.repeat(np.arange(len(shared)), times.astype(int))
            for times in Bootstrap(np.arange(len(shared)), RESAMPLES, SEED).weights
        ]
        return observed, [mean([first[i] for i in places]) - mean([second[i] for i in places]) for places in drawn]
    coins = generator(SEED, "swap", len(shared)).integers(0, 2, size=(RESAMPLES, len(shared)), dtype=np.int8)
    swapped = [
        ([v if coin else u for u, v, coin in rows], [u if coin else v for u, v, coin in rows])
        for rows in (list(zip(first, second, toss, strict=True)) for toss in coins)
    ]
    return observed, [mean(left) - mean(right) for left, right in swapped]


@pytest.mark.parametrize("name", ["approximate_randomization", "paired_bootstrap"])
@given(judgements | ties, judgements | ties)
def test_a_paired_test_is_every_resample_written_out(name, first, second):
    a, b = by_source(first), by_source(second)
    (groups_a, values_a), (groups_b, values_b) = (zip(*pairs, strict=True) for pairs in (first, second))
    test = STATISTICS[name].compare(values_a, values_b, list(groups_a), list(groups_b), RESAMPLES, SEED)
    if test.p is None:
        shared = a.keys() & b.keys()
        alike = len(shared) > 3 and len({v for source in shared for v in (*a[source], *b[source])}) > 1
        assert not alike or test.undefined.startswith("There is no test: both are the same")
        return
    observed, resampled = written_out(name, a, b)
    about = np.mean(resampled) if name == "paired_bootstrap" else 0.0
    as_far = sum(abs(value - about) >= abs(observed) - 1e-9 for value in resampled)
    assert test.statistic == pytest.approx(observed, abs=1e-12)
    assert test.p == (as_far + 1) / (RESAMPLES + 1)
