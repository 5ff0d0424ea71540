"""Almost stochastic order: deepsig's violation ratio, and its bound within what two sets of draws differ by."""

import json
from pathlib import Path

import numpy as np
import pytest

from evaluation.statistics import STATISTICS

GOLDEN = Path(__file__).parents[3] / "golden" / "statistics" / "stochastic_order_deepsig.json"
compare = STATISTICS["almost_stochastic_order"].compare
pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize("example", json.loads(GOLDEN.read_text())["examples"], ids=lambda one: f"seed {one['seed']}")
def test_is_that_of_deepsig(example):
    random = np.random.default_rng(example["seed"])
    a = random.normal(example["shift"], 1, example["n"])
    b = random.normal(0, example["spread"], example["m"])
    found = compare(a, b, draws=5000)
    assert found.violation == pytest.approx(example["violation"], abs=1e-12)
    assert found.epsilon == pytest.approx(example["epsilon"], abs=0.02)
    assert found.n == (example["n"], example["m"])


def test_the_two_orders_are_each_others_opposite():
    a, b = np.array([0.1, 0.5, 0.9]), np.array([0.2, 0.3, 0.4, 0.5])
    assert compare(b, a).violation == pytest.approx(1 - compare(a, b).violation, abs=0.01)
    assert compare(a + 1, b).epsilon == 0
    assert compare(a, b + 1).epsilon > 0.99  # the first place of the integral is left out, as there


def test_what_cannot_be_had_is_said():
    assert compare([1, 2], [1, 2, 3]).undefined == "It needs 3 seeds or more of each model, and there are 2 and 3."
    assert compare([1, 1, 1], [1, 1, 1]).undefined == "All scores are the same."
    assert compare([1, 1, np.nan], [1, 1, 1]).undefined == "A score is not a number."
