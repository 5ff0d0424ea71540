"""The three coefficients against scipy, on the points and on resamples written out, and where there is no value."""

import json
from math import factorial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from evaluation.resampling import Bootstrap
from evaluation.statistics import STATISTICS, Coefficient, of_kind

pytestmark = pytest.mark.filterwarnings("error")

GOLDEN = Path(__file__).parents[3] / "golden" / "statistics" / "correlations_scipy.json"
SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
EXAMPLES = [pytest.param(example, id=example["name"]) for example in json.loads(GOLDEN.read_text())["examples"]]
each = pytest.mark.parametrize("name", sorted(SCIPY))


def test_the_folder_has_these_three():
    assert sorted(of_kind(Coefficient)) == sorted(SCIPY)


@each
@pytest.mark.parametrize("example", EXAMPLES)
def test_scipys_value_and_p(name, example):
    found = STATISTICS[name].correlate(example["x"], example["y"], example["groups"], draws=200)
    assert found.value == pytest.approx(example["plain"][name]["value"], abs=1e-12)
    alone = STATISTICS[name].correlate(example["x"], example["y"], draws=200)  # each point a source of its own
    assert alone.p == pytest.approx(example["plain"][name]["p"], rel=1e-9)
    assert found.n == len(example["x"])
    assert -1 <= found.low < found.high <= 1


@each
@pytest.mark.parametrize("example", EXAMPLES)
def test_a_resample_is_scipys_of_the_points_written_out(name, example):
    weights = np.array([example["times"]], dtype=float)
    x, y, columns = (np.array(example[key]) for key in ("x", "y", "groups"))
    assert STATISTICS[name].resampled(x, y, columns, weights)[0] == pytest.approx(example["resampled"][name], abs=1e-12)


numbers = st.integers(-3, 3).map(float) | st.floats(-1e3, 1e3).map(lambda v: round(v, 3))
points = st.lists(st.tuples(numbers, numbers, st.integers(0, 5)), min_size=4, max_size=30)


@each
@given(points=points, seed=st.integers(0, 99))
def test_any_resample_is_scipys_of_the_points_written_out(name, points, seed):
    x, y, groups = (np.array(column) for column in zip(*points, strict=True))
    assume(np.ptp(x) > 0 and np.ptp(y) > 0)
    draws = Bootstrap(groups, 5, seed)
    columns = draws.columns(groups)
    for times, found in zip(draws.weights, STATISTICS[name].resampled(x, y, columns, draws.weights), strict=True):
        again = times[columns].astype(int)
        long_x, long_y = np.repeat(x, again), np.repeat(y, again)
        if np.ptp(long_x) == 0 or np.ptp(long_y) == 0:
            assert np.isnan(found)
        else:
            assert found == pytest.approx(SCIPY[name](long_x, long_y).statistic, abs=1e-9)


@given(st.integers(0, 30))
def test_kendall_compares_in_blocks_of_whole_groups(seed):
    """More points than one block, groups of very unequal size (one larger than a block, and than a byte holds)."""
    rng = np.random.default_rng(seed)
    groups = np.concatenate([np.zeros(300, dtype=int), rng.integers(1, 40, 420)])
    x, y = rng.integers(0, 50, 720).astype(float), rng.normal(size=720)
    draws = Bootstrap(groups, 2, seed)
    columns = draws.columns(groups)
    for times, found in zip(draws.weights, STATISTICS["kendall"].resampled(x, y, columns, draws.weights), strict=True):
        again = times[columns].astype(int)
        expected = stats.kendalltau(np.repeat(x, again), np.repeat(y, again)).statistic
        assert found == pytest.approx(expected, abs=1e-12)


anything = st.floats(allow_nan=True, allow_infinity=True) | st.integers(0, 2).map(float)


@each
@given(data=st.lists(st.tuples(anything, anything, st.integers(0, 9)), max_size=12))
def test_never_a_warning_nor_a_nan(name, data):
    """Every float there is, infinities and the smallest among them; warnings are errors in this file."""
    x, y, groups = zip(*data, strict=True) if data else ((), (), ())
    found = STATISTICS[name].correlate(x, y, groups, draws=20)
    assert found.n == len(data)
    for number in (found.value, found.low, found.high, found.p):
        assert number is None or -1 <= number <= 1
    assert (found.low is None) == (found.high is None) == bool(found.undefined)
    assert not found.undefined or found.undefined.endswith(".")


