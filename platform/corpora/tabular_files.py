"""Tools for formats of tables: columns, CSV records, cells that are safe in spreadsheets, Parquet. No Django."""

import csv
import difflib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import IO, Any

from corpora.text_files.decoding import LINE_LIMIT, TextFile, read_lines
from corpora.text_files.zip_members import EXPANDED_LIMIT, too_large
from corpora.text_files.zip_stream import WriteBuffer
from foundation.errors import UserError, first_five
from foundation.lazy_import import lazy_import
from foundation.side_process import stream_in_side_process

# Columns of a table by number or by name.

Column = int | str
"""A column of a table: its number, from 1, or its name in the header (in JSONL: its key)."""


@dataclass(frozen=True)
class Row:
    """One row of a table: its first line in the file, from 1, and a cell for each column asked for.

    A cell is None where the row has no such column.
    """

    line: int
    cells: tuple[str | None, ...]


def select_columns(
    records: Iterator[tuple[int, Sequence[str]]], columns: tuple[Column, ...], name: str
) -> Iterator[Row]:
    """The `columns` of numbered records (line, cells). The first record is a header if a column is named.

    Records without a single character are passed over.
    """
    indices = [column - 1 if isinstance(column, int) else -1 for column in columns]
    if any(isinstance(column, str) for column in columns):
        line, header = next(records, (1, ()))
        indices = [_index(column, header, f"{name}, line {line}") for column in columns]
    for line, cells in records:
        if any(cells):
            yield Row(line, tuple(cells[index] if index < len(cells) else None for index in indices))


def _index(column: Column, header: Sequence[str], where: str) -> int:
    if isinstance(column, int):
        return column - 1
    names = [cell.strip() for cell in header]
    if names.count(column) > 1:
        raise UserError(
            "the header names the column '{column}' {names} times.",
            column=column,
            names=names.count(column),
            where=where,
        )
    if column not in names:
        near = difflib.get_close_matches(column, names, n=3) or names
        raise UserError(
            "the header has no column '{column}'; it has {near}.",
            column=column,
            near=first_five(near) or "none",
            where=where,
        )
    return names.index(column)


def complete_rows(rows: Iterator[Row], columns: tuple[Column, ...], name: str) -> list[tuple[int, tuple[str, ...]]]:
    """All rows as (line, cells), or one `UserError` that names the lines where a column is lacking."""
    whole: list[tuple[int, tuple[str, ...]]] = []
    short: list[int] = []
    for row in rows:
        cells = tuple(cell for cell in row.cells if cell is not None)
        if len(cells) == len(columns):
            whole.append((row.line, cells))
        else:
            short.append(row.line)
    if short:
        asked = " and ".join(str(column) for column in columns)
        raise UserError(
            "not all of the columns {asked} are there on line {short}.",
            asked=asked,
            short=first_five(short),
            where=name,
        )
    return whole


# Records of CSV as in RFC 4180.

csv.field_size_limit(LINE_LIMIT)  # its own limit is 131,072 characters, which a text of 20,000 words passes


def rows(file: TextFile, columns: tuple[Column, ...]) -> Iterator[Row]:
    """The rows of `file` with `columns`; a named column makes the first row the header."""
    return select_columns(records(file), columns, file.name)


def records(file: TextFile) -> Iterator[tuple[int, list[str]]]:
    """(first line, cells) of every row. Broken quoting is a `UserError` with the line the row begins on."""
    reader = csv.reader(read_lines(file, keep_ends=True), strict=True)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise UserError(sentence_of(str(error)), where=f"{file.name}, line {line}") from None
        yield line, cells


def sentence_of(error: str) -> str:
    """The error of the csv reader, in words."""
    if "unexpected end of data" in error:
        return "a quotation mark opens a cell here and is never closed."
    if "expected after" in error:
        return "after a closing quotation mark a new cell or the row's end was expected; a quote in a cell is doubled."
    if "new-line character" in error:
        return "a carriage return stands in a cell that has no quotation marks."
    if "field limit" in error:
        return f"a cell is longer than {csv.field_size_limit():,} characters; is a quotation mark not closed?"
    return f"the row is not CSV: {error}."


def named_rows(
    file: TextFile, required: Collection[str], optional: Collection[str] = (), *, others: bool = False
) -> Iterator[tuple[int, dict[str, str]]]:
    """(line, cells by name) of each row that is not blank; a column that a row lacks is "".

    Names are compared without case. A strange column is a `UserError` unless `others` may be there too.
    """
    lines = records(file)
    line, header = next(lines, (1, []))
    names = [cell.strip().casefold() for cell in header]
    known = {name.casefold(): name for name in (*required, *optional)}
    _check(names, known, required, others, f"{file.name}, line {line}")
    places = [(known[name], place) for place, name in enumerate(names) if name in known]
    for line, cells in lines:
        if any(cells):
            if len(cells) > len(names):
                raise UserError(
                    "the row has {cells_count} cells and the header {names_count}.",
                    cells_count=len(cells),
                    names_count=len(names),
                    where=f"{file.name}, line {line}",
                )
            yield line, {name: cells[place] if place < len(cells) else "" for name, place in places}


