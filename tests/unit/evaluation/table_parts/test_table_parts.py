"""What the papers' tables are put together from."""

from dataclasses import replace

import numpy as np
import pytest
from support.snapshots import bare, reported

from evaluation.charts import binned
from evaluation.snapshot import RANK
from evaluation.table_parts.aspects import criterion_of, metric_for, metric_of, places_of, rankings_of
from evaluation.table_parts.columns import (
    Subset,
    combined_column,
    directions,
    domains,
    human_column,
    metric_column,
    stack_tables,
    star_note,
    table_of,
)
from evaluation.table_parts.contents import no_metric


def test_what_stands_for_an_aspect(formality, expertise):
    assert criterion_of(formality, "meaning", "meaning_6", direction=None).name == "meaning"
    assert criterion_of(expertise, "style", direction=None) is None
    assert [one.name for one in rankings_of(formality)] == [RANK]
    assert criterion_of(formality, "overall", direction=None) is None, "places are no criterion on a scale"
    assert metric_for(formality, "style", direction=None) == "style_accuracy"
    assert metric_for(expertise, "simplicity", direction=None) == "sari"
    assert metric_for(expertise, "fluency", direction=None) is None
    assert metric_of(formality, "terp", "ter", direction=None) == "ter"
    assert no_metric("bleu") == "Choose BLEU on the page Choose metrics."


def test_rows_are_told_by_their_role(formality):
    assert places_of(formality, "source", "reference", "system") == [3, 4, 0, 1, 2]


def test_a_lone_direction_is_the_whole_study(formality, expertise):
    assert [(part.label, part.where) for part in directions(formality)] == [("informal to formal", None)]
    both = directions(expertise)
    assert [part.label for part in both] == ["expert to lay", "lay to expert"]
    assert [int(part.where.sum()) for part in both] == [20, 20]
    assert [part.asks for part in both] == [{"direction": "0"}, {"direction": "1"}]


def test_domains_of_a_part(formality, expertise):
    found = domains(formality, directions(formality)[0])
    assert [(part.label, int(part.where.sum()), part.asks) for part in found] == [
        ("Music", 12, {"domain": "Music"}), ("Family", 12, {"domain": "Family"})
    ]  # fmt: skip
    assert domains(expertise, directions(expertise)[0]) == []


def test_numbers_of_a_whole_study_are_the_reports(formality):
    column = human_column(formality, formality.judgements["raw"]["formality"])
    board = {one["system"]: one for one in formality.report["leaderboard"]["criteria"]["formality"]["rows"]}
    for row, cell in zip(formality.systems, column.cells, strict=True):
        assert (cell.value, cell.stars) == (board[row.name]["value"], board[row.name]["stars"])
        assert cell.parts == {key: board[row.name][key] for key in ("low", "high", "n")}
    assert column.cells[2].stars == "*"
    assert column.cells[2].rows == {"system": "Neural", "criterion": "formality", "variant": "raw"}


def test_human_means_over_a_part(formality):
    judged, (music, _) = formality.judgements["raw"]["fluency"], domains(formality, Subset(""))
    column = human_column(formality, judged, music)
    for place, cell in enumerate(column.cells):
        at = (judged.system == place) & (judged.unit % 2 == 0)
        assert cell.value == pytest.approx(judged.value[at].mean())
        assert cell.parts["n"] == at.sum()
        assert cell.rows["domain"] == "Music"


def test_metrics_over_a_part_are_those_of_its_sentences_alone(formality):
    import sacrebleu

    _, family = domains(formality, Subset(""))
    column = metric_column(formality, "bleu", family)
    units, outputs = formality.units, formality.systems[2].outputs
    at = [one for one in range(24) if one % 2 == 1 and outputs[one] is not None]
    references = [[units.references[one][number] for one in at] for number in range(2)]
    expected = sacrebleu.corpus_bleu([outputs[one] for one in at], references)
    assert column.cells[2].value == pytest.approx(expected.score)
    assert column.cells[2].parts["n"] == len(at) == 11
    assert column.cells[3].value is None
    assert column.cells[3].why


