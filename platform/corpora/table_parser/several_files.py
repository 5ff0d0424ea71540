"""Several files or sheets that are one table: their names tell the rows apart."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from corpora.table_parser.notes import Note
from corpora.table_parser.opening import Opened, pieces
from corpora.table_parser.table import Row, Table

FILE, FOLDER, ROW = "File", "Folder", "Row"
"""Columns that stand before the table's own: the file's or sheet's name, its folder, the row's number in it."""
DESCRIBES = re.compile(r"(?:^|/)(?:readme|licen[cs]e|copying|citation|changelog)[^/]*$|\.(?:md|rst|ya?ml|py|sh)$", re.I)
HEAD_OF_CARD = re.compile(r"\A\ufeff?---\r?\n(.{0,20000}?)\r?\n---", re.S)
LICENSE = re.compile(r"^licen[cs]e(?:_name)?:[ \t]*(?:\r?\n[ \t]*-[ \t]*)?([^\r\n]{1,200})", re.M)
CARD = 64 * 1024
NAMED = 50


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
