"""acc-eq against the authors' own program, what it is made of, and where there is none."""

import json
import time
from pathlib import Path

import numpy as np
import pytest

from evaluation.statistics import STATISTICS
from evaluation.statistics.pairwise_accuracy import HeldOutPairing

pytestmark = pytest.mark.filterwarnings("error")

GOLDEN = Path(__file__).parents[3] / "golden" / "statistics" / "acc_eq_mtme.json"
EXAMPLES = [pytest.param(example, id=example["name"]) for example in json.loads(GOLDEN.read_text())["examples"]]


def accuracy(*given, **more):
    return STATISTICS["pairwise_accuracy"].accuracy(*given, **more)


def flat(rows):
    return np.array([np.nan if value is None else value for row in rows for value in row])


@pytest.mark.parametrize("example", EXAMPLES)
def test_values_are_the_references_and_its_epsilon_is_as_good(example):
    """Several may be equally good: the reference takes the one that rounding favours, this the smallest."""
    groups = [number for number, row in enumerate(example["metric"]) for _ in row]
    given = flat(example["metric"]), flat(example["human"]), groups
    found = accuracy(*given)
    assert (found.value, found.uncalibrated) == pytest.approx((example["value"], example["uncalibrated"]), abs=1e-12)
    assert accuracy(*given, epsilon=example["epsilon"]).value == pytest.approx(found.value, abs=1e-12)
    assert found.epsilon <= example["epsilon"]


def test_an_epsilon_from_elsewhere_is_kept():
    """Pairs (0, 2) (0, 6) (0, 8) (2, 6) (2, 8) (6, 8), of which people order the three with the last point."""
    metric, human = [0, 2, 6, 8], [1, 1, 1, 4]
    assert [accuracy(metric, human, epsilon=value).value for value in (0, 1.9, 2, 4, 5, 6, 99)] == pytest.approx(
        [3 / 6, 3 / 6, 3 / 6, 4 / 6, 4 / 6, 4 / 6, 3 / 6]
    )
    found = accuracy(metric, human)
    assert (found.value, found.epsilon, found.pairs, found.groups) == (pytest.approx(4 / 6), 4, 6, 1)
    assert accuracy(metric, human, epsilon=1.5).epsilon == 1.5


def test_each_group_counts_alike_and_lone_points_not_at_all():
    metric, human = [1, 2, 1, 2, 3, 4, 9], [1, 2, 3, 2, 1, 4, 9]
    found = accuracy(metric, human, ["a", "a", "b", "b", "b", "b", "c"])
    assert found.uncalibrated == pytest.approx((1 + 3 / 6) / 2)
    assert (found.pairs, found.groups) == (7, 2)


def test_order_and_gaps_do_not_matter():
    rng = np.random.default_rng(1)
    metric, human, groups = rng.normal(size=60), rng.integers(0, 4, 60).astype(float), np.arange(60) % 9
    human[[3, 8]] = metric[11] = np.nan
    order = rng.permutation(60)
    here = np.isfinite(metric + human)
    found = accuracy(metric, human, groups)
    for again in (
        accuracy(metric[order], human[order], groups[order]),
        accuracy(metric[here], human[here], groups[here]),
    ):
        assert again.value == pytest.approx(found.value)
        assert (again.epsilon, again.pairs) == (pytest.approx(found.epsilon), found.pairs)


@pytest.mark.parametrize(
    ("metric", "human", "groups", "why"),
    [
        ([], [], None, "No two points can be compared."),
        ([1], [2], None, "No two points can be compared."),
        ([1, 2, 3], [1, 2, 3], ["a", "b", "c"], "No two points can be compared."),
        ([1, 2, np.nan], [1, np.nan, 3], None, "No two points can be compared."),
        ([1, 2, 3, 4], [5, 5, 5, 5], None, "People tie every pair, so there is no order to find."),
        (np.arange(7000), np.arange(7000), None, "24,496,500 pairs are too many to compare."),
    ],
)
def test_where_there_is_none_a_sentence_says_why(metric, human, groups, why):
    found = accuracy(metric, human, groups)
    assert (found.value, found.epsilon, found.uncalibrated, found.undefined) == (None, None, None, why)


def test_a_constant_metric_is_right_where_people_tie():
    found = accuracy([1, 1, 1, 1], [1, 1, 2, 3])
    assert (found.value, found.epsilon) == (pytest.approx(1 / 6), 0)


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="equal length"):
        accuracy([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="zero or more"):
        accuracy([1, 2], [1, 2], epsilon=-1)


def test_ten_systems_of_2000_items_come_quickly():
    rng = np.random.default_rng(1)
    started = time.process_time()
    found = accuracy(rng.normal(size=20_000), rng.integers(0, 5, 20_000), np.tile(np.arange(2000), 10))
    assert time.process_time() - started < 3
    assert found.pairs == 90_000


def test_held_out_each_half_has_the_epsilon_of_the_other():
    random = np.random.default_rng(11)
    groups = np.repeat(np.arange(12), 5)
    human = random.integers(0, 3, 60).astype(float)
    metric = np.round(human + random.normal(size=60), 1)
    half = groups < 5
    found = HeldOutPairing(groups, half).accuracy(metric, human)
    own = [accuracy(metric[side], human[side], groups[side]).epsilon for side in (half, ~half)]
    other = [
        accuracy(metric[side], human[side], groups[side], epsilon=epsilon).value
        for side, epsilon in ((half, own[1]), (~half, own[0]))
    ]
    assert found == pytest.approx((5 * other[0] + 7 * other[1]) / 12, abs=1e-12)
    assert found <= accuracy(metric, human, groups).value
    assert HeldOutPairing(groups, half).accuracy(metric, np.zeros(60)) is None
