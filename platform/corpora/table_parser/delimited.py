"""Texts: a table with a delimiter, or a text a line."""

import csv
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from io import RawIOBase, StringIO, TextIOWrapper
from itertools import islice
from typing import Any

from corpora.formats import LINE_LIMIT
from corpora.table_parser.encodings import encoding_for
from corpora.table_parser.headers import is_header
from corpora.table_parser.notes import Note, Notes, Question
from corpora.table_parser.opening import CHUNK, Opened
from corpora.table_parser.quoting import RAW, STYLES, Quoting, decide
from corpora.table_parser.table import Reading
from corpora.tabular_files import restore_cell, sentence_of
from foundation.errors import UserError

HEAD = 256 * 1024
TRIED = 200
TITLES = 10
"""Lines that may stand above a table."""
CANDIDATES = "\t;|,"
CSV, TSV = (".csv",), (".tsv", ".tab")
ENOUGH = {CSV: 0.5, TSV: 0.5}
Record = tuple[int, Sequence[str]]


class Texts:
    """A text as a reader of rows. `delimiter` "" is a text a line."""

    kind = "lines"
    names: tuple[str, ...] | None = None

    def __init__(self, file: Opened, reading: Reading) -> None:
        self.file = file
        self.encoding, self.guessed = encoding_for(file, reading.encoding)
        self.head, self.whole = self._head()
        self.delimiter = delimiter_of(self.head, file.name, reading.delimiter)
        self.kind = "delimited" if self.delimiter else "lines"
        self.declared, self.held = reading.quoting, ""
        self.restored = Notes()
        if self.declared and self.declared not in STYLES:
            raise UserError(
                "'{value}' is not among {choices}.", value=self.declared, choices=", ".join(STYLES), where="quoting"
            )

    @cached_property
    def quoting(self) -> Quoting:
        return decide(self.chunks, self.delimiter, self.declared) if self.delimiter else Quoting(RAW)

    @property
    def notes(self) -> tuple[Note, ...]:
        return (*self.quoting.notes, *self.restored)

    @property
    def questions(self) -> tuple[Question, ...]:
        return self.quoting.questions

    def lines(self) -> Iterator[str]:
        """The lines with their ends."""
        with self._text() as text:
            for number, line in enumerate(iter(partial(text.readline, LINE_LIMIT + 2), ""), 1):
                if len(line) > LINE_LIMIT and len(line.rstrip("\r\n")) > LINE_LIMIT:
                    raise UserError(
                        "the line is longer than {line_limit:,} characters.",
                        line_limit=LINE_LIMIT,
                        where=self._line(number),
                    )
                if "\0" in line:
                    raise UserError("a text cannot hold a NUL character.", where=self._line(number))
                self.held = line.removeprefix("\ufeff") if number == 1 else line
                yield self.held

    def chunks(self) -> Iterator[str]:
        """The text as it comes, wherever its lines end."""
        with self._text() as text:
            yield text.read(CHUNK).removeprefix("\ufeff")
            yield from iter(lambda: text.read(CHUNK), "")

    @contextmanager
    def _text(self) -> Iterator[TextIOWrapper]:
        stream: Any = _Unclosed(self.file)
        text = TextIOWrapper(stream, encoding=self.encoding, newline="")
        try:
            yield text
        except UnicodeError:
            raise UserError(
                "the file is not {encoding}; choose another encoding.",
                encoding=self.encoding.removesuffix("-sig"),
                where=self.file.name,
            ) from None
        finally:
            text.detach()

    def records(self) -> Iterator[Record]:
        return self._cells() if self.delimiter else self._texts()

    def _texts(self) -> Iterator[Record]:
        """A text a line; empty lines stay, since others may be set beside them, but for those at the end."""
        empty: list[int] = []
        for number, line in enumerate(self.lines(), 1):
            text = line.rstrip("\r\n")
            if not text.strip():
                empty.append(number)
                continue
            yield from ((one, ("",)) for one in empty)
            empty = []
            yield number, (text,)

    def _cells(self) -> Iterator[Record]:
        """Rows of cells, without the apostrophes that guard them from a spreadsheet."""
        if not self.quoting.guards:
            return self._raw_cells()
        self.restored = Notes()
        return restored(self._raw_cells(), self.restored)

    def _raw_cells(self) -> Iterator[Record]:
        reader = csv.reader(self.lines(), **self.quoting.settings(self.delimiter))
        while True:
            line = reader.line_num + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                if "expected after" not in str(error):
                    raise UserError(sentence_of(str(error)), where=self._line(line)) from None
                cells = [self.held.rstrip("\r\n")]  # it has a question, and too few cells
            yield line, cells

    def _line(self, number: int) -> str:
        return f"{self.file.name}, line {number}"

    def _head(self) -> tuple[str, bool]:
        """The first whole lines, and whether the text ends with them."""
        parts = list(islice(self.chunks(), HEAD // CHUNK + 1))
        head = "".join(parts)
        whole = len(parts) <= HEAD // CHUNK
        return (head if whole else head[: head.rfind("\n") + 1] or head), whole


def restored(records: Iterator[Record], notes: Notes) -> Iterator[Record]:
    """The rows with their cells as they were before `escape_cell`."""
    for line, cells in records:
        found = [restore_cell(cell) if cell[:1] == "'" else cell for cell in cells]
        if found != list(cells):
            notes.add("An apostrophe that guards a cell from a spreadsheet is taken off.", line)
        yield line, found


class _Unclosed(RawIOBase):
    """A stream that stays open when its wrapper is closed."""

    def __init__(self, file: Opened) -> None:
        super().__init__()
        self._stream = file.fresh()

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        return self._stream.read(size)

    read1 = read


def delimiter_of(head: str, name: str, declared: str | None) -> str:
    """The delimiter, by the beginning; "" where each line is a text."""
    if declared == "":
        return ""
    if declared is not None:
        if len(declared) != 1 or declared in '"\r\n':
            raise UserError("A delimiter is one character, and no quotation mark.", where="delimiter")
        return declared
    if said := re.match(r"sep=(.)\r?\n", head, re.I):
        return said[1]
    best = _best(head, name) or _best(_below_title(head), name)
    return best or ("," if name.lower().endswith(CSV) else "")


def _best(head: str, name: str) -> str:
    found = [
        (share, width, candidate) for candidate in CANDIDATES for share, width in [_even(head, candidate)] if width > 1
    ]
    found = [each for each in found if _is_convincing(head, name, *each)]
    return max(found, key=lambda each: (each[0], -CANDIDATES.index(each[2])))[2] if found else ""


def _below_title(head: str) -> str:
    """The beginning without lines before it that have no cells: a title, comments."""
    rest = head
    for _ in range(TITLES):
        line, _, after = rest.partition("\n")
        if not after or (set(line) & set(CANDIDATES) and not line.startswith("# ")):
            break
        rest = after
    return rest if rest != head else ""


def _even(head: str, delimiter: str) -> tuple[float, int]:
    """(share of the rows that have as many cells as the first, that number of cells)."""
    widths = [len(cells) for cells in _tried(head, delimiter, _quoted(head, delimiter)) if any(cells)]
    return (widths.count(widths[0]) / len(widths), widths[0]) if widths else (0, 0)


def _is_convincing(head: str, name: str, share: float, width: int, delimiter: str) -> bool:
    named = next((share >= enough for ends, enough in ENOUGH.items() if name.lower().endswith(ends)), None)
    if named is not None:
        return named
    if delimiter == "\t":
        return share >= 0.8
    first, *others = [cells for cells in _tried(head, delimiter, _quoted(head, delimiter)) if any(cells)]
    if is_header(first, others):
        return bool(others) and share >= (0.9 if width > 2 else 1)
    return share == 1 and len(others) >= 10


def _quoted(head: str, delimiter: str) -> bool:
    """Whether quotation marks open and close cells: they do, unless that makes no table and leaving them does.

    Between tabs they are characters, unless they are needed: a cell with a tab, a quote or two lines, or all quoted.
    """
    if delimiter == "\t" and not _needed(head, delimiter):
        return False
    if _reads(head, delimiter):
        return True
    raw = {len(cells) for cells in _tried(head, delimiter, False) if any(cells)}
    return len(raw) > 1 and delimiter != "\t"


def _needed(head: str, delimiter: str) -> bool:
    first = head.split("\n", 1)[0].rstrip("\r").split(delimiter)
    if all(len(cell) > 1 and cell[0] == cell[-1] == '"' for cell in first):
        return True
    cells = (cell for row in _tried(head, delimiter, True) for cell in row)
    return '"' in head and any("\n" in cell or "\t" in cell or ('"' in cell and '""' in head) for cell in cells)


def _reads(head: str, delimiter: str) -> bool:
    """Whether the beginning is well quoted; a cell that is open where it breaks off counts as right."""
    reader = csv.reader(_lines(head), **_settings(delimiter, True))
    try:
        for _ in zip(range(TRIED), reader, strict=False):
            pass
    except csv.Error as error:
        return "unexpected end" in str(error) and len(head) > HEAD - CHUNK
    return True


def _tried(head: str, delimiter: str, quoted: bool) -> Iterator[list[str]]:
    reader = csv.reader(_lines(head), **{**_settings(delimiter, quoted), "strict": False})
    try:
        for _, cells in zip(range(TRIED), reader, strict=False):
            yield cells
    except csv.Error:
        return


def _lines(head: str) -> list[str]:
    """The lines with their ends, as the file's own are read."""
    return list(StringIO(head, newline=""))


def _settings(delimiter: str, quoted: bool) -> dict[str, Any]:
    return {
        "delimiter": delimiter, "strict": quoted, "doublequote": True,
        "quoting": csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
    }  # fmt: skip
