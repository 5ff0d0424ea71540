"""Gwet's AC1 and AC2 and the raw share of agreement: irrCAC's numbers."""

import json
from pathlib import Path

import numpy as np
import pytest

from evaluation.statistics import STATISTICS

GOLDEN = Path(__file__).parents[3] / "golden" / "statistics" / "gwet_irrcac.json"
EXAMPLES = [pytest.param(example, id=example["name"]) for example in json.loads(GOLDEN.read_text())["examples"]]
pytestmark = pytest.mark.filterwarnings("error")


def drawn(seed, raters, items, levels, skew, missing):
    """In long form, of raters who mostly say what is true and else what is usual."""
    random = np.random.default_rng(seed)
    shares = np.array([skew] + [(1 - skew) / (levels - 1)] * (levels - 1))
    true = random.choice(levels, items, p=shares)
    guesses = random.random((raters, items)) < 0.75, random.choice(levels, (raters, items), p=shares)
    table = np.where(guesses[0], true[None, :], guesses[1]).astype(float)
    table[random.random(table.shape) < missing] = np.nan
    rater, item = np.nonzero(np.isfinite(table))
    return rater, item, table[rater, item]


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.parametrize(
    ("name", "level"), [("gwet_ac1", "ordinal"), ("gwet_ac2", "ordinal"), ("gwet_ac2", "interval")]
)
def test_is_that_of_irrcac(example, name, level):
    found = STATISTICS[name].agree(*drawn(*example["arguments"]), level)
    wanted = example[name if level == "ordinal" else f"{name} {level}"]
    assert (found.value, found.p) == pytest.approx((wanted[0], wanted[3]), abs=1e-12)
    assert (found.low, found.high) == pytest.approx(wanted[1:3], abs=1e-8)  # the quantile of t is another scipy's


@pytest.mark.parametrize("example", EXAMPLES)
def test_raw_agreement_is_that_of_irrcac(example):
    found = STATISTICS["raw_agreement"].agree(*drawn(*example["arguments"]), "nominal")
    assert found.value == pytest.approx(example["gwet_ac1"][4], abs=1e-12)
    assert found.low < found.value < found.high
    assert found.p is None


def test_it_is_high_where_raters_agree_on_a_skewed_scale_and_kappa_is_not():
    """Ninety-four of a hundred items have the same two values: kappa is -0.03 (Feinstein and Cicchetti 1990)."""
    first, second = [1] * 97 + [2] * 3, [1] * 94 + [2] * 3 + [1] * 3
    given = [0] * 100 + [1] * 100, [*range(100)] * 2, first + second
    names = ("cohen_kappa", "gwet_ac1", "raw_agreement")
    kappa, ac1, raw = (STATISTICS[name].agree(*given, "nominal").value for name in names)
    assert kappa == pytest.approx(-0.0309, abs=1e-4)
    assert (raw, ac1) == (0.94, pytest.approx((0.94 - 0.0582) / (1 - 0.0582), abs=1e-12))
