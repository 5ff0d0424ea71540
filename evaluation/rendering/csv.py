"""The report's tables as CSV, a blank row between; numbers in full."""

import csv
import io
from typing import Any

from corpora.formats._cells import defuse
from evaluation.rendering._base import Renderer, tables_of
from evaluation.tables import Cell


def render(report: dict[str, Any]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream)
    for number, table in enumerate(tables_of(report)):
        if number:
            writer.writerow([])
        writer.writerow([defuse(title) for title in table.head])
        writer.writerows([_word(cell) for cell in row] for row in table.rows)
    return stream.getvalue()


def _word(cell: Cell) -> str:
    """The number in full where the cell is one; else its words, so that no spreadsheet runs them."""
    if cell.value is not None and cell.text.replace(".", "").replace("-", "").isdigit():
        return repr(cell.value)
    return defuse(cell.text)


RENDERER = Renderer("CSV", "text/csv; charset=utf-8", "csv", render)
