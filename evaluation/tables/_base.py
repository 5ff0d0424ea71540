"""What a table is, before it is written as a page, CSV, Markdown or LaTeX."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Report = dict[str, Any]


@dataclass(frozen=True)
class Cell:
    """A cell: its words, the number behind them, and whether it is the best of its column.

    `note` is what stands behind the number (an interval, n, a signature, why there is none).
    """

    text: str
    value: float | None = None
    best: bool = False
    note: str = ""


@dataclass(frozen=True)
class Table:
    """Rows of cells under a head; the first column names the row."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[str] = field(default_factory=tuple)


@dataclass(frozen=True)
class TableMaker:
    """An entry of this folder: `make(report) -> Table`."""

    title: str
    make: Callable[[Report], Table]


def number(value: float | None, digits: int = 2, why: str = "", note: str = "") -> Cell:
    """A number as it is shown; a dash, with the reason behind it, where there is none."""
    if value is None:
        return Cell("–", None, note=why)
    return Cell(f"{value:.{digits}f}", value, note=note)


def mark_best(column: Iterable[Cell], higher_is_better: bool | None) -> list[Cell]:
    """The cells of a column, its best ones marked; none where neither end is the better one."""
    cells = list(column)
    values = [cell.value for cell in cells if cell.value is not None]
    if higher_is_better is None or len(values) < 2:
        return cells
    best = max(values) if higher_is_better else min(values)
    return [replace(cell, best=cell.value == best) for cell in cells]
