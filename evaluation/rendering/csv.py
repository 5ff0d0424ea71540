"""CSV: numbers in full, each in a column of its own; a report is its tables with a blank row between."""

from collections.abc import Iterable, Iterator
from typing import Any

from corpora.formats import csv_cells
from evaluation.rendering._base import Json, Renderer
from evaluation.table_parts.contents import Cell, Column, Entry, Figure, Table


def whole(report: Json, entries: Iterable[Entry]) -> str:
    return _written(_of_all([entry.table for entry in entries if entry.table]))


def table(content: Table, title: str = "") -> str:
    return _written(_rows(content))


def figure(content: Figure, title: str = "") -> str:
    """The numbers that a figure draws."""
    return _written(_rows(content.data))


def _written(rows: Any) -> str:
    return b"".join(csv_cells.write(rows)).decode()


def _of_all(tables: list[Table]) -> Iterator[list[object]]:
    for number, table_content in enumerate(tables):
        if number:
            yield []
        yield from _rows(table_content)


def _rows(content: Table) -> Iterator[list[object]]:
    yield [title for column in content.columns for title in _titles(column)]
    for row in content.rows:
        yield [value for cell, column in zip(row, content.columns, strict=True) for value in _values(cell, column)]


def _titles(column: Column) -> list[str]:
    title, parts = column.head, column.parts
    if title == "95% interval":
        return parts
    return [title, *[f"{title} {name}" for name in parts], *([f"{title} stars"] if column.starred else [])]


def _values(cell: Cell, column: Column) -> list[object]:
    """The number in full where the cell is one; nothing where it has none; else its words."""
    numbers: list[object] = [cell.parts.get(name) for name in column.parts]
    if column.parts == ["low", "high"] and cell.value is None and not column.starred:
        return numbers
    text = None if cell.why and cell.value is None else cell.text
    return [text if cell.value is None else cell.value, *numbers, *([cell.stars] if column.starred else [])]


RENDERER = Renderer("CSV", "text/csv; charset=utf-8", "csv", table, figure, whole)
