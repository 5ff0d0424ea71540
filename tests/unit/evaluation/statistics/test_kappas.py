"""Cohen's and Fleiss' kappa against scikit-learn and statsmodels, what they leave out, and where there is none."""

import json
import time
from pathlib import Path

import numpy as np
import pytest

from evaluation.statistics import STATISTICS, AgreementStatistic, of_kind

pytestmark = pytest.mark.filterwarnings("error")

GOLDEN = Path(__file__).parents[3] / "golden" / "statistics"
COHEN = ["cohen_kappa", "cohen_kappa_linear", "cohen_kappa_quadratic"]
KAPPAS = [*COHEN, "fleiss_kappa"]
each = pytest.mark.parametrize("name", KAPPAS)


def golden(name):
    examples = json.loads((GOLDEN / name).read_text())["examples"]
    return [pytest.param(example, id=example["name"]) for example in examples]


def long_form(ratings):
    """Raters x items -> raters, items, values."""
    rows = [(f"rater {r}", i, v) for r, row in enumerate(ratings) for i, v in enumerate(row) if v is not None]
    return [list(column) for column in zip(*rows, strict=True)]


def agree(name, raters, items, values, level="ordinal"):
    return STATISTICS[name].agree(raters, items, values, level)


def test_they_are_statistics_of_agreement():
    assert set(KAPPAS) < set(of_kind(AgreementStatistic))


@pytest.mark.parametrize("name", COHEN)
@pytest.mark.parametrize("example", golden("kappa_cohen.json"))
def test_cohen_is_that_of_the_packages(name, example):
    found = agree(name, *long_form(example["ratings"]))
    assert found.value == pytest.approx(example["kappa"][name], abs=1e-12)
    assert (found.raters, found.items) == (len(example["ratings"]), len(example["ratings"][0]))
    raters = len(example["ratings"])
    two = f"Two raters, who share {found.items} items."
    assert found.note == (two if raters == 2 else "The mean over 6 pairs of raters, who share 40 items.")


@pytest.mark.parametrize("example", golden("kappa_fleiss.json"))
def test_fleiss_is_that_of_the_package(example):
    ratings = [[value for value, times in enumerate(item) for _ in range(times)] for item in example["counts"]]
    found = agree("fleiss_kappa", *long_form(np.transpose(ratings)))
    assert found.value == pytest.approx(example["kappa"], abs=1e-12)
    assert (found.items, found.note) == (len(ratings), "")


def test_fleiss_of_whoever_came():
    """Three of nine people judge each item; who they were does not matter."""
    rng = np.random.default_rng(2)
    raters = np.concatenate([rng.permutation(9)[:3] for _ in range(30)])
    items, values = np.repeat(np.arange(30), 3), rng.integers(0, 3, 90)
    found = agree("fleiss_kappa", raters, items, values, "nominal")
    assert found.value == agree("fleiss_kappa", np.tile([0, 1, 2], 30), items, values, "nominal").value
    assert found.raters == 9


def test_p_of_fleiss_is_even_where_nobody_agrees():
    """Values drawn at random: a p below a tenth comes up about one time in ten."""
    rng = np.random.default_rng(3)
    raters, items = np.tile(np.arange(4), 80), np.repeat(np.arange(80), 4)
    found = [agree("fleiss_kappa", raters, items, rng.choice(3, 320, p=[0.6, 0.3, 0.1])).p for _ in range(400)]
    assert 0.06 < np.mean(np.array(found) < 0.1) < 0.15
    assert agree("fleiss_kappa", raters, items, items % 3).p < 1e-12


@each
def test_perfect_agreement_is_one(name):
    assert agree(name, ["a", "b"] * 3, [1, 1, 2, 2, 3, 3], [0.1, 0.1, 2, 2, 5, 5]).value == 1


def test_cohen_compares_two_raters_over_what_both_judged():
    ratings = [[1, 2, 3, 3, None, 2], [1, 3, 3, None, 2, 1]]
    both = [[1, 2, 3, 2], [1, 3, 3, 1]]
    for name in COHEN:
        assert agree(name, *long_form(ratings)) == agree(name, *long_form(both))


def test_cohen_says_what_the_mean_is_of():
    """The third rater gave one value only, as did the first where they met."""
    ratings = [[1, 2, 3, 4, 4], [1, 2, 4, 3, 4], [None, None, None, 4, 4]]
    found = agree("cohen_kappa", *long_form(ratings))
    pairs = [agree("cohen_kappa", *long_form([ratings[0], ratings[1]])).value, 0.0]
    assert found.value == pytest.approx(np.mean(pairs))
    assert found.note == (
        "The mean over 3 pairs of raters, who share 2 to 5 items. "
        "Pairs left out, as one of the two gave only one value: 1."
    )


def test_fleiss_says_how_many_items_it_leaves_out():
    ratings = [[1, 2, 3, 3, 2], [1, 3, 3, None, 2], [None, 1, 3, 3, 1]]
    found = agree("fleiss_kappa", *long_form(ratings))
    assert found.note == "2 of the 5 items are left out: without 3 judgements."
    assert found.value == agree("fleiss_kappa", *long_form([[2, 3, 2], [3, 3, 2], [1, 3, 1]])).value


@each
@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([], "No item was judged by two raters."),
        ([("a", 1, 3), ("a", 2, 4), ("a", 3, 4), ("a", 4, 1)], "No item was judged by two raters."),
        (
            [("a", 1, 3), ("b", 1, 3), ("a", 2, 3), ("b", 2, 3)],
            "All judgements have the same value, so there is nothing to agree on.",
        ),
        (
            [("a", 1, 3), ("a", 1, 4)],
            "A rater judged one item twice; kappa takes one judgement of a rater and item.",
        ),
        ([("a", 1, float("nan")), ("b", 1, 4)], "1 of the 2 judgements lacks a number."),
    ],
)
def test_where_there_is_none_a_sentence_says_why(name, rows, why):
    raters, items, values = zip(*rows, strict=True) if rows else ((), (), ())
    found = agree(name, raters, items, values)
    assert (found.value, found.undefined) == (None, why)


@pytest.mark.parametrize("name", COHEN[1:])
def test_weights_need_an_order(name):
    found = agree(name, ["a", "b"] * 2, [1, 1, 2, 2], [1, 2, 1, 1], "nominal")
    assert found.undefined == "Weights need values that have an order; these are nominal."


@each
def test_wrong_arguments_are_refused(name):
    with pytest.raises(ValueError, match="equal length"):
        agree(name, ["a"], [1, 2], [1, 2])
    with pytest.raises(ValueError, match="level of measurement 'cardinal'"):
        agree(name, ["a"], [1], [1], "cardinal")


@each
def test_a_crowd_on_a_slider_comes_quickly(name):
    """100,000 judgements by 400 people: 80,000 pairs of raters."""
    rng = np.random.default_rng(5)
    items = np.repeat(np.arange(20_000), 5)
    raters = (rng.integers(0, 400, 20_000)[:, None] + np.array([0, 7, 31, 90, 201])).ravel() % 400
    values = np.clip(np.repeat(rng.integers(0, 101, 20_000), 5) + rng.integers(-9, 10, 100_000), 0, 100)
    started = time.process_time()
    found = agree(name, raters, items, values)
    assert time.process_time() - started < 10
    assert 0 < found.value < 1


def test_two_raters_of_endless_values_are_refused_rather_than_waited_for():
    rng = np.random.default_rng(5)
    found = agree("cohen_kappa_linear", [0, 1] * 30_000, np.repeat(np.arange(30_000), 2), rng.random(60_000))
    assert found.undefined == "There are too many different values for kappa; take alpha."
