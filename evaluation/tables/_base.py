"""What a table is, before it is written as a page, CSV, Markdown or LaTeX."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Report = dict[str, Any]
DASH = "–"


@dataclass(frozen=True)
class Cell:
    """A cell: its words, the number behind them, and whether it is the best of its column.

    `small` stands under the number (an interval, n). `why` says why there is none. `parts` are numbers that come with
    it, by name; a file gives each a column of its own.
    """

    text: str
    value: float | None = None
    best: bool = False
    small: str = ""
    why: str = ""
    parts: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Table:
    """Rows of cells under a head; the first column names the row.

    `better` says of each column which end is the better one: True the higher, False the lower, None neither.
    """

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[str] = field(default_factory=tuple)
    better: Sequence[bool | None] = field(default_factory=tuple)


@dataclass(frozen=True)
class TableMaker:
    """An entry of this folder: `make(report) -> Table`."""

    title: str
    make: Callable[[Report], Table]


def number(value: float | None, digits: int = 2, why: str = "", **more: Any) -> Cell:
    """A number as it is shown; a dash, with the reason behind it, where there is none."""
    if value is None:
        return Cell(DASH, None, why=why, **more)
    return Cell(f"{value:.{digits}f}", value, **more)


def interval_text(low: float | None, high: float | None, digits: int) -> str:
    """'3.77 to 4.01', or nothing where there is no interval."""
    return "" if low is None or high is None else f"{low:.{digits}f} to {high:.{digits}f}"


def p_text(p: float | None) -> str:
    """'p = 0.012', 'p < 0.001', or nothing."""
    if p is None:
        return ""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def joined(*parts: str) -> str:
    """The parts that are there, with commas."""
    return ", ".join(part for part in parts if part)


def mark_best(column: Iterable[Cell], higher_is_better: bool | None) -> list[Cell]:
    """The cells of a column, its best ones marked; none where neither end is the better one."""
    cells = list(column)
    values = [cell.value for cell in cells if cell.value is not None]
    if higher_is_better is None or len(values) < 2:
        return cells
    best = max(values) if higher_is_better else min(values)
    return [replace(cell, best=cell.value == best) for cell in cells]
