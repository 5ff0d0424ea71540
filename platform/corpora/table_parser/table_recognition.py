"""A file understood: opened, unpacked, its kind found, its rows counted and its first ones kept."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from statistics import mode
from typing import Any

from corpora.formats import LINE_LIMIT, TextFile
from corpora.table_parser.annotated_texts import AnnotatedTexts, is_annotated
from corpora.table_parser.delimited import Texts
from corpora.table_parser.headers import beginning
from corpora.table_parser.kinds import not_a_table, packed_kind, refuse_marked_up
from corpora.table_parser.notes import Note, Notes, Question
from corpora.table_parser.objects import COLUMNS, Objects, begins_as_json, flat
from corpora.table_parser.opening import Opened, gunzipped, hold_to_limit, members, open_file, unzipped
from corpora.table_parser.several_files import are_alike, chained, most_alike, side_by_side, without_cards
from corpora.table_parser.sheets import Sheets
from corpora.table_parser.table import SAMPLE, Member, Reader, Reading, Row, Table
from corpora.tabular_files import batches, parquet_file
from foundation.errors import UserError, first_five
from foundation.translation import translatable, translate

ROWS = 256
"""Rows that wait in memory."""


class Columns:
    """A Parquet file as a reader of rows."""

    kind = "parquet"
    encoding = delimiter = ""
    guessed = False
    questions: tuple[Question, ...] = ()

    def __init__(self, file: Opened) -> None:
        self.file = file
        self.notes = Notes()
        found: dict[str, None] = {}
        for _, entry in self.entries(self.notes):
            found.update(dict.fromkeys(entry))
            if len(found) > COLUMNS:
                raise UserError("the table has more than {columns} columns.", columns=COLUMNS, where=file.name)
        if not found:
            raise UserError("the table has no rows.", where=file.name)
        self.names: tuple[str, ...] | None = tuple(found)

    def records(self) -> Iterator[tuple[int, Sequence[str]]]:
        for number, entry in self.entries():
            yield number, [entry.get(name, "") for name in self.names or ()]

    def entries(self, notes: Notes | None = None) -> Iterator[tuple[int, dict[str, str]]]:
        """(row, texts by column); a note for each cell that is no value."""
        import pyarrow as pa  # heavy: loaded where such a file is read, and nowhere else

        number = 0
        try:
            for batch in batches(parquet_file(self.file.fresh(), self.file.name), self.file.name, ROWS):
                for entry in batch:
                    number += 1
                    yield number, self._texts(entry, number, notes)
        except MemoryError:
            raise
        except (pa.ArrowException, OSError, ValueError):  # names and texts that are no UTF-8 too
            raise not_a_table("a broken Parquet file", self.file.name) from None

    def _texts(self, entry: dict[str, Any], number: int, notes: Notes | None) -> dict[str, str]:
        where = f"{self.file.name}, row {number}"
        texts = flat(entry, where, number, notes)
        if any(len(text) > LINE_LIMIT for text in texts.values()):
            raise UserError("a text is longer than {line_limit:,} characters.", line_limit=LINE_LIMIT, where=where)
        return texts


LOOKED_AT = 50
ALL = "*"
"""The part that is all sheets with the same columns, or the most files of an archive that have the same ones."""
RAGGED_KEPT = 1000
WIDEST = 500


class ManyTables(UserError):
    """An archive holds tables that are not alike; `parts` are their names."""

    def __init__(self, name: str, parts: Sequence[str]) -> None:
        self.parts = tuple(parts)
        super().__init__(
            "the archive holds {count} tables with different columns: {names}; choose one of them.",
            count=len(parts),
            names=first_five(parts),
            where=name,
        )


def understand_here(file: TextFile, reading: Reading | None = None) -> Table:
    """The table in `file`, read in this process."""
    with ExitStack() as stack:
        table = _table(open_file(file, stack), reading or Reading(), stack)
        _count(table)
        table.stack = stack.pop_all()
    return table


def _table(file: Opened, reading: Reading, stack: ExitStack) -> Table:
    kind = packed_kind(file)
    if kind == "gz":
        file = gunzipped(file, stack)
        kind = packed_kind(file)
        if kind == "gz":
            raise UserError("this is an archive within an archive; unpack it once.", where=file.name)
    return _of_archive(file, reading, stack) if kind == "zip" else _single(file, kind, reading)


def _single(file: Opened, kind: str, reading: Reading) -> Table:
    if kind == "xlsx":
        return _of_workbook(file, reading)
    return _named(_reader(file, kind, reading), file.name, reading)


def _of_workbook(file: Opened, reading: Reading) -> Table:
    """One sheet, or all that are alike where that is asked for; where several are alike, a question is asked."""
    first = Sheets(file, "" if reading.part == ALL else reading.part, reading.errors)
    seen = [name for name in first.parts if name not in first.hidden]
    alike = [_named(first, file.name, reading)]
    if reading.part in ("", ALL) and len(seen) > 1:
        others = {name: _named(first.other(name), name, reading) for name in seen}
        same = [table for table in others.values() if table.columns == alike[0].columns and table.header]
        if reading.part == ALL:
            made = chained(file.name, same)
            made.part, made.parts = ALL, tuple(first.parts)
            return made
        if len(same) > 1:
            words = translate("The sheets {names} have the same columns.", names=first_five([one.name for one in same]))
            choices = ((ALL, translatable("Read them one after the other, with a column of their names")),
                       (first.part, translate("Read the sheet {name} alone", name=first.part)))  # fmt: skip
            alike[0].questions = (*alike[0].questions, Question("part", words, choices))
    alike[0].part, alike[0].parts = first.part, tuple(first.parts)
    return alike[0]


def _reader(file: Opened, kind: str, reading: Reading) -> Reader:
    if kind == "parquet":
        return Columns(file)
    if kind:
        raise UserError("this is an archive within an archive; unpack it once.", where=file.name)
    texts = Texts(file, reading)
    refuse_marked_up(texts.head, file.name)
    if is_annotated(texts):
        return AnnotatedTexts(texts)
    return Objects(texts) if reading.delimiter is None and begins_as_json(texts) else texts


def _named(reader: Reader, name: str, reading: Reading) -> Table:
    """The table of a reader with the names of its columns; they are made where the file has none."""
    skip = 0
    kept: dict[str, object] = {"kind": reader.kind, "encoding": reader.encoding, "guessed": reader.guessed,
                               "delimiter": reader.delimiter}  # fmt: skip
    if reader.names is not None:
        table = Table(name, columns=reader.names, header=True, **kept)  # type: ignore[arg-type]
    else:
        first = list(islice(_written(reader), LOOKED_AT))
        if not first:
            raise UserError("the file holds only space.", where=name)
        found = beginning([(line, _trimmed(cells)) for line, cells in first], reading.known, header=reading.header,
                          above=reading.above, is_table=reader.kind != "lines")  # fmt: skip
        header, written = found.header, [cells for _, cells in first[found.above :]]
        begin = [_trimmed(cells) for cells in written]
        widest = max(map(len, begin))
        width = max(len(begin[0]), min(len(written[0]), widest)) if header else mode(map(len, written))
        if width > WIDEST:
            raise UserError("the table has more than {widest} columns.", widest=WIDEST, where=name)
        columns = _names(begin[0] if header else [], width)
        table = Table(name, columns=columns, header=header, notes=found.notes, questions=found.questions, **kept)  # type: ignore[arg-type]
        skip = found.above + header
    table.readers = (reader,)
    table.read = lambda: _rows(reader, len(table.columns), skip=skip)
    return table


def _names(header: Sequence[str], width: int) -> tuple[str, ...]:
    """A name for each column, none twice."""
    found: dict[str, None] = {}
    for number in range(1, width + 1):
        given = header[number - 1].strip() if number <= len(header) else ""
        name, twice = given or f"Column {number}", 2
        while name in found:
            name, twice = f"{given or f'Column {number}'} ({twice})", twice + 1
        found[name] = None
    return tuple(found)


def _rows(reader: Reader, width: int, *, skip: int) -> Iterator[Row]:
    for line, cells in islice(_written(reader), skip, None):
        kept = cells if len(cells) == width else _trimmed(cells, width)
        ragged = (len(kept) != width and reader.kind == "delimited") or len(kept) > width
        whole = tuple(kept) if len(kept) == width else tuple([*kept, *[""] * (width - len(kept))][:width])
        yield Row(line, whole, ragged, "", len(kept))


def _written(reader: Reader) -> Iterator[tuple[int, Sequence[str]]]:
    """The rows that are not empty; where each line is a text, empty lines too."""
    for line, cells in reader.records():
        if reader.kind == "lines" or any(cell.strip() for cell in cells):
            yield line, cells


def _trimmed(cells: Sequence[str], least: int = 1) -> Sequence[str]:
    """The cells without empty ones at the end, but for `least`."""
    end = len(cells)
    while end > least and not cells[end - 1].strip():
        end -= 1
    return cells[:end]


def _of_archive(file: Opened, reading: Reading, stack: ExitStack) -> Table:
    names = members(file)
    if reading.part not in ("", ALL, *names):
        raise UserError(
            "there is no file '{part}' in it; there are {names}.",
            part=reading.part,
            names=first_five(names),
            where=file.name,
        )
    candidates, described = without_cards(file, names)
    one = [reading.part] if reading.part in names else []
    looked_at = (
        [*candidates, *(name for name in one if name not in candidates)] if reading.overview else one or candidates
    )
    tables, left_out = _tables(file, looked_at, reading, stack)
    wanted = [table for table in tables if table.name in one] if one else tables
    if reading.part == ALL:
        wanted = most_alike(tables)
    if not wanted:
        raise next((error for name, error in left_out.items() if not one or name in one), None) or UserError(
            "the archive is empty.", where=file.name
        )
    if not reading.part and (joined := side_by_side(file.name, wanted, reading.styles)):
        made, unlike = joined
        left_out |= unlike
        wanted = tables = [table for table in tables if table.name not in unlike]
    elif len(wanted) > 1 and not are_alike(wanted):
        raise ManyTables(file.name, [table.name for table in wanted])
    else:
        made = wanted[0] if len(wanted) == 1 else chained(file.name, wanted)
    read = {table.name for table in wanted}
    others = ", ".join(name for name in names if name not in read)
    if reading.part:
        notes = [Note("Not read: {names}.", values={"names": others})] if others else []
    else:
        notes = [*described, *(Note("Left out: {error}", values={"error": error}) for error in left_out.values())]
    made.part, made.notes, made.parts = reading.part, (*made.notes, *notes), tuple(names)
    if reading.overview:
        made.members = tuple(_members(file, tables, read, left_out))
    return made


def _tables(
    file: Opened, names: Sequence[str], reading: Reading, stack: ExitStack
) -> tuple[list[Table], dict[str, UserError]]:  # fmt: skip
    """The tables in these files of an archive, and the errors of the others by name."""
    hold_to_limit(file, names)
    tables, left_out = list[Table](), dict[str, UserError]()
    inner = replace(reading, part="")
    for name in names:
        member = unzipped(file, name, stack)
        try:
            tables.append(_single(member, packed_kind(member), inner))
        except UserError as error:
            left_out[name] = error
    return tables, left_out


def _members(
    file: Opened, tables: Sequence[Table], read: Collection[str], left_out: Mapping[str, UserError]
) -> Iterator[Member]:  # fmt: skip
    """Every file of an archive, the hidden ones too, with what becomes of it."""
    by_name = {table.name: table for table in tables}
    for name in members(file):
        if table := by_name.get(name):
            try:
                rows = sum(1 for _ in table.records())
            except UserError as error:
                yield Member(name, left=Note(error.template, values=error.values))
            else:
                yield Member(name, table.kind, rows, table.columns, name in read)
        elif refused := left_out.get(name):
            yield Member(name, left=Note(refused.template, values=refused.values))
        else:
            yield Member(name, left=Note("it describes the data."))
    for name in members(file, hidden=True):
        yield Member(name, left=Note("it is a hidden file."))


def _count(table: Table) -> None:
    """Go through all rows once."""
    sample, ragged = list[Row](), list[int]()
    for row in table.records():
        table.rows += 1
        if len(sample) < SAMPLE:
            sample.append(row)
        if row.ragged:
            table.ragged_count += 1
            if len(ragged) < RAGGED_KEPT:
                ragged.append(row.line)
    table.sample, table.ragged = tuple(sample), tuple(ragged)
    table.notes = (*table.notes, *(note for reader in table.readers for note in reader.notes))
    asked = {one.name: one for reader in table.readers for one in reader.questions}
    table.questions = (*table.questions, *asked.values())
    if not table.rows:
        raise UserError("the table has a header and no row below it.", where=table.name)
