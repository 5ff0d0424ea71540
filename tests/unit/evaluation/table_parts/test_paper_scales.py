"""Columns of a paper's table on the paper's scale."""

import pytest

from evaluation.table_parts.columns import HUNDREDTH, OURS, metric_column, scale_notes
from evaluation.table_parts.model_rows import families_of, marked_scores, score_column


def test_a_column_of_systems_has_value_interval_and_digits_of_the_scale(formality):
    ours, theirs = metric_column(formality, "bleu"), metric_column(formality, "bleu", scale=HUNDREDTH)
    for our, their in zip(ours.cells, theirs.cells, strict=True):
        if our.value is None:
            assert their == our
            continue
        assert their.value == pytest.approx(our.value / 100)
        assert their.text == f"{our.value / 100:.4f}"
        for end in ("low", "high"):
            assert their.parts[end] == pytest.approx(our.parts[end] / 100)
        assert f"{our.parts['low'] / 100:.4f} to {our.parts['high'] / 100:.4f}" in their.small
        assert (their.parts["n"], their.stars, their.rows) == (our.parts["n"], our.stars, our.rows)
    assert theirs.ranking == ours.ranking


def test_a_column_of_models_has_mean_and_deviation_of_the_scale(formality):
    models = families_of(formality)
    ours, theirs = (score_column(formality, "bleu", models, scale=scale) for scale in (OURS, HUNDREDTH))
    assert [cell.value for cell in theirs] == pytest.approx([cell.value / 100 for cell in ours])
    assert [cell.text for cell in theirs] == [f"{cell.value / 100:.4f}" for cell in ours]
    marked, _ = marked_scores(formality, "bleu", models, scale=HUNDREDTH)
    assert [cell.best for cell in marked] == [cell.best for cell in marked_scores(formality, "bleu", models)[0]]


def test_a_note_names_the_columns_of_another_scale():
    heads = [("rouge_1", "ROUGE-1"), ("bleu", "BLEU"), ("terp", "TERp")]
    assert scale_notes({"bleu": HUNDREDTH, "terp": HUNDREDTH, "sari": HUNDREDTH}, heads) == [
        "BLEU, TERp: on the paper's scale, a hundredth of the number that Restyle has elsewhere."
    ]
    assert scale_notes({}, heads) == []
