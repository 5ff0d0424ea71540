"""GYAFC's tables from snapshots that hold what the paper prints, and from a few judgements worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest
from support.snapshots import bare, by_value, judged, snapshot_of, system, units_of

from evaluation.snapshot import RANK, CorpusCounts
from evaluation.tables import TABLES

# Table 4: people's formality, fluency and meaning, PT16, H14 and HE15, BLEU, TERp and PINC; Combined of both.
TABLE_4 = {
    "Source": ((-1.23, 3.90, None), (-1.00, 2.89, None), (50.69, 0.35, 0.00), None, None),
    "Reference": ((0.38, 4.45, 4.57), (0.17, 3.32, 3.64), (100.0, 0.37, 69.79), 5.68, 4.67),
    "Rule-based": ((-0.59, 4.00, 4.85), (-0.34, 3.09, 4.41), (61.38, 0.27, 26.05), 5.24, 4.69),
    "PBMT": ((-0.19, 3.96, 4.64), (0.00, 3.28, 4.19), (67.26, 0.26, 44.94), 5.27, 4.82),
    "NMT Baseline": ((0.05, 4.05, 3.55), (0.07, 3.52, 3.89), (56.61, 0.38, 56.92), 4.96, 4.84),
    "NMT Copy": ((0.02, 4.07, 3.48), (0.10, 3.45, 3.87), (58.01, 0.38, 56.39), 4.93, 4.81),
}
SYSTEMS = ["Rule-based", "PBMT", "NMT Baseline", "NMT Copy", "Source", "Reference"]
SCALES = {
    "formality": ("style", "formality_7"),
    "fluency": ("fluency", "fluency_5"),
    "meaning": ("meaning", "meaning_6"),
}
THREE, OVERALL = ("formality", "grammaticality", "semantic_similarity"), ("bleu", "terp", "pinc")
TABLE_3 = {
    "E&M": (52_595, 2_877, 1_416, 2_356, 1_082),
    "F&R": (51_967, 2_788, 1_332, 2_247, 1_019),
}
INTO, BACK = ("informal", "formal"), ("formal", "informal")
COLUMNS = [(*INTO, "train"), (*INTO, "tune"), (*INTO, "test"), (*BACK, "tune"), (*BACK, "test")]
SIZE = 4


def printed(domains=(), fluency=(0.0, 4.0)):
    """A study whose every output was given what the paper prints of its system; `fluency` is grammaticality's scale."""
    roles = {"Source": "source", "Reference": "reference"}
    systems = [system(name, ["x"] * SIZE, roles.get(name, "system")) for name in SYSTEMS]
    people = [
        judged(
            name,
            [(unit, place, 0, value) for place, row in enumerate(SYSTEMS) for unit in range(SIZE)
             if (value := TABLE_4[row][0][number]) is not None],
            aspect=aspect, scale=scale, ends=(-3, 6),
        )
        for number, (name, (aspect, scale)) in enumerate(SCALES.items())
    ]  # fmt: skip
    scores = {name: [_given(TABLE_4[row][1][at]) for row in SYSTEMS] for at, name in enumerate(THREE)}
    scores["grammaticality"] = [_learnt_on(fluency, of) for of in scores["grammaticality"]]
    scores |= {name: [_given(TABLE_4[row][2][at]) for row in SYSTEMS] for at, name in enumerate(OVERALL)}
    units = units_of([f"source {one}" for one in range(SIZE)], domains=list(domains) or ["E&M"] * SIZE)
    return snapshot_of(units, systems, people, scores)


def _given(value):
    return None if value is None else by_value([value] * SIZE)


def _learnt_on(ends, scored):
    """The scores moved to another scale, whose lowest stands for H14's 0; None for one that is not known."""
    if ends is None:
        return scored
    moved = by_value(scored.sentences + ends[0])
    return replace(moved, details={"lowest": ends[0], "highest": ends[1]})


def test_table_4_is_the_papers():
    table = TABLES["gyafc_table_4"].make(printed())
    assert table.head == [
        "System", "Formality, people", "Formality, metric", "Fluency, people", "Grammaticality", "Meaning, people",
        "Similarity", "Combined, people", "Combined, metrics", "BLEU", "TER, stems and synonyms", "PINC",
    ]  # fmt: skip
    assert [row[0].text for row in table.rows] == ["Source", "Reference", *SYSTEMS[:4]]
    for row in table.rows:
        people, metrics, overall, *_ = TABLE_4[row[0].text]
        shown = [one for pair in zip(people, metrics, strict=True) for one in pair]
        assert [cell.text for cell in row[1:7]] == ["–" if one is None else f"{one:.2f}" for one in shown]
        assert [cell.text for cell in row[9:]] == [f"{one:.2f}" for one in overall]
    best = {head: [row[0].text for row in table.rows if row[at].best] for at, head in enumerate(table.head)}
    assert (best["Formality, people"], best["Meaning, people"]) == (["NMT Baseline"], ["Rule-based"])
    assert best["TER, stems and synonyms"] == ["PBMT"], "of errors few are good"


