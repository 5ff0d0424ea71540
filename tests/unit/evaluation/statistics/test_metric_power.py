"""How many systems and sources tell two metrics apart: by Williams' t, and as standard errors fall."""

import numpy as np
import pytest
from scipy import stats

from evaluation.resampling import Bootstrap
from evaluation.statistics import STATISTICS

method = STATISTICS["metric_power"]
pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize("given", [(0.9, 0.7, 0.6), (0.95, 0.9, 0.9), (-0.5, 0.3, -0.1)])
def test_one_system_fewer_has_less_than_that_power(given):
    found = method.systems(*given)
    williams = STATISTICS["williams"]
    for n, enough in ((found.n, True), (found.n - 1, False)):
        r12, r13 = abs(given[0]), abs(given[1])
        r23 = given[2] * np.sign(given[0]) * np.sign(given[1])
        left = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
        spread = 2 * left * (n - 1) / (n - 3) + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3
        t = (r12 - r13) * np.sqrt((n - 1) * (1 + r23) / spread)
        assert (t >= stats.t.ppf(0.975, n - 3) + stats.norm.ppf(0.8)) == enough
    assert williams.effect


def points(sources, seed=1):
    random = np.random.default_rng(seed)
    groups = np.repeat(np.arange(sources), 5)
    human = random.normal(size=5 * sources) + random.normal(size=sources)[groups]
    return human + random.normal(size=human.shape), human + 1.3 * random.normal(size=human.shape), human, groups


def test_the_number_of_sources_does_not_hang_on_how_many_there_are():
    found = [method.sources(Bootstrap(np.arange(n), 500, 1), *points(n)).n for n in (2_000, 8_000)]
    assert found[0] == pytest.approx(found[1], rel=0.25)


def test_a_smaller_level_needs_more():
    x, y, human, groups = points(300)
    bootstrap = Bootstrap(np.arange(300), 500, 1)
    strict, usual = (method.sources(bootstrap, x, y, human, groups, alpha).n for alpha in (0.005, 0.05))
    factor = (stats.norm.ppf(0.9975) + stats.norm.ppf(0.8)) ** 2 / (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) ** 2
    assert strict / usual == pytest.approx(factor, rel=0.05)  # whole sources


def test_what_cannot_be_told_apart_is_said():
    assert method.systems(0.5, 0.5, 0.2).n is None
    assert method.systems(0.5, 0.4999, 0.2).undefined == "It would take more than 1,000,000."
    x, _, human, groups = points(10)
    bootstrap = Bootstrap(np.arange(10), 50, 1)
    assert method.sources(bootstrap, x, x, human, groups).undefined.startswith("The two agree with people alike")
    assert method.sources(Bootstrap([0, 1], 5, 1), [1, 2], [2, 1], [1, 2], [0, 1]).undefined.startswith("It needs 4")
