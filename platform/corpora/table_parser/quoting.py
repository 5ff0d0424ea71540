"""The role of quotation marks in a table with a delimiter: they enclose cells, or are characters of the texts.

The whole file decides, in a pass of its own, since a mark may come up late. Between commas marks enclose cells, unless
they cannot; between tabs they are characters, unless they enclose: all cells, a cell with a tab, two lines, or doubled
marks. A file that does both is asked about.
"""

import csv
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from itertools import chain
from typing import Any

from corpora.formats import LINE_LIMIT
from corpora.table_parser.notes import Note, Question
from corpora.tabular_files import may_guard
from foundation.errors import first_five
from foundation.translation import translatable, translate

CLOSED = re.compile(r'"(?>(?:[^"]++|"")*)"')
KEPT = 100
SHOWN = 120
QUOTED, RAW, BACKSLASH = "yes", "no", "backslash"
STYLES = (QUOTED, RAW, BACKSLASH)
WORDS = {
    QUOTED: translatable("Marks enclose cells; other lines are left out"),
    RAW: translatable("Marks are characters of the texts"),
    BACKSLASH: translatable("Marks enclose cells; after a backslash a mark is a character"),
}
Blocks = Callable[[], Iterable[str]]


@dataclass(frozen=True)
class Quoting:
    """`style` is one of `STYLES`; with `spaces` a cell may open after a space that follows the delimiter.

    `guards` says that an apostrophe may guard a cell from a spreadsheet.
    """

    style: str
    spaces: bool = False
    guards: bool = False
    notes: tuple[Note, ...] = ()
    questions: tuple[Question, ...] = ()

    def settings(self, delimiter: str) -> dict[str, Any]:
        """Arguments for `csv.reader`."""
        return {
            "delimiter": delimiter, "strict": self.style != RAW, "doublequote": self.style != BACKSLASH,
            "escapechar": "\\" if self.style == BACKSLASH else None, "skipinitialspace": self.spaces,
            "quoting": csv.QUOTE_NONE if self.style == RAW else csv.QUOTE_MINIMAL,
        }  # fmt: skip


def decide(blocks: Blocks, delimiter: str, declared: str = "") -> Quoting:
    """The role of marks in a text, which `blocks` gives as often as it is asked for."""
    marked = spaced = guards = False
    for block in blocks():
        marked = marked or '"' in block
        spaced = spaced or (marked and f'{delimiter} "' in block)
        guards = guards or ("'" in block and may_guard(block))
    return replace(_decided(blocks, delimiter, declared, marked, spaced), guards=guards)


def _decided(blocks: Blocks, delimiter: str, declared: str, marked: bool, spaced: bool) -> Quoting:
    if declared or not marked:
        return Quoting(declared or (RAW if delimiter == "\t" else QUOTED), spaced and declared != RAW)
    if delimiter != "\t" and _reads(blocks, Quoting(QUOTED, spaced).settings(delimiter)):
        return Quoting(QUOTED, spaced, notes=_about_spaces(blocks, delimiter) if spaced else ())
    return _between_tabs(blocks) if delimiter == "\t" else _between_others(blocks, delimiter, spaced)


def lines_of(blocks: Blocks) -> Iterator[str]:
    """The lines with their ends; one that is too long ends it, since the reading proper refuses it."""
    return chain.from_iterable(_lists(blocks))


def _lists(blocks: Blocks) -> Iterator[list[str]]:
    rest = ""
    for block in blocks():
        if len(rest) > LINE_LIMIT:
            return
        end = block.rfind("\n") + 1
        if end:
            yield list(StringIO(rest + block[:end], newline=""))
            rest = block[end:]
        else:
            rest += block
    yield list(StringIO(rest, newline=""))


def _reads(blocks: Blocks, settings: dict[str, Any]) -> bool:
    """Whether the whole file is quoted as it should be, and no line is swallowed that would be a row of its own."""
    reader = csv.reader(lines_of(blocks), **settings)
    try:
        rows = sum(1 for _ in reader)
    except csv.Error:
        return False
    if rows == reader.line_num:
        return True
    widths = {line.count(settings["delimiter"]) for line in lines_of(blocks) if line.strip()}
    return len(widths) > 1 or widths == {0}


def _about_spaces(blocks: Blocks, delimiter: str) -> tuple[Note, ...]:
    mark = f'{delimiter} "'
    first = next((str(number) for number, line in enumerate(lines_of(blocks), 1) if mark in line), "")
    return (Note("Spaces before a quotation mark that opens a cell are skipped.", (first,), 1),)


