"""BOOT-BOTH: the authors' intervals, and draws written out one by one."""

import json
from pathlib import Path

import numpy as np
import pytest

from evaluation.resampling import Bootstrap
from evaluation.statistics import STATISTICS
from evaluation.statistics.boot_both import Pooled, drawn_systems, of_means

GOLDEN = Path(__file__).parents[3] / "golden" / "statistics" / "boot_both_nlpstats.json"
interval = STATISTICS["boot_both"].interval
pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize("averaging", ["system", "none"])
@pytest.mark.parametrize("example", json.loads(GOLDEN.read_text())["examples"], ids=lambda one: one["name"])
def test_is_that_of_the_authors(example, averaging):
    """Up to what chance leaves between 9,999 draws of theirs and 4,000 of ours."""
    found = interval(example["x"], example["human"], averaging, draws=4000)
    low, high = example[f"{averaging}_both"]
    assert (found.low, found.high) == (pytest.approx(low, abs=0.05), pytest.approx(high, abs=0.01))
    inputs = example[f"{averaging}_inputs"]
    assert found.high - found.low > 1.3 * (inputs[1] - inputs[0]), "wider than with the systems as they are"


@pytest.fixture
def scores():
    random = np.random.default_rng(6)
    human = random.normal(size=(6, 30)) + random.normal(size=(6, 1))
    x = human + random.normal(size=human.shape)
    human[1, 3] = x[4, 7] = np.nan
    return x, human


def test_each_draw_is_the_correlation_of_what_it_holds(scores):
    """Written out: the outputs of the drawn systems and sources, each as often as both were drawn."""
    x, human = scores
    groups = np.repeat(np.arange(15), 2)
    draws = Bootstrap(groups, 60, 4)
    drawn = drawn_systems(6, 60, 4)
    found = []
    for weights, systems in zip(draws.weights, drawn, strict=True):
        items = np.repeat(np.arange(30), weights[groups].astype(int))
        one, other = x[np.ix_(systems, items)].ravel(), human[np.ix_(systems, items)].ravel()
        here = np.isfinite(one) & np.isfinite(other)
        found.append(np.corrcoef(one[here], other[here])[0, 1])
    pooled = Pooled({"x": x}, human, groups, draws).interval("x")
    assert [pooled.low, pooled.high] == pytest.approx(np.percentile(found, [2.5, 97.5]), abs=1e-5)


def test_few_systems_or_equal_scores_have_no_interval(scores):
    x, human = scores
    for averaging in ("system", "none"):
        assert "needs 4 systems" in interval(x[:3], human[:3], averaging).undefined
        flat = interval(np.ones_like(x), human, averaging)
        assert (flat.low, flat.high) == (None, None)
        assert "the same" in flat.undefined
    assert "the same" in of_means(np.ones((20, 5)), np.arange(100.0).reshape(20, 5)).undefined
    with pytest.raises(ValueError, match="no averaging"):
        interval(x, human, "item")