@pytest.mark.parametrize(("at", "column"), [(3, "Combined, people"), (4, "Combined, metrics")])
def test_combined_is_the_papers(at, column):
    """To the rounding of three printed numbers; over all sentences and over those of a domain alike."""
    for snapshot in (printed(), printed(["E&M", "E&M", "F&R", "F&R"])):
        table = TABLES["gyafc_table_4"].make(snapshot)
        place = list(table.head).index(column)
        for row in table.rows:
            expected = TABLE_4[row[0].text][at]
            assert row[place].value == (None if expected is None else pytest.approx(expected, abs=0.013))


@pytest.mark.parametrize("domains", [(), ("E&M", "E&M", "F&R", "F&R")])
def test_grammaticality_learnt_on_people_s_scale_gives_the_papers_combined_too(domains):
    """It was 0.5 too high: people's 1 to 5 are H14's 0 to 4, and the formula takes the metric's from 0."""
    by_scale = [TABLES["gyafc_table_4"].make(printed(domains, ends)) for ends in ((0.0, 4.0), (1.0, 5.0))]
    place = list(by_scale[0].head).index("Combined, metrics")
    values = [[row[place].value for row in table.rows] for table in by_scale]
    assert values[0] == pytest.approx(values[1], nan_ok=True)
    assert values[1][:2] == pytest.approx([None, 4.67], abs=0.013)


@pytest.mark.parametrize(
    ("ends", "why"),
    [
        (
            (0.0, 100.0),
            "Grammaticality was learnt on a scale from 0 to 100: the metrics' Combined is defined for 0 to 4",
        ),
        (None, "It is not known on which scale grammaticality was learnt: run the metrics again."),
    ],
)
def test_on_another_scale_there_is_no_combined_but_a_sentence(ends, why):
    table = TABLES["gyafc_table_4"].make(printed(fluency=ends))
    assert "Combined, metrics" not in table.head
    assert "Combined, people" in table.head
    assert any(note.startswith(why) for note in table.notes)


def test_table_3_is_the_papers():
    counts = {(*column, name): n for name, row in TABLE_3.items() for column, n in zip(COLUMNS, row, strict=True)}
    table = TABLES["gyafc_table_3"].make(bare(counts=CorpusCounts(sentences=counts)))
    assert table.head[1:] == [
        "informal to formal, train", "informal to formal, tune", "informal to formal, test",
        "formal to informal, tune", "formal to informal, test",
    ]  # fmt: skip
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["E&M", "52,595", "2,877", "1,416", "2,356", "1,082"], ["F&R", "51,967", "2,788", "1,332", "2,247", "1,019"]
    ]  # fmt: skip


def test_table_5_takes_judges_first_and_shares_the_best_place():
    """Two judges of the first source, one of the second; places as they were stored, ties with a gap and without."""
    rows = [(0, 0, 0, 1), (0, 1, 0, 1), (0, 2, 0, 2), (0, 0, 1, 1), (0, 1, 1, 2), (0, 2, 1, 2),
            (1, 0, 0, 2), (1, 1, 0, 1), (1, 2, 0, 3)]  # fmt: skip
    systems = [system(name, ["x", "y"]) for name in "ABC"]
    snapshot = snapshot_of(units_of(["one", "two"]), systems, [judged(RANK, rows, level="ordinal")])
    table = TABLES["gyafc_table_5"].make(snapshot)
    assert table.head == ["System", "Mean rank"]
    assert [(row[0].text, row[1].value) for row in table.rows] == [("B", 1.25), ("A", 1.5), ("C", 2.75)]
    assert [row[1].best for row in table.rows] == [True, False, False]
    assert table.notes[1] == (
        "If the place after a tie is not left out (1, 1, 2 for 1, 1, 3), which the paper does not say, over all: "
        "B 1.25, A 1.50, C 2.50."
    )


