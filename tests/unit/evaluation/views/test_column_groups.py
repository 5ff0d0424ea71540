"""Columns of a table are grouped by the rows behind their numbers."""

from evaluation.table_parts.contents import Cell, Column
from evaluation.views.tables_and_figures import ordered


def group_of(cells):
    return Column("Head", None, cells).group


def test_a_column_is_of_judgements_or_of_its_metrics_aspect():
    assert group_of([Cell("–"), Cell("4.00", 4.0, rows={"criterion": "fluency"})]) == "judgements"
    assert group_of([Cell("7.00", 7.0, rows={"metric": "fkgl"})]) == "simplicity"
    assert group_of([Cell("7.00", 7.0, rows={"metric": "formality (informal to formal)"})]) == "style"


def test_what_has_no_rows_or_an_unknown_metric_has_no_group():
    assert group_of([]) == group_of([Cell("1", 1.0)]) == group_of([Cell("1", 1.0, rows={"metric": "no_more"})]) == ""


def test_those_of_a_group_come_together_in_the_order_of_the_first():
    assert ordered(["", "a", "b", "a", "", "b"]) == [0, 1, 3, 4, 2, 5]
    assert ordered([]) == []
