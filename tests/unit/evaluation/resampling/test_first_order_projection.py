"""Many points: draws by their first-order projection beside the exact ones, and the counts of pairs beneath them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.correlation import Variable
from evaluation.resampling import GROUPS, NOTE, POINTS, Bootstrap
from evaluation.statistics import STATISTICS
from evaluation.statistics.kendall import concordance

pytestmark = pytest.mark.filterwarnings("error")
ranked = pytest.mark.parametrize("name", ["kendall", "spearman"])


def outputs(points, groups, noise, seed=0):
    """A continuous metric and a human mean with many ties; points of one source are alike."""
    rng = np.random.default_rng(seed)
    sources = np.arange(points) % groups
    quality = rng.normal(size=points) + 0.7 * rng.normal(size=groups)[sources]
    human = np.clip(np.round(3 * quality + 2 * noise * rng.normal(size=points) + 9), 0, 20) / 5
    metric = quality + noise * rng.normal(size=points) + 0.5 * noise * rng.normal(size=groups)[sources]
    return metric, human, sources


@ranked
@pytest.mark.parametrize(
    ("noise", "points", "groups"),
    [
        pytest.param(noise, *sizes, marks=[] if beside % 3 == at else pytest.mark.soak)
        for at, noise in enumerate((0.3, 1.0, 3.0))
        for beside, sizes in enumerate([(2000, 50), (1200, 1200), (3000, 500), (4000, 2000)])
    ],
)
def test_the_interval_is_that_of_the_exact_draws_to_a_part_of_its_width(name, noise, points, groups):
    x, y, sources = outputs(points, groups, noise)
    draws = Bootstrap(sources, 1000, 1)
    columns = draws.columns(sources)
    exact = np.array(draws.interval(STATISTICS[name].resampled(x, y, columns, draws.weights)))
    found = STATISTICS[name].over(draws, x, y, sources)
    width = exact[1] - exact[0]
    part = 0.05 if groups >= 500 else 0.1
    assert np.abs(np.array([found.low, found.high]) - exact).max() < part * width
    assert found.high - found.low == pytest.approx(width, rel=0.03)
    assert found.note == NOTE


@ranked
def test_each_draw_is_near_the_exact_one(name):
    x, y, sources = outputs(3000, 500, 1.0)
    draws = Bootstrap(sources, 200, 1)
    columns = draws.columns(sources)
    exact = STATISTICS[name].resampled(x, y, columns, draws.weights)
    found = STATISTICS[name].across(Variable(x), [Variable(y)], columns, draws.weights)[0]
    assert np.corrcoef(exact, found)[0, 1] > 0.995


@ranked
@pytest.mark.parametrize(("points", "groups"), [(POINTS, POINTS), (POINTS + 200, GROUPS - 1)])
def test_few_points_or_groups_are_drawn_exactly(name, points, groups):
    x, y, sources = outputs(points, groups, 1.0)
    draws = Bootstrap(sources, 50, 1)
    found = STATISTICS[name].over(draws, x, y, sources)
    exact = draws.interval(STATISTICS[name].resampled(x, y, draws.columns(sources), draws.weights))
    assert ((found.low, found.high), found.note) == (exact, "")


@ranked
def test_many_points_of_one_value_have_no_correlation(name):
    found = STATISTICS[name].correlate(np.ones(1500), np.arange(1500.0))
    assert (found.value, found.undefined) == (None, "All 1500 values of the first variable are the same.")


whole = st.integers(0, 12)


@given(st.lists(st.tuples(whole, whole), min_size=1, max_size=70))
def test_concordance_is_the_signs_of_all_pairs_summed(points):
    x, y = np.array(points, dtype=float).T
    signs = np.sign(x[:, None] - x) * np.sign(y[:, None] - y)
    assert concordance(Variable(x), Variable(y)).tolist() == signs.sum(axis=1).tolist()


def test_concordance_of_more_levels_than_two_bytes_hold():
    n = 70_000
    x = np.random.default_rng(2).permutation(n).astype(float)
    assert concordance(Variable(x), Variable(x)).sum() == n * (n - 1)
    assert concordance(Variable(x), Variable(-x)).sum() == -n * (n - 1)
    assert concordance(Variable(x), Variable(np.arange(n) // 2.0)).sum() == 2 * _difference(x)


def _difference(x):
    """Concordant less discordant pairs of x with the places halved, from scipy's tau-b."""
    from scipy.stats import kendalltau

    y = np.arange(len(x)) // 2.0
    pairs = len(x) * (len(x) - 1) / 2
    return round(kendalltau(x, y).statistic * np.sqrt(pairs * (pairs - len(x) // 2)))