def test_table_6_leaves_out_what_has_no_score_and_ties():
    """Worked out by hand: ranks 1, 2.5, 2.5, 4 against 1, 2, 3.5, 3.5 give 0.8333..., one output having no score."""
    units = units_of(["one", "two", "three", "four", "five"])
    people = [judged("formality", [(0, 0, 0, 1), (1, 0, 0, 2), (2, 0, 0, 3), (3, 0, 0, 3), (4, 0, 0, 0)],
                     aspect="style", scale="formality_7")]  # fmt: skip
    scores = {"formality": [by_value([0.1, 0.2, 0.2, 0.3, np.nan])]}
    snapshot = snapshot_of(units, [system("A", ["x"] * 5)], people, scores)
    table = TABLES["gyafc_table_6"].make(snapshot)
    assert [row[0].text for row in table.rows] == ["Formality"]
    assert table.rows[0][2].value == pytest.approx(3.75 / 4.5)
    assert table.rows[0][2].parts["n"] == 4
    constant = snapshot_of(units, [system("A", ["x"] * 5)], people, {"formality": [by_value([0.1] * 5)]})
    cell = TABLES["gyafc_table_6"].make(constant).rows[0][2]
    assert (cell.value, cell.why) == (None, "All 5 values of the first variable are the same.")


FIVE = [*SYSTEMS[:4], "NMT Combined"]


def clear_difference(**more):
    """Five systems, 40 sentences of two domains: one is rated far above the baseline in each, the rest as it is."""
    rows = [
        (unit, place, 0, (3 if place == 1 else 0) + (unit + place) % 2)
        for place in range(len(FIVE))
        for unit in range(80)
    ]
    places = [(unit, place, 0, 2 if place == 1 else 1) for unit, place, *_ in rows]
    ratings = [judged("formality", rows, aspect="style", scale="formality_7", ends=(-3, 6)), judged(RANK, places)]
    systems = [system(name, ["x"] * 80) for name in FIVE]
    units = units_of([f"source {one}" for one in range(80)], domains=["E&M"] * 40 + ["F&R"] * 40)
    scores = {"bleu": by_value([1.0] * 80), "formality": by_value([0.5] * 80)}
    given = {name: [score] * len(FIVE) for name, score in scores.items()}
    return snapshot_of(units, systems, ratings, given, baseline=0, **more)


@pytest.mark.parametrize("name", ["gyafc_table_4", "gyafc_table_5"])
def test_a_star_of_the_papers_level_can_appear_in_each_column(name):
    """Holm's correction of four comparisons: of 1,000 draws the least p was .004."""
    table = TABLES[name].make(clear_difference(alpha=0.001, correction="holm"))
    starred = [(row[0].text, [cell.text for cell in row if cell.stars]) for row in table.rows]
    columns = 3 if name == "gyafc_table_5" else 1
    wanted = {row[0].text: columns if row[0].text == "PBMT" else 0 for row in table.rows}
    assert {row: len(cells) for row, cells in starred} == wanted
    assert any(note.startswith("* differs from Rule-based with p < 0.001") for note in table.notes)


def test_a_level_that_no_draws_reach_is_said():
    table = TABLES["gyafc_table_5"].make(clear_difference(alpha=1e-6, correction="holm"))
    assert "No system can have a star: 100,000 draws tell no p of 4 comparisons below 1e-06." in table.notes
    board = TABLES["leaderboard"].make(clear_difference(alpha=1e-6, correction="holm"))
    assert "No systems can stand apart: 100,000 draws tell no p of 10 pairs below 1e-06." in board.notes


def test_table_4_s_metrics_are_over_the_sentences_that_people_judged():
    """The paper randomly selects 500 sentences of a test set for both; people judged two of these four."""
    units = units_of([f"source {one}" for one in range(4)], domains=["E&M"] * 4)
    people = [judged("formality", [(unit, place, 0, 1 + place) for unit in (1, 3) for place in range(2)],
                     aspect="style", scale="formality_7", ends=(-3, 3))]  # fmt: skip
    scores = {"bleu": [by_value([0, 10, 50, 20]), by_value([0, 30, 50, 40])]}
    systems = [system(name, ["x"] * 4) for name in "AB"]
    sampled = TABLES["gyafc_table_4"].make(snapshot_of(units, systems, people, scores))
    place = list(sampled.head).index("BLEU")
    assert [row[place].value for row in sampled.rows] == [15.0, 35.0]
    assert any("over the 2 sentences that people judged, of 4" in note for note in sampled.notes)
    whole = [judged("formality", [(unit, place, 0, 1) for unit in range(4) for place in range(2)],
                    aspect="style", scale="formality_7", ends=(-3, 3))]  # fmt: skip
    all_judged = TABLES["gyafc_table_4"].make(snapshot_of(units, systems, whole, scores))
    assert [row[place].value for row in all_judged.rows] == [20.0, 30.0]
