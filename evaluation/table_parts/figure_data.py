"""The numbers that a figure draws, as a table."""

from evaluation.table_parts.cells import Cell
from evaluation.table_parts.contents import Figure, Table


def data_of(figure: Figure) -> Table:
    """What a figure draws, as a table; its first note describes it."""
    head = list(figure.rows[0]) if figure.rows else []
    rows = [[_said(row.get(name)) for name in head] for row in figure.rows]
    return Table(figure.title, head, rows, [figure.describes, *figure.notes])


def of_numbers(table: Table) -> list[bool]:
    """Of each column whether it holds numbers, or intervals."""
    return [
        any(row[column].value is not None or row[column].parts for row in table.rows)
        for column in range(len(table.head))
    ]


def _said(value: str | float | None) -> Cell:
    if value is None or isinstance(value, str):
        return Cell(value or "")
    return Cell(f"{value:g}", float(value))
