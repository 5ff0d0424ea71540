"""A file as it was understood: a table with named columns, its first rows, and all of them as a stream."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, Self

from corpora.table_parser.notes import Note, Question

SAMPLE = 20
"""Rows that are shown."""


class Row(NamedTuple):
    """A row: its line in the file (its number in a sheet), from 1, and one text a column; an empty cell is "".

    `ragged` has more or fewer cells than the table has columns, and `given` says how many; `part` is the file of an
    archive, where several are read as one table.
    """

    line: int
    cells: tuple[str, ...]
    ragged: bool = False
    part: str = ""
    given: int = 0

    def lacks(self, places: Iterable[int]) -> bool:
        """Whether it has too many cells, or ends before one of the columns."""
        return self.ragged and (self.given > len(self.cells) or any(place >= self.given for place in places))


@dataclass(frozen=True)
class Reading:
    """How a file is to be read; a field with its default is guessed.

    `part` is a file of an archive or a sheet of a workbook ("" is all that are alike, or the one that is shown, and "*"
    all sheets that are alike, or the most files). `delimiter` is one character, or "" where each line is a text.
    `quoting` is "yes" where quotation marks enclose cells, "no" where they are characters, "backslash" where those
    after a backslash are. The first `above` rows are not of the table. `header` says whether the next row names the
    columns, for which the names `known` (in small letters) speak; `styles` are those of the study, likewise. `errors`
    says what to do with a sheet's cells that show an error ("empty", "leave_out"). With `overview`, every file of an
    archive is looked at, whichever is read.
    """

    part: str = ""
    encoding: str = ""
    delimiter: str | None = None
    quoting: str = ""
    header: bool | None = None
    above: int | None = None
    errors: str = ""
    known: frozenset[str] = frozenset()
    styles: frozenset[str] = frozenset()
    overview: bool = False


class Reader(Protocol):
    """One table of a file, not interpreted yet."""

    kind: str
    encoding: str
    guessed: bool
    delimiter: str
    names: tuple[str, ...] | None

    @property
    def notes(self) -> Iterable[Note]:
        """Notes of cells that were read otherwise than they stand; complete once all rows were read."""
        ...

    @property
    def questions(self) -> Iterable[Question]:
        """Questions that only a person can answer; complete once all rows were read."""
        ...

    def records(self) -> Iterator[tuple[int, Sequence[str]]]:
        """(line, cells) of each row; those of `names` where the file itself has names."""
        ...


@dataclass(frozen=True)
class Member:
    """A file of an archive: what it was recognised as, its rows and columns, and whether it is read, or why it is not.

    `left` is the reason for which it is left out whatever is chosen; such a file has no rows here.
    """

    name: str
    kind: str = ""
    rows: int = 0
    columns: tuple[str, ...] = ()
    is_read: bool = False
    left: Note | None = None


def no_rows() -> Iterator[Row]:
    """The rows of a table that cannot be read here: none."""
    return iter(())


@dataclass
class Table:
    """A file that was understood; `records` gives all its rows, as often as it is asked.

    `kind` is lines, delimited, json, xlsx or parquet; `encoding` is empty where the kind knows its own, and `guessed`
    where no mark and no UTF-8 settled it. `parts` are the files or sheets that can be chosen, `part` the chosen one.
    `ragged` are the first lines with a wrong number of cells (`ragged_count` of them). `notes` list the cells read
    otherwise than they stand. The first `added` columns name the file or sheet of each row, where there are several.
    `questions` about the reading are those that only a person can answer. `members` are all files of an archive, where
    the reading asks for an overview.
    """

    name: str
    kind: str
    columns: tuple[str, ...]
    header: bool
    encoding: str = ""
    guessed: bool = False
    delimiter: str = ""
    part: str = ""
    parts: tuple[str, ...] = ()
    members: tuple[Member, ...] = ()
    notes: tuple[Note, ...] = ()
    questions: tuple[Question, ...] = ()
    rows: int = 0
    added: int = 0
    sample: tuple[Row, ...] = ()
    ragged: tuple[int, ...] = ()
    ragged_count: int = 0
    readers: tuple[Reader, ...] = field(default=(), repr=False)
    read: Callable[[], Iterator[Row]] = field(default=no_rows, repr=False)
    stack: ExitStack = field(default_factory=ExitStack, repr=False)

    def records(self) -> Iterator[Row]:
        """Every row, one after the other, without the header."""
        return self.read()

    def dicts(self) -> Iterator[tuple[Row, Mapping[str, str]]]:
        """Every row that is not ragged, with its cells by column."""
        for row in self.records():
            if not row.ragged:
                yield row, dict(zip(self.columns, row.cells, strict=True))

    def where(self, row: Row) -> str:
        """The place of a row as errors name it."""
        what = "row" if self.kind in ("xlsx", "parquet") else "line"
        return f"{row.part or self.name}, {what} {row.line}"

    def close(self) -> None:
        """Let go of what was unpacked."""
        self.stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
