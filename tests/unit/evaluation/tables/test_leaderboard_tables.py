"""The leaderboard, as a table and drawn: order, clusters, stars and intervals, by hand and by the judgements."""

from dataclasses import replace

import numpy as np
import pytest
from support.paper_snapshots import plaba_like
from support.snapshots import by_value, judged, reported, snapshot_of, system, units_of

from evaluation.tables import TABLES


@pytest.fixture(scope="module")
def snapshot(formality):
    return formality


def made(name, snapshot):
    return TABLES[name].make(snapshot)


@pytest.mark.parametrize("name", ["leaderboard", "leaderboard_figure"])
def test_texts_that_were_judged_alone_have_no_order(name):
    texts = ["one sentence", "another sentence"]
    rows = [(unit, 0, rater, 3.0 + unit) for unit in range(2) for rater in range(2)]
    alone = snapshot_of(units_of(texts), [system("Source", texts, "source")], [judged("fluency", rows)], baseline=None)
    assert made(name, alone).reasons == ["The study has no systems to put in order: add them with their outputs."]


def column(table, head):
    return [row[list(table.head).index(head)] for row in table.rows]


def plain(size=30, systems=3, **more):
    """Judged by two raters: the first system is bad, and the others are equal, text by text."""
    texts = [f"sentence {one}" for one in range(size)]
    values = [1 + np.arange(size) % 2, 4 + np.arange(size) % 2, 4 + np.arange(size) % 2]
    rows = [
        (unit, place, rater, float(values[place][unit]))
        for unit in range(size) for place in range(systems) for rater in range(2)
    ]  # fmt: skip
    named = [system(name, texts) for name in ("Bad", "Good", "Twin")[:systems]]
    return snapshot_of(units_of(texts), named, [judged("fluency", rows, aspect="fluency", ends=(1, 5))], **more)


def test_the_leaderboard_is_ordered_by_the_first_board(snapshot):
    table = made("leaderboard", snapshot)
    assert list(table.head) == ["System", "Cluster", "Combined", "Formality", "Fluency", "Meaning", "Rank", "BLEU",
                                "TER", "PINC", "Style acc.", "PPL (n-gram)", "Content"]  # fmt: skip
    names = [cell.text for cell in column(table, "System")]
    assert names[3:] == ["Source", "Reference"], "what was judged beside the systems comes last"
    values = [cell.value for cell in column(table, "Combined")]
    assert values[:3] == sorted(values[:3], reverse=True)
    for name, cell in zip(names, column(table, "Formality"), strict=True):
        place = [row.name for row in snapshot.systems].index(name)
        one = snapshot.judgements["raw"]["formality"]
        assert cell.value == pytest.approx(one.value[one.system == place].mean())
        assert cell.rows == {"system": name, "criterion": "formality", "variant": "raw"}
    assert table.notes[0].startswith("Order, clusters and letters are by Combined.")
    assert table.notes[1].startswith("* differs from Rules with p < 0.05")


def test_the_main_criterion_of_a_frozen_plan_orders_it(snapshot):
    planned = reported(replace(snapshot, planned=[("meaning", ("informal", "formal")), ("rank", ())]))
    table = made("leaderboard", planned)
    assert list(table.head)[2:6] == ["Meaning", "Rank", "Combined", "Formality"]
    values = [cell.value for cell in column(table, "Meaning")][:3]
    assert values == sorted(values, reverse=True)
    assert values != [cell.value for cell in column(made("leaderboard", snapshot), "Meaning")][:3]
    assert table.notes[0].startswith("Order, clusters and letters are by Meaning.")
    assert table.notes[1] == "The order is that of the main criterion of a human study's frozen plan."
    assert made("leaderboard_figure", planned).rows[0]["panel"] == "Meaning"


def test_equal_systems_share_a_cluster_and_its_letter():
    table = made("leaderboard", plain())
    assert [cell.text for cell in column(table, "System")] == ["Good", "Twin", "Bad"]
    assert [(cell.value, cell.small) for cell in column(table, "Cluster")] == [(1, "a"), (1, "a"), (2, "b")]
    assert [(cell.value, cell.best) for cell in column(table, "Fluency")] == [(4.5, True), (4.5, True), (1.5, False)]
    assert [cell.stars for cell in column(table, "Fluency")] == ["*", "*", ""], "Bad is the baseline"


def test_one_system_stands_alone():
    table = made("leaderboard", plain(systems=1))
    assert [(cell.value, cell.small) for cell in column(table, "Cluster")] == [(1, "a")]
    assert column(table, "Fluency")[0].value == 1.5


