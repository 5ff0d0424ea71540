"""Columns of a table by number or by name."""

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from foundation.errors import UserError, first_five

Column = int | str
"""A column of a table: its number, from 1, or its name in the header (in JSONL: its key)."""


@dataclass(frozen=True)
class Row:
    """One row of a table: its first line in the file, from 1, and a cell for each column asked for.

    A cell is None where the row has no such column.
    """

    line: int
    cells: tuple[str | None, ...]


def select_columns(
    records: Iterator[tuple[int, Sequence[str]]], columns: tuple[Column, ...], name: str
) -> Iterator[Row]:
    """The `columns` of numbered records (line, cells). The first record is a header if a column is named.

    Records without a single character are passed over.
    """
    indices = [column - 1 if isinstance(column, int) else -1 for column in columns]
    if any(isinstance(column, str) for column in columns):
        line, header = next(records, (1, ()))
        indices = [_index(column, header, f"{name}, line {line}") for column in columns]
    for line, cells in records:
        if any(cells):
            yield Row(line, tuple(cells[index] if index < len(cells) else None for index in indices))


def _index(column: Column, header: Sequence[str], where: str) -> int:
    if isinstance(column, int):
        return column - 1
    names = [cell.strip() for cell in header]
    if names.count(column) > 1:
        raise UserError(
            "the header names the column '{column}' {names} times.",
            column=column,
            names=names.count(column),
            where=where,
        )
    if column not in names:
        near = difflib.get_close_matches(column, names, n=3) or names
        raise UserError(
            "the header has no column '{column}'; it has {near}.",
            column=column,
            near=first_five(near) or "none",
            where=where,
        )
    return names.index(column)


def complete_rows(rows: Iterator[Row], columns: tuple[Column, ...], name: str) -> list[tuple[int, tuple[str, ...]]]:
    """All rows as (line, cells), or one `UserError` that names the lines where a column is lacking."""
    whole: list[tuple[int, tuple[str, ...]]] = []
    short: list[int] = []
    for row in rows:
        cells = tuple(cell for cell in row.cells if cell is not None)
        if len(cells) == len(columns):
            whole.append((row.line, cells))
        else:
            short.append(row.line)
    if short:
        asked = " and ".join(str(column) for column in columns)
        raise UserError(
            "not all of the columns {asked} are there on line {short}.",
            asked=asked,
            short=first_five(short),
            where=name,
        )
    return whole
