"""Where a table stands in a paper of two columns, in which size, and in how many parts.

Widths are in points. ACL's columns are 7.7 cm wide (219 points) and 0.6 cm apart; some of that is left free, since
widths are reckoned. A size is what the class makes of \\small and the smaller ones where its text is of 11 points.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

from evaluation.table_parts.cells import Cell
from evaluation.table_parts.contents import Table
from evaluation.table_parts.figure_data import of_numbers

# How wide words are in points, of Computer Modern at 10 points: other text fonts are hardly wider.

_PLAIN = {
    2.78: "iljI.,:;'!|[]`", 3.06: "f", 3.33: " -", 3.9: "rst()", 4.44: "ce", 5.0: "aoxvy0123456789/*\"", 5.28: "kq_?",
    5.56: "bdhnpuS", 6.5: "zEFLPZ", 7.3: "wACGRTUVXY", 7.8: "BDHJKNOQ+=<>~^#&$\\", 8.4: "m%{}", 9.2: "M", 10.3: "W@",
}  # fmt: skip
WIDTHS = {mark: width for width, marks in _PLAIN.items() for mark in marks}
OTHER = 5.6  # of letters with accents and of signs
FOREIGN = 50.0  # of a letter that stands there by its number
BOLD = 1.16


@cache
def width_of(text: str, *, bold: bool = False) -> float:
    """Of one line."""
    whole = sum(WIDTHS.get(mark, OTHER if ord(mark) < 0x2E80 else FOREIGN) for mark in text)
    return whole * BOLD if bold else whole


def wrapped(text: str, width: float) -> list[str]:
    """The words in lines of at most that width, where words are not wider by themselves."""
    lines: list[str] = []
    for word in text.split():
        if lines and width_of(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [""]


def lines_of(text: str, width: float) -> int:
    """How many lines a text takes in a column of that width."""
    return sum(max(1, -int(-width_of(line) // width)) for line in wrapped(text, width))


@dataclass(frozen=True)
class Size:
    """A size of letters: how wide they are beside those of 10 points (small ones are wider than they should be), and
    what stands beneath a number."""

    name: str
    scale: float
    small: str = "scriptsize"
    small_scale: float = 0.86


COLUMN, PAGE, HEIGHT = 208.0, 436.0, 560.0
GAP = 8.0  # between two columns of a table
SIZES = (Size("small", 1.0), Size("footnotesize", 0.93), Size("scriptsize", 0.86, "tiny", 0.7))
UNBROKEN, LONG = 260.0, 150.0  # a text that is wider stands in lines, in any table and in one that lacks room
LEAST = 70.0  # of a column of such texts
SPLIT = SIZES[1]
PLACES = (
    (COLUMN, "table", SIZES[0]), (COLUMN, "table", SIZES[1]), (PAGE, "table*", SIZES[0]), (PAGE, "table*", SIZES[1]),
    (PAGE, "table*", SIZES[2]),
)  # fmt: skip
INTERVAL = "95% interval"


@dataclass(frozen=True)
class Column:
    """A column as it is set: its head in lines, its cells, and its width at 10 points; of texts in lines `share` is
    its part of the table's width."""

    head: Sequence[str]
    cells: Sequence[Cell]
    numbers: bool
    long: bool
    natural: float
    share: float = 0.0


@dataclass(frozen=True)
class Part:
    """What one float holds: some columns, and of them the rows from `start` to before `end`."""

    columns: Sequence[Column]
    start: int
    end: int
    environment: str
    size: Size


def parts_of(table: Table) -> list[Part]:
    """The floats of a table: one, where it fits into a column or over both; else as few as can be."""
    folded, layouts = _folded(table), []
    for (width, environment, size), most in product(PLACES, (UNBROKEN, LONG)):
        columns = [_column(*column_parts, size, most) for column_parts in folded]
        if (fitted := _fitted(columns, width / size.scale)) is not None:
            layouts.append(_by_rows(fitted, environment, size, width, _below(table, width)))
    if layouts:
        return min(layouts, key=len)
    columns, wide = [_column(*column_parts, SPLIT, LONG) for column_parts in folded], PAGE / SPLIT.scale
    groups = [_fitted(column_parts, wide) or column_parts for column_parts in _by_columns(columns, wide)]
    return [
        part for column_parts in groups for part in _by_rows(column_parts, "table*", SPLIT, PAGE, _below(table, PAGE))
    ]


def smalls(cell: Cell) -> list[str]:
    """What stands beneath a number, a line each: '3.77 to 4.01', 'n = 8'."""
    return cell.small.split(", ") if cell.small else []


