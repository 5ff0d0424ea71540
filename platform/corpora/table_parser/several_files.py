"""Several files or sheets that are one table: one after the other, told apart by their names, or side by side."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import PurePosixPath

from corpora.table_parser.headers import tokens, words_in
from corpora.table_parser.notes import Note
from corpora.table_parser.opening import Opened, pieces
from corpora.table_parser.table import Row, Table
from foundation.errors import UserError

FILE, FOLDER, ROW = "File", "Folder", "Row"
"""Columns that stand before the table's own: the file's or sheet's name, its folder, the row's number in it."""
DESCRIBES = re.compile(r"(?:^|/)(?:readme|licen[cs]e|copying|citation|changelog)[^/]*$|\.(?:md|rst|ya?ml|py|sh)$", re.I)
HEAD_OF_CARD = re.compile(r"\A\ufeff?---\r?\n(.{0,20000}?)\r?\n---", re.S)
LICENSE = re.compile(r"^licen[cs]e(?:_name)?:[ \t]*(?:\r?\n[ \t]*-[ \t]*)?([^\r\n]{1,200})", re.M)
CARD = 64 * 1024
NAMED = 50
SOURCES = frozenset(["source", "sources", "src", "input", "inputs", "orig", "original", "originals"])
"""Words in the name of the file that holds the sources, beside those of a study's styles."""
WROTE = frozenset(("output", "outputs", "out", "hyp", "hyps", "hypothesis", "hypotheses", "prediction", "predictions",
                   "pred", "preds", "generated"))  # fmt: skip
"""Words that stand beside a system's name in the name of its file."""
SPLITS = frozenset(("train", "training", "dev", "valid", "validation", "val", "tune", "test"))
ENDS = (".", "!", "?", "…", "。", "！", "？")
"""The ends of sentences, which names of columns have not."""


def are_alike(tables: Sequence[Table]) -> bool:
    """Whether they have the same columns; of JSON the same keys outside, since what is nested may be left out."""
    if all(table.kind == "json" for table in tables):
        return len({frozenset(column.partition(".")[0] for column in table.columns) for table in tables}) == 1
    return len({table.columns for table in tables}) == 1


def most_alike(tables: Sequence[Table]) -> list[Table]:
    """The largest set of tables that are alike; of sets of one size the first."""
    sets: list[list[Table]] = []
    for table in tables:
        own = next((one for one in sets if are_alike([one[0], table])), None)
        if own is None:
            sets.append([table])
        else:
            own.append(table)
    return max(sets, key=len, default=[])


def chained(name: str, tables: Sequence[Table]) -> Table:
    """Tables that are alike, as one; the first columns name the file or sheet of each row, and its place there."""
    first = tables[0]
    columns = tuple(dict.fromkeys(column for table in tables for column in table.columns))
    paths = [PurePosixPath(table.name) for table in tables]
    has_folders = len({path.parent for path in paths}) > 1
    added = [one for one in (FILE, *[FOLDER] * has_folders, ROW) if one not in columns]
    names = ", ".join(table.name for table in tables[:NAMED]) + (" ..." if len(tables) > NAMED else "")
    note = Note("These files have the same columns and are read one after the other: {names}.", values={"names": names})
    made = Table(name, first.kind, (*added, *columns), first.header, first.encoding,
                 any(table.guessed for table in tables), first.delimiter, added=len(added),
                 notes=(note, *(note for table in tables for note in table.notes)), questions=first.questions,
                 readers=tuple(reader for table in tables for reader in table.readers))  # fmt: skip

    def rows() -> Iterator[Row]:
        for table, path in zip(tables, paths, strict=True):
            where = {FILE: path.stem if path.suffix else path.name, FOLDER: path.parent.name}
            places = {column: place for place, column in enumerate(table.columns)}
            turned = None if table.columns == columns else [places.get(column) for column in columns]
            for number, row in enumerate(table.records(), 1):
                own = tuple(str(number) if one == ROW else where[one] for one in added)
                cells = row.cells if turned is None else tuple("" if n is None else row.cells[n] for n in turned)
                yield Row(row.line, own + cells, row.ragged, table.name, row.given + len(own))

    made.read = rows
    return made


