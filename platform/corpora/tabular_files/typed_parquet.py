"""Rows as a table of Apache Parquet with typed columns, a group of rows at a time."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

from corpora.tabular_files.write_buffer import WriteBuffer
from foundation.lazy_import import lazy_import
from foundation.side_process import stream_in_side_process

pa = lazy_import("pyarrow")  # heavy: loaded where such a file is written, which is beside a web process
parquet = lazy_import("pyarrow.parquet")
GROUP = 10_000
"""Rows in one group of the file, which is what waits in memory."""
Columns = Sequence[tuple[str, str]]


def typed_parquet(columns: Columns, rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """A chunk for each group of rows, and the end. A column is its name and its kind, which `_kinds` lists."""
    return stream_in_side_process(partial(_written, columns), rows)


def _written(columns: Columns, rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    kinds = _kinds()
    schema = pa.schema([(name, kinds[kind]) for name, kind in columns])
    sink, rest = WriteBuffer(), iter(rows)
    with parquet.ParquetWriter(sink, schema, compression="zstd") as writer:
        while group := list(islice(rest, GROUP)):
            arrays = [pa.array(one, kind) for one, kind in zip(zip(*group, strict=True), schema.types, strict=True)]
            writer.write_table(pa.table(arrays, schema=schema))
            yield sink.drain()
    yield sink.drain()


def _kinds() -> dict[str, Any]:
    return {
        "text": pa.string(), "texts": pa.list_(pa.string()), "whole": pa.int32(), "number": pa.float64(),
        "switch": pa.bool_(), "moment": pa.timestamp("us", tz="UTC"),
    }  # fmt: skip