def test_what_was_not_scored_stands_last_with_a_reason():
    texts = ["a", "b", "c", "d"]
    scores = {"pinc": [by_value([np.nan] * 4), by_value([1, 2, 3, np.nan])]}
    table = made(
        "leaderboard", snapshot_of(units_of(texts), [system("None", texts), system("Some", texts)], (), scores)
    )
    assert [cell.text for cell in column(table, "System")] == ["Some", "None"]
    assert [cell.value for cell in column(table, "PINC")] == [2, None]
    assert column(table, "PINC")[1].why == "None of the sentences has a score."
    assert column(table, "Cluster")[1].why


def test_the_leaderboard_says_what_was_corrected(snapshot):
    strict = reported(replace(snapshot, correction="holm", alpha=0.01))
    assert "p < 0.01, corrected over all pairs (Holm)" in made("leaderboard", strict).notes[0]


def test_the_drawn_leaderboard_has_a_panel_a_board_of_people(snapshot):
    figure = made("leaderboard_figure", snapshot)
    assert list(dict.fromkeys(row["panel"] for row in figure.rows)) == [
        "Combined", "Formality", "Fluency", "Meaning", "Rank (low is good)"
    ]  # fmt: skip
    table = made("leaderboard", snapshot)
    for row in figure.rows:
        if row["panel"] == "Meaning":
            at = [cell.text for cell in column(table, "System")].index(row["system"])
            cell = column(table, "Meaning")[at]
            assert (row["value"], row["low"], row["high"]) == (cell.value, cell.parts["low"], cell.parts["high"])
    beside = {row["system"] for row in figure.rows if row["cluster"] == "judged beside"}
    assert beside == {"Source", "Reference"}
    assert "Rank (low is good): Phrases 2.22, Neural 3.30, Rules 3.22" in figure.describes
    assert figure.spec["columns"] == 2


def test_names_too_long_for_two_columns_have_one(snapshot):
    longer = [replace(row, name=f"{row.name}, trained on all that there is") for row in snapshot.systems]
    figure = made("leaderboard_figure", reported(replace(snapshot, systems=longer)))
    assert figure.spec["columns"] == 1


def test_the_drawn_leaderboard_without_people_is_of_metrics():
    figure = made("leaderboard_figure", plaba_like())
    assert {"SARI", "BLEU"} <= {row["panel"] for row in figure.rows}


def test_no_two_of_many_clusters_look_alike():
    size, many = 40, 12
    texts = [f"sentence {one}" for one in range(size)]
    rows = [(unit, place, 0, float(place + unit % 2 / 10)) for unit in range(size) for place in range(many)]
    figure = made("leaderboard_figure", snapshot_of(
        units_of(texts), [system(f"S{one}", texts) for one in range(many)], [judged("overall", rows)]
    ))  # fmt: skip
    encoding = figure.spec["spec"]["layer"][-1]["encoding"]
    looks = list(zip(encoding["color"]["scale"]["range"], encoding["shape"]["scale"]["range"], strict=True))
    assert len(looks) == len(set(looks)) == many


def test_a_metric_of_a_criterions_name_says_that_it_is_one():
    """Else the study's formality stands beside the metric's under one name, and a figure draws both in one panel."""
    texts = [f"sentence {one}" for one in range(6)]
    rows = [(unit, 0, rater, float(unit % 3)) for unit in range(6) for rater in range(2)]
    both = snapshot_of(
        units_of(texts), [system("A", texts)], [judged("formality", rows)], {"formality": [by_value(range(6))]}
    )
    assert made("leaderboard", both).head[2:] == ["Formality", "Formality, metric"]
    assert made("systems", both).head[2:] == ["formality", "Formality, metric"]


def test_the_table_of_systems_marks_the_best_that_competes(snapshot):
    table = made("systems", snapshot)
    names = {row[0].text for row in table.rows for cell in row if cell.best}
    assert names <= {"Rules", "Phrases", "Neural"}
    assert [row[0].text for row in table.rows if row[list(table.head).index("formality")].best] == ["Neural"]


def test_of_what_was_judged_beside_the_systems_a_metric_has_no_n(snapshot):
    """Its scores are kept as a whole: 0 beside a value would be wrong."""
    whole = {name: list(of) for name, of in snapshot.scores.items()}
    for name, of in whole.items():
        nothing = np.zeros(len(snapshot.units.ids), dtype=bool)
        of[3] = replace(of[0], there=nothing, sentences=np.full(len(nothing), np.nan))
        assert of[3].corpus is not None, name
    made_again = reported(replace(snapshot, scores=whole))
    rows = made_again.report["leaderboard"]["metrics"]["bleu"]["rows"]
    assert {row["system"]: row["n"] for row in rows} == {
        "Rules": 24, "Phrases": 24, "Neural": 23, "Source": None, "Reference": 0
    }  # fmt: skip
    assert all(row["n"] is None or row["value"] is None or row["n"] > 0 for row in rows)
    numbers = next(row for row in made_again.report["systems"] if row["name"] == "Source")["metrics"]["bleu"]
    assert (numbers["score"], numbers["n"]) == (whole["bleu"][0].corpus, None)
