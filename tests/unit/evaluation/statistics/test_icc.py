"""The six intraclass correlations against pingouin and Shrout and Fleiss' own table, gaps, and where there is none."""

import json
from pathlib import Path

import numpy as np
import pytest

from evaluation.statistics import STATISTICS, AgreementStatistic, of_kind

pytestmark = pytest.mark.filterwarnings("error")

GOLDEN = Path(__file__).parents[3] / "golden" / "statistics" / "icc_pingouin.json"
EXAMPLES = [pytest.param(example, id=example["name"]) for example in json.loads(GOLDEN.read_text())["examples"]]
PUBLISHED = {"icc_1_1": 0.17, "icc_a_1": 0.29, "icc_c_1": 0.71, "icc_1_k": 0.44, "icc_a_k": 0.62, "icc_c_k": 0.91}
FORMS = list(PUBLISHED)
each = pytest.mark.parametrize("name", FORMS)


def long_form(table):
    """Items x raters -> raters, items, values."""
    rows = [(f"rater {r}", i, v) for i, row in enumerate(table) for r, v in enumerate(row) if v is not None]
    return [list(column) for column in zip(*rows, strict=True)]


def agree(name, table, level="interval"):
    return STATISTICS[name].agree(*long_form(table), level)


def table(seed, items=30, raters=4, severity=0.0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(items, 1)) + rng.normal(size=(items, raters)) + severity * rng.normal(size=raters)


def test_they_are_statistics_of_agreement():
    assert set(FORMS) < set(of_kind(AgreementStatistic))


@each
@pytest.mark.parametrize("example", EXAMPLES)
def test_value_interval_and_p_are_the_packages(name, example):
    """It prints the ends of the interval with two digits."""
    found, expected = agree(name, example["ratings"]), example["icc"][name]
    assert found.value == pytest.approx(expected["value"], abs=1e-10)
    assert found.p == pytest.approx(expected["p"], rel=1e-8)
    assert (round(found.low, 2), round(found.high, 2)) == (expected["low"], expected["high"])
    assert (found.raters, found.items) == (len(example["ratings"][0]), len(example["ratings"]))


@each
def test_the_table_of_shrout_and_fleiss(name):
    assert round(agree(name, EXAMPLES[0].values[0]["ratings"]).value, 2) == PUBLISHED[name]


@each
def test_the_interval_holds_the_truth_about_as_often_as_it_says(name):
    """Half the variance is the items', none the raters': 1/2 of one judgement, 4/5 of the mean of four."""
    truth = 0.8 if name.endswith("k") else 0.5
    found = [agree(name, table(seed)) for seed in range(200)]
    assert 181 <= sum(one.low <= truth <= one.high for one in found) <= 199


def test_consistency_does_not_mind_severity():
    strict = table(1) + np.array([0, 5, -3, 2])
    for name in ("icc_c_1", "icc_c_k"):
        assert agree(name, strict).value == pytest.approx(agree(name, table(1)).value)
    assert agree("icc_a_1", strict).value < 0.5 * agree("icc_a_1", table(1)).value


@pytest.mark.parametrize("name", ["icc_1_1", "icc_1_k"])
def test_one_way_takes_the_items_with_the_usual_number_of_judgements(name):
    values = table(2, items=12, raters=3).tolist()
    values[3][1] = values[7][2] = None
    found = agree(name, values)
    assert found.note == "2 of the 12 items are left out: without 3 judgements."
    assert found.value == pytest.approx(agree(name, [row for row in values if None not in row]).value)
    crowd = [row[i % 3 :] + row[: i % 3] for i, row in enumerate(values) if None not in row]
    assert agree(name, crowd).value == pytest.approx(found.value)


@pytest.mark.parametrize("name", ["icc_a_1", "icc_c_1", "icc_a_k", "icc_c_k"])
def test_two_way_takes_the_items_that_all_judged(name):
    values = table(2, items=12, raters=3).tolist()
    values[3][1] = None
    found = agree(name, values)
    assert (found.items, found.raters) == (11, 3)
    assert found.note == "1 of the 12 items is left out: not judged by all 3 raters."
    assert found.value == pytest.approx(agree(name, values[:3] + values[4:]).value)
    nobody = agree(name, [[1, 2, None], [None, 3, 4], [2, None, 2], [1, 1, None]])
    assert nobody.undefined == "No item was judged by all 3 raters; the one-way forms and alpha do without."
    assert nobody.note == "4 of the 4 items are left out: not judged by all 3 raters."


@each
@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([[3], [4], [5], [4]], "No item was judged by two raters."),
        ([[3, 4]], "It needs two items or more, and one is left."),
        ([[3, 3], [3, 3], [3, 3]], "All judgements have the same value, so there is nothing to agree on."),
        ([[3, float("nan")], [3, 3]], "1 of the 4 judgements lacks a number."),
    ],
)
def test_where_there_is_none_a_sentence_says_why(name, values, why):
    found = agree(name, values)
    assert (found.value, found.low, found.p, found.undefined) == (None, None, None, why)


@pytest.mark.parametrize("name", ["icc_1_k", "icc_a_k", "icc_c_k"])
def test_items_of_one_mean_have_no_average_form(name):
    found = agree(name, [[1, 3], [3, 1], [2, 2], [0, 4]])
    assert found.undefined == (
        "The items' means are all the same, so the mean of judgements tells no item from another."
    )


@each
def test_perfect_agreement_is_one_without_an_interval(name):
    found = agree(name, [[0.1, 0.1, 0.1], [0.7, 0.7, 0.7], [4, 4, 4]])
    assert found.value == 1
    assert (found.low, found.p, found.undefined) == (None, None, "")
    assert found.note == "There is no interval: within items nothing is left to chance."


@each
def test_nominal_values_have_none(name):
    found = agree(name, [[1, 2], [2, 1], [1, 1]], "nominal")
    assert found.undefined == "The intraclass correlation needs values with distances; these are nominal."


@each
def test_never_a_warning_nor_a_nan(name):
    rng = np.random.default_rng(8)
    for _ in range(300):
        shape = rng.integers(1, 5), rng.integers(1, 4)
        found = agree(name, rng.integers(0, 3, shape).astype(float).tolist())
        for number in (found.value, found.low, found.high, found.p):
            assert number is None or np.isfinite(number)
        assert (found.value is None) == bool(found.undefined)
        assert (found.low is None) == (found.high is None)


def test_two_who_say_the_opposite_of_each_other_get_a_sentence_for_the_interval():
    values = [3, 5, 5, 3] * 12
    raters, items = [0, 1] * 24, np.repeat(np.arange(24), 2)
    found = STATISTICS["icc_a_1"].agree(raters, items, values, "ordinal")
    assert found.value < -0.99
    assert (found.low, found.high) == (None, None)
    assert "no interval" in found.note


@pytest.mark.parametrize(("name", "said"), [
    ("icc_c_1", "There is no interval: raters differ by a constant severity alone, which consistency does not count."),
    ("icc_a_1", "There is no interval: raters differ by a constant severity alone."),
])  # fmt: skip
def test_constant_severity_is_no_agreement_within_items(name, said):
    """(C,.) is 1 of raters who never agree: the note says what it does not count."""
    found = agree(name, [[1, 3], [2, 4], [3, 5]])
    assert found.note == said
    assert (found.value == 1) is (name == "icc_c_1")
