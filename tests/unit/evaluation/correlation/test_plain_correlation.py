"""The coefficients of correlation, and all that is fast about them, against their definitions on generated points."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.plain_statistics import correlation as plain

from evaluation.correlation import ResampledValues, Variable
from evaluation.resampling import Bootstrap, draw_swaps, standardize
from evaluation.statistics import STATISTICS, Coefficient, of_kind
from evaluation.statistics.kendall import concordance_by_level, concordance_by_point

NAMES = sorted(of_kind(Coefficient))
RESAMPLES, SEED = 6, 3
each = pytest.mark.parametrize("name", NAMES)

few = st.integers(0, 3)
points = st.lists(st.tuples(few, few | st.integers(-50, 50), st.integers(0, 4)), min_size=4, max_size=14)
ties = st.lists(st.tuples(st.just(1), few, st.integers(0, 4)), min_size=4, max_size=8)


def columns_of(rows):
    x, y, groups = (list(column) for column in zip(*rows, strict=True))
    return np.array(x, dtype=float), np.array(y, dtype=float), groups


def same(found, expected):
    np.testing.assert_allclose(np.asarray(found, dtype=float), np.asarray(expected, dtype=float), atol=1e-9)


def test_each_coefficient_has_a_plain_form():
    assert set(NAMES) == set(plain.COEFFICIENTS)


@each
@given(points | ties)
def test_the_value_over_points(name, rows):
    x, y, _ = columns_of(rows)
    value = STATISTICS[name].correlate(x, y).value
    same(np.nan if value is None else value, plain.COEFFICIENTS[name](x, y))


@each
@given(points)
def test_every_bootstrap_sample_is_that_of_its_points_written_out(name, rows):
    x, y, groups = columns_of(rows)
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    bootstrap = Bootstrap(groups, RESAMPLES, SEED)
    place = bootstrap.columns(groups)
    found = STATISTICS[name].across(Variable(x), [Variable(y)], place, bootstrap.weights)[0]
    for value, weights in zip(found, bootstrap.weights, strict=True):
        drawn = np.repeat(np.arange(len(x)), weights[place].astype(int))
        same(value, plain.COEFFICIENTS[name](x[drawn], y[drawn]))


@each
@given(st.lists(st.tuples(*[few] * 5), min_size=3, max_size=6), st.lists(st.tuples(*[few] * 5), min_size=3, max_size=6))
def test_values_that_differ_between_samples(name, first, second):
    n = min(len(first), len(second))
    x, y = (np.array(rows[:n], dtype=float) for rows in (first, second))
    found = STATISTICS[name].in_rows(ResampledValues(x), ResampledValues(y))
    same(found, [plain.COEFFICIENTS[name](a, b) for a, b in zip(x, y, strict=True)])


@pytest.mark.parametrize("count", [concordance_by_level, concordance_by_point])
@given(points | ties)
def test_concordance(count, rows):
    x, y, _ = columns_of(rows)
    assert count(Variable(x), Variable(y)).tolist() == plain.concordance(x, y)


def shape_of(n_systems, n_items):
    cell = few | st.just(float("nan"))
    rows = st.lists(st.lists(cell, min_size=n_items, max_size=n_items), min_size=n_systems, max_size=n_systems)
    return st.tuples(rows, rows, rows)


@each
@given(shape_of(4, 4))
def test_correlations_at_items_for_every_choice_of_swapped_systems(name, given_scores):
    x, y, human = (np.array(scores, dtype=float) for scores in given_scores)
    missing = np.isnan(x) | np.isnan(y) | np.isnan(human)
    x[missing] = y[missing] = human[missing] = np.nan
    swaps = draw_swaps(x.shape, RESAMPLES, SEED).systems
    for swapped, found in zip(swaps, STATISTICS[name].by_item(x, y, human, swaps), strict=True):
        chosen = np.where(swapped[:, None], y, x)
        expected = [
            plain.COEFFICIENTS[name](chosen[~gap, item], human[~gap, item]) if not gap.all() else np.nan
            for item, gap in enumerate(missing.T)
        ]
        same(found, expected)


def correlation_of(name, averaging, metric, human):
    coefficient, scored = plain.COEFFICIENTS[name], ~np.isnan(metric)
    if averaging == "none":
        return coefficient(metric[scored], human[scored])
    if averaging == "system":
        metric, human = np.nanmean(metric, axis=1), np.nanmean(human, axis=1)
        return coefficient(np.round(metric, 9), np.round(human, 9))
    at_items = [coefficient(metric[here, item], human[here, item]) for item, here in enumerate(scored.T) if here.any()]
    defined = [value for value in at_items if np.isfinite(value)]
    return np.mean(defined) if defined else np.nan


@each
@pytest.mark.parametrize("averaging", ["item", "system", "none"])
@settings(max_examples=12)
@given(shape_of(4, 5))
def test_perm_both_is_every_swap_written_out(name, averaging, given_scores):
    x, y, human = (np.array(scores, dtype=float) for scores in given_scores)
    test = STATISTICS["perm_both"].compare(x, y, human, averaging, name, RESAMPLES, SEED)
    if test.p is None:
        return
    missing = np.isnan(x) | np.isnan(y) | np.isnan(human)
    x[missing] = y[missing] = human[missing] = np.nan
    kept = np.ix_(~missing.all(axis=1), ~missing.all(axis=0))
    x, y, human = (standardize(scores[kept]) for scores in (x, y, human))

    def difference(hit):
        return np.subtract(*(
            correlation_of(name, averaging, metric, human) for metric in (np.where(hit, y, x), np.where(hit, x, y))
        ))  # fmt: skip

    observed = difference(np.zeros(x.shape, dtype=bool))
    swaps = draw_swaps(x.shape, RESAMPLES, SEED)
    resampled = np.array([difference(a[:, None] ^ b) for a, b in zip(swaps.systems, swaps.items, strict=True)])
    resampled = resampled[np.isfinite(resampled)]
    same(test.statistic, observed)
    assert test.p == (np.sum(np.abs(resampled) >= abs(observed) - 1e-9) + 1) / (len(resampled) + 1)
