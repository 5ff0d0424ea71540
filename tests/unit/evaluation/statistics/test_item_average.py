"""Correlation averaged by item: mt-metrics-eval's numbers, and an interval of the sources."""

import json
from pathlib import Path

import numpy as np
import pytest

from evaluation.statistics import STATISTICS

GOLDEN = Path(__file__).parents[3] / "golden" / "statistics" / "item_average_mtme.json"
correlate = STATISTICS["item_average"].correlate
pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall"])
@pytest.mark.parametrize("example", json.loads(GOLDEN.read_text())["examples"], ids=lambda one: one["name"])
def test_is_that_of_mt_metrics_eval(example, coefficient):
    human = np.array([[np.nan if value is None else value for value in row] for row in example["human"]])
    value, items = example[coefficient]
    found = correlate(example["x"], human, coefficient)
    assert found.value == pytest.approx(value, abs=1e-9)
    assert found.n == items
    assert found.low < found.value < found.high


def test_the_interval_is_that_of_the_items_mean():
    random = np.random.default_rng(2)
    human = random.normal(size=(6, 200))
    x = human + random.normal(size=human.shape)
    own = np.array([np.corrcoef(x[:, item], human[:, item])[0, 1] for item in range(200)])
    found = correlate(x, human, draws=4000)
    reach = 1.96 * own.std() / np.sqrt(200)
    assert [found.low, found.high] == pytest.approx([own.mean() - reach, own.mean() + reach], abs=0.01)


def test_items_of_one_source_are_drawn_together():
    """Four sources of fifty items that are alike: the interval is as wide as four sources make it."""
    random = np.random.default_rng(3)
    human = random.normal(size=(4, 200))
    turned = np.repeat([1.0, 1.0, -1.0, 0.2], 50)
    x = human * turned + 0.3 * random.normal(size=human.shape)
    alone, together = correlate(x, human), correlate(x, human, groups=np.repeat(np.arange(4), 50))
    assert alone.value == together.value
    assert together.high - together.low > 3 * (alone.high - alone.low)


def test_what_cannot_be_had_is_said():
    flat = correlate(np.ones((3, 5)), np.arange(15.0).reshape(3, 5))
    assert (flat.value, flat.n) == (None, 0)
    assert flat.undefined.endswith(".")
    few = correlate([[1.0, 2.0], [2.0, 1.0]], [[1.0, 2.0], [2.0, 3.0]])
    assert (few.value, few.low) == (0.0, None)
    assert "needs 4 sources" in few.undefined
    with pytest.raises(ValueError, match="equal shape"):
        correlate([[1.0]], [[1.0, 2.0]])
    with pytest.raises(ValueError, match="no coefficient"):
        correlate([[1.0, 2.0]], [[1.0, 2.0]], "tau")
