"""The numbers that a figure draws, as a table."""

from evaluation.table_parts.cells import Cell
from evaluation.table_parts.contents import Figure, Table


def data_of(made: Figure) -> Table:
    """What a figure draws, as a table; its first note describes it."""
    head = list(made.rows[0]) if made.rows else []
    rows = [[_said(row.get(name)) for name in head] for row in made.rows]
    return Table(made.title, head, rows, [made.describes, *made.notes])


def of_numbers(made: Table) -> list[bool]:
    """Of each column whether it holds numbers, or intervals."""
    return [any(row[at].value is not None or row[at].parts for row in made.rows) for at in range(len(made.head))]


def _said(value: str | float | None) -> Cell:
    if value is None or isinstance(value, str):
        return Cell(value or "")
    return Cell(f"{value:g}", float(value))
