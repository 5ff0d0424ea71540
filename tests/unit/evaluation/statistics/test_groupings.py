"""Soft pairwise accuracy, and the correlation averaged by system: mt-metrics-eval's numbers."""

import json
from pathlib import Path

import numpy as np
import pytest

from evaluation.resampling import Bootstrap
from evaluation.statistics import STATISTICS

GOLDEN = Path(__file__).parents[3] / "golden" / "statistics" / "groupings_mtme.json"
EXAMPLES = [pytest.param(example, id=example["name"]) for example in json.loads(GOLDEN.read_text())["examples"]]
soft = STATISTICS["soft_pairwise_accuracy"].accuracy
by_system = STATISTICS["system_average"].correlate
pytestmark = pytest.mark.filterwarnings("error")


def drawn(example):
    random = np.random.default_rng(example["seed"])
    shape = example["systems"], example["items"]
    human = random.normal(size=shape) + np.linspace(0, 0.6, shape[0])[:, None]
    metric = human * 0.5 + random.normal(size=shape)
    return (metric, human) if example["kind"] == "real" else (np.rint(metric * 2), np.rint(human * 2))


@pytest.mark.parametrize("example", EXAMPLES)
def test_soft_accuracy_is_that_of_the_authors_program(example):
    found = soft(*drawn(example))
    assert found.value == pytest.approx(example["value"], abs=1e-12)
    assert (found.pairs, found.items) == (example["systems"] * (example["systems"] - 1) // 2, example["items"])


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_average_by_system_is_that_of_mt_metrics_eval(example):
    found = by_system(*drawn(example))
    assert found.value == pytest.approx(example["by_system"], abs=1e-12)
    assert found.n == example["systems"]
    assert found.low < found.value < found.high


def test_an_item_that_some_system_lacks_is_left_out_of_soft_accuracy():
    metric, human = drawn({"seed": 5, "systems": 4, "items": 30, "kind": "real"})
    whole = soft(metric[:, 2:], human[:, 2:])
    metric[1, 0] = human[2, 1] = np.nan
    assert soft(metric, human) == whole
    assert soft(np.vstack((metric, np.full(30, np.nan))), np.vstack((human, human[:1]))) == whole


def test_the_interval_of_the_average_by_system_is_that_of_its_samples():
    metric, human = drawn({"seed": 6, "systems": 3, "items": 25, "kind": "real"})
    human[0, :5] = np.nan
    method, groups = STATISTICS["system_average"], np.arange(25) // 2
    bootstrap = Bootstrap(groups, 50, 3)
    means = []
    for weights in bootstrap.weights:
        times = weights[bootstrap.columns(groups)].astype(int)
        taken = np.repeat(np.arange(25), times)
        rs = []
        for x, y in zip(metric, human, strict=True):
            here = taken[np.isfinite(y[taken])]
            rs.append(np.corrcoef(x[here], y[here])[0, 1])
        means.append(np.mean(rs))
    found = method.over(bootstrap, metric, human, groups)
    assert (found.low, found.high) == pytest.approx(Bootstrap.interval(np.array(means)), abs=1e-12)


def test_what_cannot_be_had_is_said():
    assert soft([[1.0, 2, 3, 4]], [[1.0, 2, 3, 4]]).undefined == "Two systems or more are needed."
    few = soft(np.eye(2), np.eye(2))
    assert (few.value, few.undefined) == (None, "It needs 4 sentences or more that all systems have, and there are 2.")
    flat = by_system(np.ones((3, 5)), np.arange(15.0).reshape(3, 5))
    assert (flat.value, flat.n) == (None, 0)
    assert flat.undefined.endswith(".")
    for call in (soft, by_system):
        with pytest.raises(ValueError, match="equal shape"):
            call([[1.0]], [[1.0, 2.0]])
