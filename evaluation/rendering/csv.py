"""The report's tables as CSV, a blank row between; numbers in full, each in a column of its own."""

from collections.abc import Iterator
from typing import Any

from corpora.formats import csv_cells
from evaluation.rendering._base import Renderer, tables_of
from evaluation.tables import Table


def render(report: dict[str, Any]) -> str:
    return b"".join(csv_cells.write(_rows(tables_of(report)))).decode()


def _rows(tables: list[Table]) -> Iterator[list[object]]:
    for number, table in enumerate(tables):
        if number:
            yield []
        parts = [_parts(table, column) for column in range(len(table.head))]
        yield [name for title, own in zip(table.head, parts, strict=True) for name in _titles(title, own)]
        for row in table.rows:
            yield [value for cell, own in zip(row, parts, strict=True) for value in _values(cell, own)]


def _parts(table: Table, column: int) -> list[str]:
    return list(dict.fromkeys(name for row in table.rows for name in row[column].parts))


def _titles(title: str, parts: list[str]) -> list[str]:
    return parts if title == "95% interval" else [title, *[f"{title} {name}" for name in parts]]


def _values(cell: Any, parts: list[str]) -> list[object]:
    """The number in full where the cell is one; nothing where it has none; else its words."""
    numbers = [cell.parts.get(name) for name in parts]
    if parts == ["low", "high"]:
        return numbers
    text = None if cell.why and cell.value is None else cell.text
    return [text if cell.value is None else cell.value, *numbers]


RENDERER = Renderer("CSV", "text/csv; charset=utf-8", "csv", render)
