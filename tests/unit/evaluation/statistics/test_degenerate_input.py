"""Every entry of the folder, given what nothing can be said of: a reason in a sentence, no NaN, no warning."""

import math
from dataclasses import fields

import numpy as np
import pytest

from evaluation.statistics import (
    STATISTICS,
    AgreementStatistic,
    Coefficient,
    Correction,
    CorrelationTest,
    PairedTest,
    Ranking,
    SampleTest,
    of_kind,
)

pytestmark = pytest.mark.filterwarnings("error")

ONE_RATER = (["a"] * 6, range(6), [1, 2, 3, 1, 2, 3])
CONSTANT = (["a", "b"] * 4, [0, 0, 1, 1, 2, 2, 3, 3], [2] * 8)
APART = (["a", "b", "c", "d"], range(4), [1, 2, 3, 4])  # nobody judged what another did
EMPTY = ([], [], [])
JUDGEMENTS = {"one rater": ONE_RATER, "a constant": CONSTANT, "no item twice": APART, "nothing": EMPTY}

UNPAIRED = {"nothing": ([], []), "one point": ([1], [2]), "a constant": ([1, 1, 1, 1, 1], [1, 2, 3, 4, 5]),
            "a number is lacking": ([1, 2, np.nan, 4, 5], [1, 2, 3, 4, 6])}  # fmt: skip
PAIRED = {"nothing": ([], []), "three": ([1, 2, 3], [2, 3, 5]), "all ties": ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5]),
          "a number is lacking": ([1, 2, np.nan, 4, 5], [1, 2, 3, 4, 6])}  # fmt: skip
SAMPLES = {"nothing": ([], [1, 2]), "all ties": ([2, 2, 2], [2, 2, 2]), "a number is lacking": ([1, np.nan], [1, 2])}
ONE, FLAT = np.arange(12.0).reshape(3, 4), np.ones((3, 4))
TRIPLES = {"people constant": (ONE, ONE[::-1], FLAT), "a metric constant": (FLAT, ONE, ONE[::-1]),
           "nothing": (np.empty((0, 0)),) * 3}  # fmt: skip
ORDERS = {"nothing": ([], [], [], []), "all ties": ([1, 1, 2, 2], [0] * 4, list("ABAB"), [2, 2, 2, 2])}


def params(kind, inputs):
    return pytest.mark.parametrize(
        ("name", "given"),
        [pytest.param(name, one, id=f"{name}, {words}") for name in of_kind(kind) for words, one in inputs.items()],
    )


def holds(found, value):
    """The value is None with a sentence that says why; no other number is a NaN."""
    assert getattr(found, value) is None
    assert found.undefined.endswith(".")
    assert found.undefined[0].isupper() or found.undefined[0].isdigit()
    for field in fields(found):
        number = getattr(found, field.name)
        assert not isinstance(number, float) or math.isfinite(number)


@params(AgreementStatistic, JUDGEMENTS)
def test_agreement(name, given):
    holds(STATISTICS[name].agree(*given, "interval"), "value")


@params(Coefficient, UNPAIRED)
def test_coefficients(name, given):
    holds(STATISTICS[name].correlate(*given), "value")


@pytest.mark.parametrize("name", of_kind(Coefficient))
def test_three_points_have_a_coefficient_and_no_interval(name):
    found = STATISTICS[name].correlate([1, 2, 3], [1, 3, 2])
    assert found.value is not None
    holds(found, "low")


@params(PairedTest, PAIRED)
def test_paired_tests(name, given):
    holds(STATISTICS[name].compare(*given), "p")


@params(SampleTest, SAMPLES)
def test_sample_tests(name, given):
    holds(STATISTICS[name].compare(*given), "p")


@params(CorrelationTest, TRIPLES)
def test_tests_of_two_metrics(name, given):
    shaped = given if name == "perm_both" else [one.ravel() for one in given]
    holds(STATISTICS[name].compare(*shaped), "p")


@params(Ranking, ORDERS)
def test_rankings(name, given):
    for found in STATISTICS[name].rank(*given).values():
        holds(found, "value")


@pytest.mark.parametrize("name", of_kind(Correction))
def test_a_family_without_tests_is_corrected_to_nothing(name):
    assert STATISTICS[name].adjust([]) == []
    assert STATISTICS[name].adjust([None, None]) == [None, None]


def test_the_others():
    holds(STATISTICS["pairwise_accuracy"].accuracy([1.0], [2.0]), "value")
    holds(STATISTICS["mean_interval"].mean([], []), "mean")
    holds(STATISTICS["mean_interval"].mean([1.0, 2.0], ["s", "s"]), "low")
    holds(STATISTICS["power"].call(3, 2, levels=(1, 2, 3)), "difference")
    holds(STATISTICS["power"].call(50, 2, levels=(1,)), "difference")
    assert STATISTICS["mean_rank"].ranks([], [], [], []) == {}
    assert STATISTICS["clusters"].call([], 0.05).clusters == []