def _check(names: list[str], known: dict[str, str], required: Collection[str], others: bool, where: str) -> None:
    for name in required:
        if name.casefold() not in names:
            raise UserError(
                "the header has no column '{name}'; it has {names}.",
                name=name,
                names=first_five(filter(None, names)) or "none",
                where=where,
            )
    for name in names:
        if name in known and names.count(name) > 1:
            raise UserError(
                "the header names the column '{known}' {names} times.",
                known=known[name],
                names=names.count(name),
                where=where,
            )
        if name not in known and not others:
            near = difflib.get_close_matches(name, list(known), n=1)
            hint = f"did you mean {known[near[0]]}?" if near else f"known are {', '.join(known.values())}."
            raise UserError("there is no column '{name}' of documents; {hint}", name=name[:60], hint=hint, where=where)


# Parquet as rows, a batch at a time; the size in its metadata is checked before anything is decoded.


def parquet_file(stream: IO[bytes], name: str) -> Any:
    """The open file; raises pyarrow.ArrowException where it is none."""
    from pyarrow import parquet  # heavy: loaded where such a file is read, and nowhere else

    file = parquet.ParquetFile(stream, pre_buffer=False)
    said = sum(file.metadata.row_group(number).total_byte_size for number in range(file.metadata.num_row_groups))
    if said > EXPANDED_LIMIT:
        raise too_large(name)
    return file


def batches(file: Any, name: str, rows: int) -> Iterator[list[dict[str, Any]]]:
    """Rows as mappings. A dictionary unfolds to more than the metadata says; this is counted on the way."""
    size = 0
    for batch in file.iter_batches(rows, use_threads=False):
        size += batch.nbytes
        if size > EXPANDED_LIMIT:
            raise too_large(name)
        yield batch.to_pylist()


# Cells that a spreadsheet would run as formulas, defused by an apostrophe before them (OWASP, "CSV Injection").
#
# Plain numbers such as -3 stay as they are.

STARTS = frozenset("=+-@＝＋－＠")
NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d+)*|\.\d+)(?:[eE][+-]?\d+)?%?", re.ASCII)
UNSEEN = re.compile(r"[\s\ufeff\u200b\0]+")
"""What may stand before a formula without being seen."""


PAIRS = tuple(f"'{letter}" for letter in [*STARTS, *" '\t\r\n\ufeff\u200b\0"])


def escape_cell(cell: str) -> str:
    """The cell, with an apostrophe before it if a spreadsheet could run it; `restore_cell` is the way back."""
    return f"'{cell}" if _live(cell) else cell


def restore_cell(cell: str) -> str:
    """The cell as it was before `escape_cell`."""
    return cell[1:] if cell.startswith("'") and _live(cell[1:]) else cell


def may_guard(text: str) -> bool:
    """Whether somewhere in a text an apostrophe may stand before a formula; cheap, and not exact."""
    return any(pair in text for pair in PAIRS)


def _live(cell: str) -> bool:
    """Whether a spreadsheet could run it; an apostrophe of its own counts as well, so that `restore_cell` is exact."""
    if cell[:1].isalnum():  # nearly all cells
        return False
    bare = cell.lstrip("'")
    if bare.startswith(("\t", "\r", "\n")):
        return True
    unseen = UNSEEN.match(bare)
    text = bare[unseen.end() if unseen else 0 :].rstrip()
    return text[:1] in STARTS and not NUMBER.fullmatch(text)


pa = lazy_import("pyarrow")  # heavy: loaded where such a file is written, which is beside a web process
parquet = lazy_import("pyarrow.parquet")
GROUP = 10_000
"""Rows in one group of the file, which is what waits in memory."""
Columns = Sequence[tuple[str, str]]


def typed_parquet(
    columns: Columns, rows: Iterable[Any], cells_of: Callable[[Any], Sequence[Any]] = tuple
) -> Iterator[bytes]:
    """A chunk for each group of rows, and the end. A column is its name and its kind, which `parquet_schema` lists.

    `cells_of` makes the cells of a row; it is called in a process of its own, as all of this is done there.
    """
    return stream_in_side_process(partial(_written, columns, cells_of), rows)


def _written(columns: Columns, cells_of: Callable[[Any], Sequence[Any]], rows: Iterable[Any]) -> Iterator[bytes]:
    schema = parquet_schema(columns)
    sink, rest = WriteBuffer(), map(cells_of, rows)
    with parquet.ParquetWriter(sink, schema, compression="zstd") as writer:
        while group := list(islice(rest, GROUP)):
            arrays = [pa.array(one, kind) for one, kind in zip(zip(*group, strict=True), schema.types, strict=True)]
            writer.write_table(pa.table(arrays, schema=schema))
            yield sink.drain()
    yield sink.drain()


def parquet_schema(columns: Columns) -> Any:
    """The schema of columns by their kinds."""
    kinds = {
        "text": pa.string(), "texts": pa.list_(pa.string()), "whole": pa.int32(), "number": pa.float64(),
        "switch": pa.bool_(), "moment": pa.timestamp("us", tz="UTC"),
    }  # fmt: skip
    return pa.schema([(name, kinds[kind]) for name, kind in columns])
