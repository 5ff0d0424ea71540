"""The bias card on simulated judges whose biases are known."""

import numpy as np
import pytest
from scipy import stats

from evaluation.llm_judge.bias import Outputs, card_of
from evaluation.llm_judge.judging import Judged

UNITS, SYSTEMS = 60, 5


def outputs(judge, people, length=None, own=None):
    unit = np.repeat(np.arange(UNITS), SYSTEMS)
    n = len(unit)
    return Outputs(
        unit, judge, people, np.full(n, 50.0) if length is None else length,
        np.zeros(n, dtype=bool) if own is None else own,
    )  # fmt: skip


@pytest.fixture
def people():
    return np.random.default_rng(1).integers(1, 6, UNITS * SYSTEMS).astype(float)


def holds(found, value):
    return found["low"] <= value <= found["high"]


def test_a_judge_without_bias_has_none(people):
    draw = np.random.default_rng(2)
    length = draw.integers(20, 200, len(people)).astype(float)
    own = np.tile([True, False, False, False, False], UNITS)
    card = card_of(outputs(people + draw.normal(0, 0.3, len(people)), people, length, own), None, {}, 1)
    assert card["agreement"]["value"] > 0.9
    assert all(holds(card[name], value) for name, value in {"length": 0, "own": 0, "offset": 0}.items())
    assert card["slope"]["value"] == pytest.approx(1, abs=0.1)
    assert card["position"]["undefined"] == "only pairs have an order"


def test_length_and_own_outputs_are_found_and_are_the_textbooks_numbers(people):
    draw = np.random.default_rng(3)
    length = draw.integers(20, 200, len(people)).astype(float)
    own = np.tile([True, False, False, False, False], UNITS)
    judge = people + 0.8 * np.log1p(length) + 0.5 * own + draw.normal(0, 0.3, len(people))
    card = card_of(outputs(judge, people, length, own), None, {}, 1)
    assert card["length"]["low"] > 0.5
    assert card["own"]["low"] > 0
    above = judge - people
    assert card["own"]["value"] == pytest.approx(above[own].mean() - above[~own].mean(), abs=1e-12)
    left = [one - np.polyval(np.polyfit(people, one, 1), people) for one in (judge, np.log1p(length))]
    assert card["length"]["value"] == pytest.approx(stats.pearsonr(*left)[0], abs=1e-9)
    assert card["slope"]["value"] == pytest.approx(stats.linregress(judge, people).slope, abs=1e-12)


def test_a_judge_that_likes_the_first_place():
    judged = Judged()
    for place in range(30):
        one, other = ("A", place), ("B", place)
        judged.values[one, other] = 1.0
        judged.values[other, one] = 1.0 if place < 20 else 0.0
    scores = judged.scores()
    card = card_of(outputs(np.ones(UNITS * SYSTEMS), np.ones(UNITS * SYSTEMS)), judged, {}, 1)
    assert card["position"]["value"] == pytest.approx(20 / 30)
    assert card["first"]["value"] == pytest.approx((20 * 1 + 10 * 0.5) / 30)
    assert (scores["A", 0], scores["B", 0], scores["A", 25], scores["B", 25]) == (0.5, 0.5, 1, 0)
    assert card["agreement"]["undefined"] == "one of the two does not vary"


def test_what_nobody_judged_says_so():
    card = card_of(outputs(np.arange(300.0), np.full(300, np.nan)), None, {"copied": np.full(12, 2.0)}, 1)
    assert {card[name]["undefined"] for name in ("agreement", "length", "offset", "slope")} == {
        "people judged fewer than 10 of these outputs"
    }
    assert (card["contrast"]["copied"]["value"], card["contrast"]["copied"]["n"]) == (2.0, 12)
