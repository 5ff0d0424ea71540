"""Gold of every kind as a table for spreadsheets: its provenance, source and text to read, and the whole product.

`product` and `extra` are JSON; `source` and `text` repeat from them what a person reads. Several annotators stand in
one cell, with spaces between. No cell runs as a formula (`_cells.py`).
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from corpora.formats._base import GoldFormat
from corpora.formats.csv_cells import write as write_cells
from corpora.gold_records import PROVENANCE, GoldRow, json_of, object_of, row_of, texts_of
from corpora.tabular_files import records, restore_cell
from corpora.text_files.decoding import TextFile
from foundation.errors import UserError

NAMES = (*PROVENANCE, "source", "text", "product", "extra")


def write(rows: Iterable[GoldRow]) -> Iterator[bytes]:
    """A header and a line a row, in chunks."""
    return write_cells(chain([NAMES], map(_cells, rows)))


def _cells(row: GoldRow) -> list[object]:
    """In the order of `NAMES`."""
    provenance = [getattr(row, name) for name in PROVENANCE]
    provenance[PROVENANCE.index("annotators")] = " ".join(row.annotators)
    provenance[PROVENANCE.index("written_at")] = row.written_at.isoformat() if row.written_at else ""
    return [*provenance, *texts_of(row.product), json_of(row.product), json_of(row.extra) if row.extra else ""]


def read(file: TextFile, styles: tuple[str, str] = ("", ""), split: str = "") -> Iterator[GoldRow]:
    """The rows that `write` wrote; the file itself says styles and splits."""
    lines = records(file)
    _, header = next(lines, (1, []))
    if tuple(header) != NAMES:
        raise UserError("the header of a table of gold was expected: {names}.", names=", ".join(NAMES), where=file.name)
    for line, cells in lines:
        where = f"{file.name}, line {line}"
        if len(cells) != len(NAMES):
            raise UserError(
                "the row has {cells_count} cells; {names_count} were expected.",
                cells_count=len(cells),
                names_count=len(NAMES),
                where=where,
            )
        yield _row(dict(zip(NAMES, map(restore_cell, cells), strict=True)), where)


def _row(cell: dict[str, str], where: str) -> GoldRow:
    provenance: dict[str, Any] = {name: cell[name] for name in PROVENANCE}
    provenance["annotators"] = cell["annotators"].split()
    provenance["written_at"] = cell["written_at"] or None
    if not cell["revision"].isdecimal():
        raise UserError("a whole number was expected for 'revision'.", where=where)
    provenance["revision"] = int(cell["revision"])
    return row_of(provenance, object_of(cell["product"], where), object_of(cell["extra"] or "{}", where), where)


FORMAT = GoldFormat(
    "Gold, CSV",
    "A table for spreadsheets; gold of every kind, and no cell runs as a formula.",
    (".csv",),
    write=write,
    read=read,
    suffix=".csv",
    media_type="text/csv; charset=utf-8",
)