def side_by_side(
    name: str, tables: Sequence[Table], styles: Collection[str]
) -> tuple[Table, dict[str, UserError]] | None:
    """Files with a row for each source as one table, and the errors of files with other numbers of rows.

    The name of one file says that it holds the sources: it has a word for them, or one of the `styles`. Each other
    file gives a column by its own name, so a system has that of its file. A column that files share, such as a number,
    must be the same in all. None where the files are no such set, or of several splits.
    """
    words = {one.name: frozenset(tokens(PurePosixPath(one.name).stem)) for one in tables}
    named = [frozenset(tokens(one)) for one in (*SOURCES, *styles)]
    sources = sorted((one for one in tables if any(each <= words[one.name] for each in named if each)),
                     key=lambda one: (not words[one.name] & SOURCES, len(words[one.name])))  # fmt: skip
    if len(tables) < 2 or not sources or len(SPLITS & frozenset(chain(*words.values()))) > 1:
        return None
    source = sources[0]
    if sum(bool(words[one.name] & SOURCES) for one in sources) > 1 and not words[source.name] <= SOURCES:
        return None
    counts = {id(one): sum(1 for _ in one.records()) for one in tables}
    wanted = [one for one in tables if counts[id(one)] == counts[id(source)]]
    others = [one for one in tables if one not in wanted]
    if len(wanted) < 2 or len(others) >= len(wanted) or any(one in sources for one in others):
        return None
    wanted.sort(key=lambda one: one is not source)
    if (columns := _columns_of(wanted)) is None:
        return None
    left = {
        one.name: UserError("it has {rows} rows, where {source} has {expected}.", rows=counts[id(one)],
                            source=source.name, expected=counts[id(source)], where=one.name)
        for one in others
    }  # fmt: skip
    names = ", ".join(one.name for one in wanted[:NAMED]) + (" ..." if len(wanted) > NAMED else "")
    note = Note("These files have a row for each source and are read side by side: {names}.", values={"names": names})
    asked = {question.name: question for one in wanted for question in one.questions}
    if all(one.kind == "lines" for one in wanted) and any(map(_begins_with_a_text, wanted)):
        asked.pop("header", None)  # all of the files name their column, or none does
    made = Table(name, source.kind, tuple(chain(*(kept.values() for kept in columns))), source.header, source.encoding,
                 any(one.guessed for one in wanted), source.delimiter,
                 notes=(note, *(each for one in wanted for each in one.notes)), questions=tuple(asked.values()),
                 readers=tuple(reader for one in wanted for reader in one.readers))  # fmt: skip

    def rows() -> Iterator[Row]:
        for parts in zip(*(one.records() for one in wanted), strict=True):
            cells = tuple(part.cells[place] for part, kept in zip(parts, columns, strict=True) for place in kept)
            ragged = any(part.ragged for part in parts)
            yield Row(parts[0].line, cells, ragged, source.name, 0 if ragged else len(cells))

    made.read = rows
    return made, left


def _begins_with_a_text(table: Table) -> bool:
    cell = next((row.cells[0].strip() for row in table.records()), "")
    return words_in(cell) > 1 or cell.endswith(ENDS)


def _columns_of(tables: Sequence[Table]) -> list[Mapping[int, str]] | None:
    """The places of the columns that are read of each table, with their names in the table of all.

    A column that tables share is read once. None where it holds the same in another order.
    """
    times = Counter(chain(*(one.columns for one in tables if one.header)))
    shared = {name for name in times if times[name] > 1}
    cells: dict[str, list[list[int]]] = {name: [] for name in shared}
    for one in tables:
        found = {name: list[int]() for name in shared if one.header and name in one.columns}
        places = [(one.columns.index(name), held) for name, held in found.items()]
        for row in one.records() if places else ():
            for place, held in places:
                held.append(hash(row.cells[place].strip()))
        for name, held in found.items():
            cells[name].append(held)
    same = {name for name, held in cells.items() if all(one == held[0] for one in held)}
    if any(Counter(one) == Counter(held[0]) for name, held in cells.items() if name not in same for one in held[1:]):
        return None
    read, taken = list[Mapping[int, str]](), set[str]()
    for one in tables:
        own = {place: column for place, column in enumerate(one.columns) if not (column in same and column in taken)}
        taken.update(name for name in own.values() if name in same)
        mine = [column for column in own.values() if column not in same]
        if len(mine) > 1 and shared & {*mine}:  # tables of one form, of which each has its own sources
            return None
        label = _label(one, tables)
        read.append({
            place: label if len(mine) == 1 and column not in same else column if one.header else f"{label} {column}"
            for place, column in own.items()
        })  # fmt: skip
    names = [*chain(*(kept.values() for kept in read))]
    return read if len({*names}) == len(names) else None


def _label(table: Table, tables: Sequence[Table]) -> str:
    """The name of a file without its ending and without words such as output, with its folder where two have it."""
    path = PurePosixPath(table.name)
    words = re.split(r"([ ._-]+)", path.stem)
    kept = [at for at, word in enumerate(words) if at % 2 == 0 and word.lower() not in WROTE]
    label = "".join(words[kept[0] : kept[-1] + 1]) if kept else path.stem
    twice = sum(PurePosixPath(one.name).stem == path.stem for one in tables) > 1
    return f"{path.parent.name} {label}".strip() if twice else label


def without_cards(file: Opened, names: Sequence[str]) -> tuple[list[str], list[Note]]:
    """The files that may hold a table, and notes on those that describe it; the licence that a data card says."""
    tables = [name for name in names if not DESCRIBES.search(name)]
    if not tables:
        return list(names), []
    notes = []
    for name in names:
        if name not in tables:
            notes.append(Note("Left out: {name}, which describes the data.", values={"name": name}))
            if name.lower().endswith(".md") and (licence := _licence(file, name)):
                notes.append(Note("{name} says that the licence of the data is {licence}.",
                                  values={"name": name, "licence": licence}))  # fmt: skip
    return tables, notes


def _licence(file: Opened, name: str) -> str:
    head = b""
    for piece in pieces(file, name):
        head += piece
        if len(head) >= CARD:
            break
    card = HEAD_OF_CARD.match(head[:CARD].decode("utf-8", "replace"))
    said = LICENSE.search(card[1]) if card else None
    return said[1].strip().strip("\"'") if said else ""
