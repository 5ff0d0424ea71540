"""CSV for spreadsheets: RFC 4180, streamed, with no cell that a spreadsheet would run as a formula.

How a cell is defused is in `tabular_files/spreadsheet_cells.py`.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO

from corpora.formats._base import Format
from corpora.tabular_files import escape_cell

BATCH = 500


def write(rows: Iterable[Sequence[object]], delimiter: str = ",") -> Iterator[bytes]:
    """Rows of cells (None is an empty one) as chunks of UTF-8, a few hundred rows each.

    They begin with a byte order mark, without which a spreadsheet takes them for another encoding.
    """
    buffer = StringIO(newline="")
    buffer.write("\ufeff")
    writer = csv.writer(buffer, delimiter=delimiter)
    for number, row in enumerate(rows, 1):
        writer.writerow(["" if cell is None else escape_cell(str(cell)) for cell in row])
        if number % BATCH == 0:
            yield _taken(buffer)
    if rest := _taken(buffer):
        yield rest


def _taken(buffer: StringIO) -> bytes:
    chunk = buffer.getvalue().encode()
    buffer.seek(0)
    buffer.truncate()
    return chunk


FORMAT = Format("CSV for spreadsheets", "A table whose cells no spreadsheet runs as formulas.", (".csv",))
