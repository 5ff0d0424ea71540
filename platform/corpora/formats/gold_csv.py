"""Gold of every kind as a table for spreadsheets: its provenance, source and text to read, and the whole product.

`product` and `extra` are JSON; `source` and `text` repeat from them what a person reads. Several annotators stand in
one cell, with spaces between. No cell runs as a formula (`_cells.py`).
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import orjson

from corpora.formats._cells import fuse
from corpora.formats._decode import TextFile
from corpora.formats._gold import PROVENANCE, GoldFormat, GoldRow, row_of, texts_of
from corpora.formats.csv import records
from corpora.formats.csv_cells import write as write_cells
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


def json_of(value: Mapping[str, Any]) -> str:
    return orjson.dumps(value).decode()


def read(file: TextFile, styles: tuple[str, str] = ("", ""), split: str = "") -> Iterator[GoldRow]:
    """The rows that `write` wrote; the file itself says styles and splits."""
    lines = records(file)
    _, header = next(lines, (1, []))
    if tuple(header) != NAMES:
        raise UserError(f"the header of a table of gold was expected: {', '.join(NAMES)}.", where=file.name)
    for line, cells in lines:
        where = f"{file.name}, line {line}"
        if len(cells) != len(NAMES):
            raise UserError(f"the row has {len(cells)} cells; {len(NAMES)} were expected.", where=where)
        yield _row(dict(zip(NAMES, map(fuse, cells), strict=True)), where)


def _row(cell: dict[str, str], where: str) -> GoldRow:
    provenance: dict[str, Any] = {name: cell[name] for name in PROVENANCE}
    provenance["annotators"] = cell["annotators"].split()
    provenance["written_at"] = cell["written_at"] or None
    if not cell["revision"].isdecimal():
        raise UserError("a whole number was expected for 'revision'.", where=where)
    provenance["revision"] = int(cell["revision"])
    return row_of(provenance, object_of(cell["product"], where), object_of(cell["extra"] or "{}", where), where)


def object_of(text: str, where: str) -> dict[str, Any]:
    """A JSON object from a cell."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        value = None
    if not isinstance(value, dict):
        raise UserError("a JSON object was expected in 'product' and 'extra'.", where=where)
    return value


FORMAT = GoldFormat(
    "Gold, CSV",
    "A table for spreadsheets; gold of every kind, and no cell runs as a formula.",
    (".csv",),
    write=write,
    read=read,
    suffix=".csv",
    media_type="text/csv; charset=utf-8",
)
