"""Tables of shared tasks: BioLaySumm's by hand and pandas' ranks, SimpEval's tau against its authors' program."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.snapshots import by_value, judged, snapshot_of, system, units_of

from evaluation.table_parts.contents import MissingContent
from evaluation.tables import TABLES
from foundation.project import ROOT

GOLDEN = Path(ROOT) / "tests/golden/statistics/simpeval_tau.json"


def of_metrics(scores, people=()):
    """A study of systems a, b, c with these corpus scores by metric."""
    names = [*"abc", *people]
    systems = [system(name, ["x"] * 2, is_human=name in people) for name in names]
    given = {name: [by_value([value, value]) for value in values] for name, values in scores.items()}
    return snapshot_of(units_of(["one", "two"]), systems, scores=given)


def shown(table):
    return [[cell.text for cell in row] for row in table.rows]


def test_biolaysumm_is_the_mean_over_aspects_of_normalized_metrics():
    """Relevance: rouge_1 0, 0.5, 1 and bleu 1, 0, 0; factuality: 1, 0.25, 0."""
    table = TABLES["biolaysumm"].make(
        of_metrics({"rouge_1": [0.1, 0.2, 0.3], "bleu": [40, 20, 20], "alignscore": [0.9, 0.6, 0.5], "ter": [1, 2, 3]})
    )
    assert table.head == ["Rank", "System", "Relevance", "Factuality", "Mean"]
    assert shown(table) == [
        ["1", "a", "0.500", "1.000", "0.750"], ["2", "b", "0.250", "0.250", "0.250"],
        ["2", "c", "0.500", "0.000", "0.250"],
    ]  # fmt: skip
    assert "depend on which systems take part" in table.notes[0]


def test_biolaysumm_turns_metrics_round_and_leaves_out_people_and_what_tells_nobody_apart():
    scores = {"rouge_1": [0.1, 0.2, 0.3, 0.9], "summac_zs": [1, 0, 0.5, 1], "bleu": [5, 5, 5, 9], "fkgl": [9, 8, 7, 6]}
    snapshot = of_metrics(scores, people="h")
    table = TABLES["biolaysumm"].make(snapshot)
    assert [row[1].text for row in table.rows] == ["c", "a", "b"]
    assert table.notes[-1] == "Left out, since all systems have the same score, or one has none: BLEU, FKGL."
    simple = TABLES["biolaysumm"].make(
        replace(snapshot, units=replace(snapshot.units, directions=[("complex", "simple")]))
    )
    by_system = {row[1].text: row[3].text for row in simple.rows}
    assert simple.head[3] == "Readability"
    assert by_system == {"a": "0.000", "b": "0.500", "c": "1.000"}, "the lowest grade is the best"


def test_one_more_system_changes_the_others():
    two = TABLES["biolaysumm"].make(of_metrics({"rouge_1": [1, 2, 9], "alignscore": [3, 1, 2]}, people=""))
    one = of_metrics({"rouge_1": [1, 2, 3], "alignscore": [3, 1, 2]})
    assert shown(two) != shown(TABLES["biolaysumm"].make(one))
    assert isinstance(TABLES["biolaysumm"].make(of_metrics({"rouge_1": [1, 2, 3]})), MissingContent)


@pytest.fixture(scope="module")
def simpeval():
    """The authors' ratings of four systems by three people, and a metric; the domain is the operation."""
    known = json.loads(GOLDEN.read_text(encoding="utf-8"))
    human, metric = np.array(known["human"]), np.array(known["metric"])
    rows = [(unit, place, rater, human[place, unit, rater]) for place, unit, rater in np.ndindex(human.shape)]
    units = units_of([f"s{unit}" for unit in range(human.shape[1])], domains=[str(one) for one in known["operations"]])
    systems = [system(name, ["x"] * human.shape[1]) for name in "abcd"]
    scores = {"rouge_1": [by_value(values) for values in metric]}
    return known, snapshot_of(units, systems, [judged("overall", rows, ends=(0, 100))], scores)


def test_taus_are_those_of_the_authors_program(simpeval):
    known, snapshot = simpeval
    table = TABLES["simpeval_taus"].make(snapshot)
    assert table.head == ["Criterion", "Metric", "All", "0", "1", "2"]
    ((_, _, *taus),) = table.rows
    assert [cell.value for cell in taus] == pytest.approx([known["all"], *known["taus"]])


def test_rank_and_rate_are_by_hand(simpeval):
    known, snapshot = simpeval
    human = np.array(known["human"])
    rows = {row[1].text: row for row in TABLES["simpeval"].make(snapshot).rows}
    places = 1 + (human[None] > human[:, None]).sum(axis=1)
    apart = human[:, None] - human[None]
    for place, name in enumerate("abcd"):
        _, _, rate, _, rank, won = rows[name]
        assert rate.value == pytest.approx(human[place].mean())
        assert rank.value == pytest.approx(places[place].mean())
        assert won.value == pytest.approx((apart[place] > 5).sum() / (np.abs(apart[place]) > 5).sum())


def test_a_study_without_wide_scales_has_neither():
    narrow = snapshot_of(units_of(["a"]), [system("A", ["x"])], [judged("fluency", [(0, 0, 0, 3.0)], ends=(1, 5))])
    assert isinstance(TABLES["simpeval"].make(narrow), MissingContent)
    assert isinstance(TABLES["simpeval_taus"].make(narrow), MissingContent)