@each
@pytest.mark.parametrize(
    ("x", "y", "why"),
    [
        ([], [], "A correlation needs three points or more; there are 0."),
        ([1], [2], "A correlation needs three points or more; there is 1."),
        ([1, 2], [7, 3], "A correlation needs three points or more; there are 2."),  # which lie on a line
        ([1, 2, 3, 4], [5, 5, 5, 5], "All 4 values of the second variable are the same."),
        ([0.1 + 0.2, 0.3, 0.3, 0.3], [1, 2, 3, 4], "All 4 values of the first variable are the same."),
        ([1, 2, float("nan"), 4], [1, 2, 3, 4], "1 of the 4 points lacks a number."),
        ([1, 2, float("inf"), 4], [1, 2, 3, float("nan")], "2 of the 4 points lack a number."),
    ],
)
def test_without_a_value_a_sentence_says_why(name, x, y, why):
    found = STATISTICS[name].correlate(x, y)
    assert (found.value, found.low, found.high, found.p, found.n, found.undefined) == (
        None,
        None,
        None,
        None,
        len(x),
        why,
    )


@each
def test_without_an_interval_the_value_stays(name):
    few = STATISTICS[name].correlate([1, 2, 4], [1, 3, 2])
    assert few.value == pytest.approx(SCIPY[name]([1, 2, 4], [1, 3, 2]).statistic)
    assert (few.low, few.undefined) == (None, "There is no interval: it needs 4 points or more, and there are 3.")
    one = STATISTICS[name].correlate([1, 2, 4, 3], [1, 3, 2, 5], groups=["a", "a", "a", "b"])
    assert one.undefined == "There is no interval: it needs 4 groups of points or more, and there are 2."
    lonely = STATISTICS[name].correlate([0] * 9 + [1], [0] * 9 + [1])
    assert lonely.value == pytest.approx(1)
    assert (lonely.low, lonely.high) == (None, None)
    assert "in too many of the bootstrap draws" in lonely.undefined


@each
def test_points_of_one_source_widen_the_interval(name):
    """Ten equal outputs of each of 40 sources carry what one of each carries; points alone would hide it."""
    rng = np.random.default_rng(8)
    x = rng.normal(size=40)
    y = x + rng.normal(size=40)
    ten_x, ten_y, sources = np.repeat(x, 10), np.repeat(y, 10), np.repeat(np.arange(40), 10)
    once = STATISTICS[name].correlate(x, y)
    grouped = STATISTICS[name].correlate(ten_x, ten_y, sources)
    alone = STATISTICS[name].correlate(ten_x, ten_y)
    if name != "kendall":  # tau-b of the repeated points has more ties
        assert (grouped.low, grouped.high) == pytest.approx((once.low, once.high), abs=1e-3)
    assert grouped.high - grouped.low > 2 * (alone.high - alone.low)


@each
def test_the_interval_covers_the_truth_about_as_often_as_it_says(name):
    """Normal points of correlation 0.6: 95% intervals of 200 samples of 60 hold the true coefficient in most."""
    truth = {"pearson": 0.6, "spearman": 6 / np.pi * np.arcsin(0.3), "kendall": 2 / np.pi * np.arcsin(0.6)}[name]
    rng = np.random.default_rng(11)
    held = 0
    for _ in range(200):
        x = rng.normal(size=60)
        y = 0.6 * x + 0.8 * rng.normal(size=60)
        found = STATISTICS[name].correlate(x, y, draws=300)
        held += found.low <= truth <= found.high
    assert 176 <= held <= 199


@each
def test_unequal_lengths_are_refused(name):
    with pytest.raises(ValueError, match="equal length"):
        STATISTICS[name].correlate([1, 2, 3], [1, 2])


