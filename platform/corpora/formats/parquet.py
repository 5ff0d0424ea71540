"""Gold of every kind as Apache Parquet: a column for each part of its provenance, source and text to read.

`product` and `extra` are JSON; `source` and `text` repeat from them what a person reads. Times are UTC, to the
microsecond. Equal rows give equal bytes.
"""

from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import islice
from typing import Any

from corpora.formats._base import GoldFormat
from corpora.gold_records import PROVENANCE, GoldRow, json_of, object_of, row_of, texts_of
from corpora.tabular_files import WriteBuffer, batches, parquet_file
from corpora.text_files.decoding import TextFile, opened
from foundation.errors import UserError
from foundation.side_process import stream_in_side_process

GROUP = 10_000
"""Rows in one group of the file, which is what waits in memory."""
READ = 1000


def _schema() -> Any:
    import pyarrow as pa  # heavy: loaded where such a file is read or written, and nowhere else

    special = {"annotators": pa.list_(pa.string()), "written_at": pa.timestamp("us", tz="UTC"), "revision": pa.int32()}
    names = (*PROVENANCE, "source", "text", "product", "extra")
    return pa.schema([(name, special.get(name, pa.string())) for name in names])


def write(rows: Iterable[GoldRow]) -> Iterator[bytes]:
    """A chunk for each group of rows, and the end."""
    return stream_in_side_process(_written, rows)


def _written(rows: Iterable[GoldRow]) -> Iterator[bytes]:
    import pyarrow as pa
    from pyarrow import parquet

    sink, schema, rest = WriteBuffer(), _schema(), iter(rows)
    with parquet.ParquetWriter(sink, schema, compression="zstd") as writer:
        while group := list(islice(rest, GROUP)):
            writer.write_table(pa.table(_columns(group), schema=schema))
            yield sink.drain()
    yield sink.drain()


def _columns(rows: list[GoldRow]) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {name: [getattr(row, name) for row in rows] for name in PROVENANCE}
    texts = [texts_of(row.product) for row in rows]
    columns["source"], columns["text"] = [one for one, _ in texts], [two for _, two in texts]
    columns["product"] = [json_of(row.product) for row in rows]
    columns["extra"] = [json_of(row.extra) if row.extra else "" for row in rows]
    return columns


def read(file: TextFile, styles: tuple[str, str] = ("", ""), split: str = "") -> Iterator[GoldRow]:
    """The rows that `write` wrote; the file itself says styles and splits. An upload is read into memory whole."""
    import pyarrow as pa

    with opened(file) as stream:
        source: Any = stream if hasattr(stream, "seek") else BytesIO(stream.read())
        try:
            table = parquet_file(source, file.name)
            if not table.schema_arrow.equals(_schema()):
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
