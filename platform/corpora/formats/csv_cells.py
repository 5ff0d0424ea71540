"""CSV for spreadsheets: RFC 4180, streamed, with no cell that a spreadsheet would run as a formula.

A cell is defused by an apostrophe before it (OWASP, "CSV Injection"); plain numbers such as -3 stay as they are.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO

from corpora.formats._entry import Format

STARTS = frozenset("=+-@＝＋－＠")
NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d+)*|\.\d+)(?:[eE][+-]?\d+)?%?", re.ASCII)
BATCH = 500


def defuse(cell: str) -> str:
    """The cell, with an apostrophe before it if a spreadsheet could run it; `fuse` is the way back."""
    return f"'{cell}" if _live(cell) else cell


def fuse(cell: str) -> str:
    """The cell as it was before `defuse`."""
    return cell[1:] if cell.startswith("'") and _live(cell[1:]) else cell


def _live(cell: str) -> bool:
    """Whether a spreadsheet could run it; an apostrophe of its own counts as well, so that `fuse` is exact."""
    bare = cell.lstrip("'")
    if bare.startswith(("\t", "\r", "\n")):
        return True
    text = bare.lstrip("\ufeff\u200b\0").strip()
    text = text.lstrip("\ufeff\u200b\0 ")
    return text[:1] in STARTS and text != "" and not NUMBER.fullmatch(text)


def write(rows: Iterable[Sequence[object]]) -> Iterator[bytes]:
    """Rows of cells (None is an empty one) as chunks of UTF-8, a few hundred rows each."""
    buffer = StringIO(newline="")
    writer = csv.writer(buffer)
    for number, row in enumerate(rows, 1):
        writer.writerow(["" if cell is None else defuse(str(cell)) for cell in row])
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