def _folded(table: Table) -> list[tuple[str, Sequence[Cell], bool]]:
    """Head, cells and kind of each column; an interval stands under the number that it is of."""
    folded: list[tuple[str, Sequence[Cell], bool]] = []
    cells_of = zip(*table.rows, strict=True) if table.rows else [()] * len(table.head)
    columns = zip(table.head, cells_of, of_numbers(table), strict=True)
    for head, cells, numbers in columns:
        if head == INTERVAL and folded and folded[-1][2]:
            before, owners, _ = folded.pop()
            under = [_with_interval(*pair) for pair in zip(owners, cells, strict=True)]
            folded.append((before, under, True))
        else:
            folded.append((head, cells, numbers))
    return folded


def _with_interval(owner: Cell, interval: Cell) -> Cell:
    if not interval.parts or all(value is None for value in interval.parts.values()):
        return owner
    small = ", ".join(text for text in (interval.text, owner.small) if text)
    return Cell(owner.text, owner.value, owner.best, small, owner.why, stars=owner.stars)


def _column(head: str, cells: Sequence[Cell], numbers: bool, size: Size, most: float) -> Column:
    widest = max((_natural(cell, size) for cell in cells), default=0.0)
    if not numbers and widest > most:
        return Column([head], cells, False, True, LEAST)
    longest = max((width_of(word, bold=False) for word in head.split()), default=0.0)
    lines = wrapped(head, max(widest, longest, 40.0))
    return Column(lines, cells, numbers, False, max(widest, *(width_of(line) for line in lines)))


def _natural(cell: Cell, size: Size) -> float:
    """Stars hang over; what is small stands below."""
    beneath = max((width_of(_with_minus(line)) for line in smalls(cell)), default=0.0) * size.small_scale / size.scale
    return max(width_of(cell.text if cell.value is None else _with_minus(cell.text), bold=cell.best), beneath)


def _with_minus(text: str) -> str:
    """A minus is as wide as a plus."""
    return text.replace("-", "+")


def _below(table: Table, width: float) -> float:
    """The height of the notes."""
    return 11.5 * sum(lines_of(note, width) for note in table.notes)


def _fitted(columns: Sequence[Column], width: float) -> list[Column] | None:
    """The columns with shares for those of long texts; None where they are too wide together."""
    free = width - GAP * (len(columns) - 1) - sum(column.natural for column in columns if not column.long)
    texts = [column for column in columns if column.long]
    if free < sum(_wanted(column) for column in texts):
        return None
    weights = {id(column): max(_weight(column), 1.0) ** 0.5 for column in texts}
    spare = free - sum(_wanted(column) for column in texts)
    shares = {column_id: spare * weight / sum(weights.values()) for column_id, weight in weights.items()}
    return [
        replace(column, share=(_wanted(column) + shares[id(column)]) / width) if column.long else column
        for column in columns
    ]


def _weight(column: Column) -> float:
    return sum(width_of(cell.text) for cell in column.cells) / max(1, len(column.cells))


def _wanted(column: Column) -> float:
    """The least width of a column of long texts: more for longer ones, so that no column runs down the page."""
    return min(200.0, max(LEAST, _weight(column) / 12))


def _by_columns(columns: Sequence[Column], width: float) -> list[list[Column]]:
    """Groups that fit, each with the first column, which names the rows."""
    first, *others = columns
    groups, now = [], [first]
    for column in others:
        if len(now) > 1 and _fitted([*now, column], width) is None:
            groups.append(now)
            now = [first]
        now.append(column)
    return [*groups, now]


def _by_rows(columns: Sequence[Column], environment: str, size: Size, width: float, below: float) -> list[Part]:
    """Parts that are no higher than a page, with the caption above and the notes below."""
    parts, start, height = [], 0, 0.0
    rows, most = len(columns[0].cells) if columns else 0, max(HEIGHT / 3, HEIGHT - below)
    for row in range(rows):
        own = 2.0 + 12.2 * size.scale * _lines(columns, row, width / size.scale)
        if row > start and height + own > most:
            parts.append(Part(columns, start, row, environment, size))
            start, height = row, 0.0
        height += own
    return [*parts, Part(columns, start, rows, environment, size)]


def _lines(columns: Sequence[Column], row: int, width: float) -> float:
    texts = [
        lines_of(f"{column.cells[row].text} {column.cells[row].small}", column.share * width)
        for column in columns
        if column.long
    ]
    return max([1.0 + under(columns, row), *texts])


def under(columns: Sequence[Column], row: int) -> int:
    """How many lines stand beneath the numbers of a row."""
    return max((len(smalls(column.cells[row])) for column in columns if not column.long), default=0)
