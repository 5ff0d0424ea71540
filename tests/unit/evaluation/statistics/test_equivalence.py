"""Two one-sided tests: statsmodels' p-values, and the margins that they imply."""

import json
from pathlib import Path

import numpy as np
import pytest

from evaluation.statistics import STATISTICS

GOLDEN = Path(__file__).parents[3] / "golden" / "statistics" / "equivalence_statsmodels.json"
EXAMPLES = json.loads(GOLDEN.read_text())["examples"]
compare = STATISTICS["equivalence"].compare
pytestmark = pytest.mark.filterwarnings("error")


def drawn(example):
    random = np.random.default_rng(example["seed"])
    b = random.normal(4, 1, example["n"])
    return b + example["shift"] + random.normal(0, 0.6, example["n"]), b


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: f"seed {one['seed']}")
def test_is_that_of_statsmodels(example):
    a, b = drawn(example)
    found = compare(a, b, margin=example["margin"])
    assert (found.p, found.p_not_worse) == pytest.approx((example["p"], example["p_not_worse"]), abs=1e-12)
    turned = compare(-a, -b, margin=example["margin"])
    assert turned.p_not_worse == pytest.approx(example["p_not_better"], abs=1e-12)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: f"seed {one['seed']}")
def test_a_margin_is_met_at_alpha_by_just_what_the_interval_says(example):
    a, b = drawn(example)
    found = compare(a, b)
    assert compare(a, b, margin=found.within).p == pytest.approx(0.05, abs=1e-9)
    if found.not_worse_by:
        assert compare(a, b, margin=found.not_worse_by).p_not_worse == pytest.approx(0.05, abs=1e-9)
    else:
        assert found.low > 0


def test_a_source_counts_once_and_only_where_both_have_it():
    a, b = drawn(EXAMPLES[0])
    sources = np.arange(20)
    twice = compare(np.append(a, a), b[1:], np.append(sources, sources), sources[1:])
    assert twice == compare(a[1:], b[1:])


def test_what_cannot_be_had_is_said():
    assert compare([1, 2, 3], [1, 2, 4]).undefined == "It needs 4 sources or more that both have, and there are 3."
    assert compare([1, 2, 3, 4], [1, 2, 3, 4]).undefined == "All sources have the same difference."
    assert compare([1, 2, 3, np.nan], [1, 2, 3, 4]).undefined == "A value is not a number."
    with pytest.raises(ValueError, match="above 0"):
        compare([1, 2, 3, 5], [1, 2, 3, 4], margin=0)
