"""The leaderboard's column of people and a metric together, where a plan put one beside people."""

import numpy as np
import pytest
from support.snapshots import by_value, judged, snapshot_of, system, units_of

from evaluation.statistics import STATISTICS
from evaluation.tables import TABLES

TEXTS = [f"sentence {unit}" for unit in range(80)]


def made(raters, **more):
    random = np.random.default_rng(2)
    felt = random.normal(size=(2, 80))
    severe = [0, 1.5, -1.5][:raters]
    rows = [
        (unit, place, rater, 5 + place + 2 * felt[place, unit] + severe[rater] + random.normal() * 0.2)
        for unit in range(30) for place in range(2) for rater in range(raters)
    ]  # fmt: skip
    scores = {"bleu": [by_value(50 + 10 * felt[place]) for place in range(2)]}
    systems = [system("A", TEXTS), system("B", TEXTS)]
    return snapshot_of(units_of(TEXTS), systems, [judged("meaning", rows)], scores, **more), felt, rows


def test_the_board_has_both_intervals_and_says_which_is_which():
    snapshot, felt, rows = made(1, proxies={"meaning": "bleu"})
    table = TABLES["leaderboard"].make(snapshot)
    at = table.head.index("Meaning: people and BLEU")
    (row,) = [of for of in snapshot.report["leaderboard"]["criteria"]["meaning"]["rows"] if of["system"] == "A"]
    people = np.array([value for _, place, _, value in rows if place == 0])
    found = STATISTICS["prediction_powered"].mean(people, 50 + 10 * felt[0, :30], 50 + 10 * felt[0, 30:])
    powered = row["with_metric"]
    assert (powered["value"], powered["low"], powered["high"]) == pytest.approx((found.value, found.low, found.high))
    assert powered["high"] - powered["low"] < 0.8 * (row["high"] - row["low"])
    cell = next(of[at] for of in table.rows if of[0].text == "A")
    assert cell.parts["saved"] == pytest.approx(found.saved)
    assert any("people alone" in note for note in table.notes)


def test_what_raters_add_to_the_interval_no_metric_takes_away():
    snapshot, _, _ = made(3, proxies={"meaning": "bleu"})
    for row in snapshot.report["leaderboard"]["criteria"]["meaning"]["rows"]:
        powered = row["with_metric"]
        assert powered["high"] - powered["low"] > 0.9 * (row["high"] - row["low"]), "raters differ more than sources"


def test_without_a_plan_there_is_no_such_column():
    table = TABLES["leaderboard"].make(made(1)[0])
    assert not [head for head in table.head if "people and" in head]
