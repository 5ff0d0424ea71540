"""Gold of every kind as Apache Parquet: a column for each part of its provenance, source and text to read.

`product` and `extra` are JSON; `source` and `text` repeat from them what a person reads. Times are UTC, to the
microsecond. Equal rows give equal bytes.
"""

from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from operator import attrgetter
from typing import Any

from corpora.formats._base import GoldFormat
from corpora.gold_records import PROVENANCE, GoldRow, json_of, object_of, row_of, texts_of
from corpora.tabular_files import batches, parquet_file, parquet_schema, typed_parquet
from corpora.text_files.decoding import TextFile, opened
from foundation.errors import UserError

READ = 1000
KINDS = {"annotators": "texts", "written_at": "moment", "revision": "whole"}
PROVENANCE_OF = attrgetter(*PROVENANCE)
COLUMNS = [(name, KINDS.get(name, "text")) for name in (*PROVENANCE, "source", "text", "product", "extra")]


def write(rows: Iterable[GoldRow]) -> Iterator[bytes]:
    """A chunk for each group of rows, and the end."""
    return typed_parquet(COLUMNS, rows, _cells)


def _cells(row: GoldRow) -> Sequence[Any]:
    return (*PROVENANCE_OF(row), *texts_of(row.product), json_of(row.product), json_of(row.extra) if row.extra else "")


def read(file: TextFile, styles: tuple[str, str] = ("", ""), split: str = "") -> Iterator[GoldRow]:
    """The rows that `write` wrote; the file itself says styles and splits. An upload is read into memory whole."""
    import pyarrow as pa

    with opened(file) as stream:
        source: Any = stream if hasattr(stream, "seek") else BytesIO(stream.read())
        try:
            table = parquet_file(source, file.name)
            if not table.schema_arrow.equals(parquet_schema(COLUMNS)):
                raise UserError("the columns are not those of a table of gold.", where=file.name)
            entries = (entry for batch in batches(table, file.name, READ) for entry in batch)
            for number, entry in enumerate(entries, 1):
                yield _row(entry, f"{file.name}, row {number}")
        except MemoryError:
            raise
        except (pa.ArrowException, OSError, ValueError):  # names and texts that are no UTF-8 too
            raise UserError("this is not Parquet that can be read.", where=file.name) from None


def _row(entry: dict[str, Any], where: str) -> GoldRow:
    product, extra = object_of(entry["product"], where), object_of(entry["extra"] or "{}", where)
    return row_of({name: entry[name] for name in PROVENANCE}, product, extra, where)


FORMAT = GoldFormat(
    "Gold, Parquet",
    "A typed table for data frames; gold of every kind.",
    (".parquet",),
    write=write,
    read=read,
    suffix=".parquet",
    media_type="application/vnd.apache.parquet",
)