@each
def test_a_draw_of_one_value_has_none_whatever_the_rounding(name):
    """Sums of squares of such a draw leave a rest of 1e-17, of which a coefficient can be made."""
    rng = np.random.default_rng(6)
    x, y = rng.normal(size=50), rng.normal(size=50)
    x[10:20] = x[3]
    weights = np.zeros((200, 50))
    weights[:, 10:20] = rng.integers(0, 4, (200, 10))
    weights[:, 3] = 1
    assert np.isnan(STATISTICS[name].resampled(x, y, np.arange(50), weights)).all()
    assert np.isnan(STATISTICS[name].resampled(y, x, np.arange(50), weights)).all()


@pytest.mark.parametrize(("n", "values"), [(6, 3), (40, 2), (900, 4)])
def test_tau_c_is_scipys(n, values):
    draws = np.random.default_rng(n)
    x, y = draws.integers(0, values, n), draws.normal(size=n).round(1)
    expected = stats.kendalltau(x, y, variant="c")
    p = by_permutation("kendall", x, y) if n < 10 else expected.pvalue
    found = STATISTICS["kendall_c"].of(x, y)
    assert (found.statistic, found.p) == (pytest.approx(expected.statistic), pytest.approx(p))


@pytest.mark.parametrize(
    ("x", "y", "why"),
    [([1, 1, 1], [1, 2, 3], "vary"), ([], [], "vary"), ([1, float("nan")], [1, 2], "not a number")],
)
def test_tau_c_of_nothing_says_why(x, y, why):
    found = STATISTICS["kendall_c"].of(x, y)
    assert found.statistic is None
    assert why in found.undefined


def by_permutation(name, x, y):
    """scipy's exact permutation test of the coefficient."""
    found = stats.permutation_test(
        (x,), lambda order: SCIPY[name](order, y).statistic, permutation_type="pairings", n_resamples=np.inf
    )
    return found.pvalue


@pytest.mark.parametrize("name", ["spearman", "kendall"])
@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([1, 2, 3], [1, 3, 2]),
        ([1, 2, 3, 4], [1, 2, 3, 4]),
        ([1, 2, 3, 4], [4, 3, 2, 1]),
        ([1, 2, 2, 4], [1, 2, 2, 7]),  # tied
        ([0.3, 0.1, 0.2, 0.5, 0.4], [5, 1, 3, 4, 2]),
        ([1, 1, 2, 2, 3, 3], [2, 1, 2, 3, 3, 1]),
    ],
)
def test_p_of_few_points_is_that_of_all_orders(name, x, y):
    assert STATISTICS[name].correlate(x, y).p == pytest.approx(by_permutation(name, x, y), abs=1e-12)


@pytest.mark.parametrize("points", range(3, 10))
def test_no_p_of_rho_is_below_that_of_one_order_and_its_reverse(points):
    """As R's cor.test says it of x with itself: 2 of n! orders."""
    x = list(range(points))
    assert STATISTICS["spearman"].correlate(x, x).p == pytest.approx(2 / factorial(points))
    assert STATISTICS["kendall"].correlate(x, x).p == pytest.approx(2 / factorial(points))


def test_p_of_rho_in_the_published_table():
    """Zar (1972, Biometrika 59): of two sides at 0.05 rho 0.886 is critical of 6 points, and 0.786 of 7."""
    for y, rho, above in (([1, 2, 4, 3, 6, 5], 0.886, 0.05), ([1, 3, 2, 6, 4, 5, 7], 0.786, 0.05)):
        found = STATISTICS["spearman"].correlate(range(len(y)), y)
        assert found.value >= rho - 0.001
        assert found.p < above
    assert STATISTICS["spearman"].correlate(range(6), [1, 2, 4, 3, 6, 5]).p == pytest.approx(24 / 720)


def test_r_of_fewer_than_five_points_has_no_p():
    """Its p takes the values as normal, and nobody can tell of four."""
    assert STATISTICS["pearson"].correlate([1, 2, 3, 4], [1, 2, 3, 5]).p is None
    five = STATISTICS["pearson"].correlate([1, 2, 3, 4, 5], [1, 2, 3, 5, 4])
    assert five.p == pytest.approx(stats.pearsonr([1, 2, 3, 4, 5], [1, 2, 3, 5, 4]).pvalue)