def test_a_whole_study_as_a_part_has_the_same_stars(formality):
    every = Subset("", np.ones(24, dtype=bool))
    for judged in formality.judgements["raw"].values():
        whole, part = human_column(formality, judged), human_column(formality, judged, every)
        assert [cell.stars for cell in part.cells] == [cell.stars for cell in whole.cells]
        assert [cell.value for cell in part.cells] == pytest.approx([cell.value for cell in whole.cells])
    for name in formality.scores:
        whole, part = metric_column(formality, name), metric_column(formality, name, every)
        assert [cell.stars for cell in part.cells] == [cell.stars for cell in whole.cells]


def test_corrected_stars_of_a_part_are_those_of_a_whole(formality):
    strict = reported(replace(formality, correction="holm", alpha=0.01))
    every = Subset("", np.ones(24, dtype=bool))
    for name in strict.scores:
        whole, part = metric_column(strict, name), metric_column(strict, name, every)
        assert [cell.stars for cell in part.cells] == [cell.stars for cell in whole.cells]
    assert star_note(strict) == [
        "* differs from Rules with p < 0.01, corrected a column (Holm), by approximate randomization."
    ]


def test_combined_is_gyafcs_sum(formality):
    column = combined_column(formality, "human", "Combined")
    judged = formality.judgements["raw"]
    style, fluency, meaning = (
        judged[name].value[judged[name].system == 1].mean() for name in ("formality", "fluency", "meaning")
    )
    assert column.cells[1].value == pytest.approx(style / 3 + fluency / 2 + 2 * meaning / 5 + 1.5)
    assert combined_column(formality, "metrics", "Combined") is None


def test_the_best_is_one_that_competes(formality):
    column = human_column(formality, formality.judgements["raw"]["formality"])
    table = table_of(formality, "T", [3, 4, 0, 1, 2], [column])
    assert [row[0].text for row in table.rows if row[1].best] == ["Neural"]
    assert table.rows[1][1].value > table.rows[4][1].value, "the reference, which competes with nobody, is better"


def test_what_was_judged_beside_says_why_a_metric_has_no_number_of_a_part(expertise):
    beside = replace(expertise.systems[0], name="Source", role="source")
    scores = {name: [*of, None] for name, of in expertise.scores.items()}
    snapshot = replace(expertise, systems=[*expertise.systems, beside], scores=scores)
    cell = metric_column(snapshot, "sari", directions(snapshot)[0]).cells[-1]
    assert (cell.value, cell.why) == (
        None, "A metric's score of source and reference is kept for all texts together, and for no part of them."
    )  # fmt: skip


def test_blocks_stand_under_one_another(expertise):
    parts = directions(expertise)
    tables = [
        (part.label, table_of(expertise, "T", [0, 1], [metric_column(expertise, "sari", part)])) for part in parts
    ]
    made = stack_tables("Both", tables)
    assert made.head == ["System", "Texts", "SARI"]
    assert [[cell.text for cell in row[:2]] for row in made.rows] == [
        ["Copying", "expert to lay"], ["Dropping", "expert to lay"],
        ["Copying", "lay to expert"], ["Dropping", "lay to expert"],
    ]  # fmt: skip
    assert list(made.better) == [None, None, True]
    assert stack_tables("One", tables[:1]).head == ["System", "SARI"]


def test_without_a_baseline_there_are_no_stars():
    assert star_note(replace(bare(), baseline=None)) == []


def test_bins_count_everything_once():
    assert binned([0, 9, 10, 35], 0, 10) == [
        (0, 10, 2, 50.0), (10, 20, 1, 25.0), (20, 30, 0, 0.0), (30, 40, 1, 25.0)
    ]  # fmt: skip
    assert binned([], 0, 10) == []
    assert binned([-0.3, -0.25], -3, 0.25) == [(-0.5, -0.25, 1, 50.0), (-0.25, 0.0, 1, 50.0)]
