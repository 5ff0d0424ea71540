"""The tables of models of raters: numbers of the statistics, and what they say of items."""

from dataclasses import replace

import numpy as np
import pytest
from support.snapshots import gyafc_like, judged, snapshot_of, system, units_of

from evaluation.statistics import STATISTICS
from evaluation.table_parts.contents import MissingContent
from evaluation.tables import TABLES

TEXTS = [f"sentence {unit}" for unit in range(20)]


def made(name, snapshot):
    return TABLES[name].make(snapshot)


def rated():
    random = np.random.default_rng(5)
    rows = [
        (unit, place, rater, float(np.clip(round(3 + place - rater * 0.5 + random.normal()), 1, 5)))
        for unit in range(20) for place in range(2) for rater in range(3)
    ]  # fmt: skip
    rows = [(u, p, r, (5.0 if r % 2 else 1.0) if u == 4 else v) for u, p, r, v in rows]
    return judged("meaning", rows, level="ordinal", ends=(1, 5))


def test_ratings_are_modelled_and_an_item_is_named():
    snapshot = snapshot_of(units_of(TEXTS), [system("A", TEXTS), system("B", TEXTS)], [rated()])
    table = made("rater_model", snapshot)
    one = rated()
    found = STATISTICS["ordinal_mixed"].fit(one.system, one.rater, one.unit, one.value)
    assert [row[1].text for row in table.rows] == ["B", "A"]
    assert table.rows[0][2].value == found.systems[1].value
    assert "Read these items beside the guideline" in table.notes[-1]
    assert ": 5 (" in table.notes[-1]


def test_labels_have_their_shares_by_each_model():
    random = np.random.default_rng(6)
    true = random.integers(1, 4, (20, 2))
    rows = [
        (unit, place, rater, float(true[unit, place] if random.random() < 0.8 else random.integers(1, 4)))
        for unit in range(20) for place in range(2) for rater in range(4)
    ]  # fmt: skip
    one = replace(judged("kind", rows, level="nominal"), better=None)
    snapshot = snapshot_of(units_of(TEXTS), [system("A", TEXTS), system("B", TEXTS)], unordered={"kind": one})
    table = made("label_models", snapshot)
    assert table.head[3:] == ["As given", "Dawid-Skene", "GLAD", "MACE"]
    assert len(table.rows) == 6
    for at in range(3, 7):
        assert sum(row[at].value for row in table.rows[:3]) == pytest.approx(1)
    assert "competence of the raters: 1: 0." in table.notes[-1]


def test_ranks_have_strengths_and_nothing_is_missing_in_silence():
    snapshot = gyafc_like()
    table = made("rank_model", snapshot)
    assert [row[1].value for row in table.rows] == sorted((row[1].value for row in table.rows), reverse=True)
    assert "Two equal systems tie" in table.notes[1]
    assert isinstance(made("label_models", snapshot), MissingContent)