class _Lines:
    """The numbers of the first lines of each kind, and the text of the very first."""

    def __init__(self) -> None:
        self.numbers: dict[str, list[int]] = {"doubled": [], "plain": [], "odd": []}
        self.texts: dict[str, str] = {}

    def keep(self, kind: str, number: int, line: str) -> None:
        numbers = self.numbers[kind]
        if len(numbers) < KEPT and number not in numbers[-1:]:
            numbers.append(number)
            self.texts.setdefault(kind, line.strip())

    def noted(self, style: str, kind: str, why: str, spaces: bool = False) -> Quoting:
        return Quoting(style, spaces, notes=(Note(why, (str(self.numbers[kind][0]),), 1),))

    def asked(self, style: str, kind: str, sentence: str, styles: Sequence[str], spaces: bool = False) -> Quoting:
        shown = self.texts[kind]
        shown = shown[:SHOWN] + ("..." if len(shown) > SHOWN else "")
        words = translate(sentence, lines=first_five(self.numbers[kind]), shown=shown)
        question = Question("quoting", words, tuple((one, WORDS[one]) for one in styles))
        return Quoting(style, spaces, questions=(question,))


MIXED = translatable("Some quotation marks enclose cells and others do not, as on line {lines}: {shown}")


def _between_tabs(blocks: Blocks) -> Quoting:
    lines, widths = _Lines(), set[int]()
    enclosed, filled = defaultdict[int, int](int), defaultdict[int, int](int)
    odd, first = 0, False
    for number, line in enumerate(lines_of(blocks), 1):
        if not line.strip():
            continue
        cells = line.rstrip("\r\n").split("\t")
        widths.add(len(cells))
        for place, cell in enumerate(cells):
            filled[place] += number > 1 and bool(cell)
        for place, cell in enumerate(cells if '"' in line else ()):
            if CLOSED.fullmatch(cell):
                enclosed[place] += number > 1
                lines.keep("doubled" if '""' in cell[1:-1] else "plain", number, line)
            elif '"' in cell:
                odd += 1
                lines.keep("odd", number, line)
        first = first or (number == 1 and all(map(CLOSED.fullmatch, cells)))
    if odd and len(widths) > 1 and _is_even(blocks):
        return lines.noted(QUOTED, "odd", translatable("Quotation marks enclose cells: one holds a tab or two lines."))
    if first or lines.numbers["doubled"]:
        if odd:
            most = QUOTED if sum(enclosed.values()) > odd else RAW
            return lines.asked(most, "odd", MIXED, (QUOTED, RAW))
        if first:
            return Quoting(QUOTED)
        why = translatable("Quotation marks enclose cells, since there are doubled marks in one.")
        return lines.noted(QUOTED, "doubled", why)
    if not odd and any(count > 1 and count == filled[place] for place, count in enclosed.items()):
        whole = translatable("All cells of a column stand in quotation marks, as on line {lines}: {shown}")
        return lines.asked(RAW, "plain", whole, (QUOTED, RAW))
    if not lines.numbers["plain"]:
        return Quoting(RAW)
    why = translatable("Quotation marks are characters of the texts, as is usual in tab-separated files.")
    return lines.noted(RAW, "plain", why)


def _is_even(blocks: Blocks) -> bool:
    """Whether all rows have the same number of cells where marks enclose them."""
    reader = csv.reader(lines_of(blocks), **Quoting(QUOTED).settings("\t"))
    try:
        return len({len(cells) for cells in reader if any(cells)}) == 1
    except csv.Error:
        return False


def _between_others(blocks: Blocks, delimiter: str, spaces: bool) -> Quoting:
    lines, widths, enclosed, odd, doubled = _Lines(), set[int](), 0, 0, False
    cell = re.compile(rf'(?:^|{re.escape(delimiter)}) *"(?>(?:[^"]++|"")*)" *(?={re.escape(delimiter)}|[\r\n]*$)')
    held = [""]

    def lines_held() -> Iterator[str]:
        nonlocal enclosed, doubled
        for held[0] in lines_of(blocks):
            if held[0].strip():
                widths.add(held[0].count(delimiter))
            if '"' in held[0]:
                enclosed += len(cell.findall(held[0]))
                doubled = doubled or '""' in held[0]
            yield held[0]

    reader = csv.reader(lines_held(), **Quoting(QUOTED, spaces).settings(delimiter))
    while True:
        before = reader.line_num
        try:
            next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            odd += 1
            lines.keep("odd", before + 1 if "unexpected end" in str(error) else reader.line_num, held[0])
        else:
            if reader.line_num > before + 1:
                lines.keep("plain", before + 1, held[0])
    if not odd and (enclosed or doubled):
        return Quoting(QUOTED, spaces)
    even, kind = len(widths) == 1, "odd" if odd else "plain"
    if even and odd and not enclosed:
        why = translatable("Quotation marks are characters of the texts, since they enclose no cell.")
        return lines.noted(RAW, "odd", why)
    styles = [QUOTED, RAW]
    if "\\" in lines.texts[kind] and _reads(blocks, Quoting(BACKSLASH, spaces).settings(delimiter)):
        styles = [BACKSLASH, *styles]
    swallowed = translatable("A quotation mark opens on line {lines} and closes on a later line, whose cells would "
                             "make rows of their own: {shown}")  # fmt: skip
    most = QUOTED if enclosed > odd or not even else RAW
    return lines.asked(most, kind, MIXED if odd else swallowed, styles, spaces and most == QUOTED)
