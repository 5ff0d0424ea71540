"""Williams' test against two other programs and R's printed example, its error rate, and where there is none."""

import json
from pathlib import Path

import numpy as np
import pytest

from evaluation.statistics import STATISTICS
from evaluation.statistics.williams import of_correlations

pytestmark = pytest.mark.filterwarnings("error")

GOLDEN = json.loads((Path(__file__).parents[3] / "golden" / "statistics" / "williams.json").read_text())
EXAMPLES = [pytest.param(example, id=example["name"]) for example in GOLDEN["examples"]]
NAMES = ["pearson", "spearman", "kendall"]


def compare(*given):
    return STATISTICS["williams"].compare(*given)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("example", EXAMPLES)
def test_p_is_that_of_the_reference(name, example):
    found = compare(example["x"], example["y"], example["human"], name)
    assert found.p == pytest.approx(example["p"][name], rel=1e-9)
    assert found.n == len(example["x"])
    turned = compare(example["y"], example["x"], example["human"], name)
    assert (turned.statistic, turned.p) == (pytest.approx(-found.statistic), pytest.approx(found.p))


def test_the_printed_example():
    given = GOLDEN["correlations"]
    found = of_correlations(given["x_human"], given["y_human"], given["x_y"], given["n"])
    assert (round(found.statistic, 2), round(found.p, 2)) == (given["t"], given["p"])


def test_a_metric_that_falls_is_turned_round():
    example = GOLDEN["examples"][1]
    x, y, human = (np.array(example[key]) for key in ("x", "y", "human"))
    found = compare(x, y, human)
    for again in (compare(-x, y, human), compare(x, -y, human), compare(-x, -y, human)):
        assert (again.statistic, again.p, again.effect) == pytest.approx((found.statistic, found.p, found.effect))


def test_of_equally_good_metrics_one_in_twenty_differs():
    rng = np.random.default_rng(6)
    small = 0
    for _ in range(400):
        human = rng.normal(size=25)
        small += compare(human + rng.normal(size=25), human + rng.normal(size=25), human).p < 0.05
    assert 8 <= small <= 34


rising = [1.0, 2.0, 4.0, 3.0, 6.0]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("x", "y", "human", "why"),
    [
        ([1, 2, 3], [2, 1, 3], [3, 1, 2], "The test needs 4 points or more, and there are 3."),
        ([5] * 5, rising, rising, "All scores of the first metric are the same."),
        (rising, [5] * 5, rising, "All scores of the second metric are the same."),
        (rising, rising, [5] * 5, "All scores of people are the same."),
        ([1, 2, np.nan, 3, 4], rising, rising, "1 of the 5 scores of the first metric are no numbers."),
        (rising, rising, [2, 1, 3, 4, 5], "The two metrics order all points alike, so there is no difference to test."),
    ],
)
def test_where_there_is_none_a_sentence_says_why(name, x, y, human, why):
    found = compare(x, y, human, name)
    assert (found.statistic, found.p, found.n, found.undefined) == (None, None, len(x), why)


def test_nothing_left_to_chance():
    assert of_correlations(0.0, 0.0, -1.0, 9).undefined == "Nothing is left to chance, so there is no test."


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="equal length"):
        compare([1, 2], [1, 2, 3], [1, 2, 3])
    with pytest.raises(ValueError, match="no coefficient 'gamma'"):
        compare(rising, rising, rising, "gamma")
