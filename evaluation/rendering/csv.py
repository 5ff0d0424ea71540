"""CSV: numbers in full, each in a column of its own; a report is its tables with a blank row between."""

from collections.abc import Iterator
from typing import Any

from corpora.formats import csv_cells
from evaluation.rendering._base import Renderer, Whole
from evaluation.table_parts.contents import Cell, Figure, Table, data_of


def whole(given: Whole) -> str:
    return _written(_of_all([content for _, content in given.made() if isinstance(content, Table)]))


def table(content: Table, title: str = "") -> str:
    return _written(_rows(content))


def figure(content: Figure, title: str = "") -> str:
    """The numbers that a figure draws."""
    return _written(_rows(data_of(content)))


def _written(rows: Any) -> str:
    return b"".join(csv_cells.write(rows)).decode()


def _of_all(tables: list[Table]) -> Iterator[list[object]]:
    for number, table_content in enumerate(tables):
        if number:
            yield []
        yield from _rows(table_content)


def _rows(table_content: Table) -> Iterator[list[object]]:
    parts = [_parts(table_content, column) for column in range(len(table_content.head))]
    starred = [any(row[column].stars for row in table_content.rows) for column in range(len(table_content.head))]
    columns = list(zip(table_content.head, parts, starred, strict=True))
    yield [name for title, own, stars in columns for name in _titles(title, own, stars)]
    for row in table_content.rows:
        pairs = zip(row, parts, starred, strict=True)
        yield [value for cell, own, stars in pairs for value in _values(cell, own, stars)]


def _parts(table_content: Table, column: int) -> list[str]:
    return list(dict.fromkeys(name for row in table_content.rows for name in row[column].parts))


def _titles(title: str, parts: list[str], stars: bool) -> list[str]:
    if title == "95% interval":
        return parts
    return [title, *[f"{title} {name}" for name in parts], *([f"{title} stars"] if stars else [])]


def _values(cell: Cell, parts: list[str], stars: bool) -> list[object]:
    """The number in full where the cell is one; nothing where it has none; else its words."""
    numbers: list[object] = [cell.parts.get(name) for name in parts]
    if parts == ["low", "high"] and cell.value is None and not stars:
        return numbers
    text = None if cell.why and cell.value is None else cell.text
    return [text if cell.value is None else cell.value, *numbers, *([cell.stars] if stars else [])]


RENDERER = Renderer("CSV", "text/csv; charset=utf-8", "csv", table, figure, whole)
