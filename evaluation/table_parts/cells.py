"""Cells of a table, and how numbers, intervals and p are written in them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

DASH = "–"


@dataclass(frozen=True)
class Cell:
    """A cell: its words, the number behind them, and whether it is the best of its column.

    `small` stands under the number (an interval, n). `why` says why there is none. `parts` are numbers that come with
    it, by name; a file gives each a column of its own. `stars` mark what differs from the baseline. `rows` asks for
    the rows behind the number: what `traced` returns. `marks` are parts of the words that a reader is to see first,
    each from and to in characters, in order.
    """

    text: str
    value: float | None = None
    best: bool = False
    small: str = ""
    why: str = ""
    parts: Mapping[str, float | None] = field(default_factory=dict)
    stars: str = ""
    rows: Mapping[str, str] = field(default_factory=dict)
    marks: Sequence[tuple[int, int]] = ()

    @property
    def pieces(self) -> list[tuple[str, bool]]:
        """The words in pieces, each with whether it is marked."""
        pieces, after = [], 0
        for start, end in self.marks:
            pieces += [(self.text[after:start], False), (self.text[start:end], True)]
            after = end
        return [piece for piece in [*pieces, (self.text[after:], False)] if piece[0]]


def traced(*, system: str = "", **more: str) -> dict[str, str]:
    """What the page of rows is asked for: a `metric` or a `criterion` (with its `variant`) of a system, and maybe a
    group of units: `by` (length, concepts, apart, section) from `low` to below `high`, or `section`. With `mean`
    "texts" a metric's number is the mean of its scores of texts, not that of the corpus."""
    return {key: value for key, value in {"system": system, **more}.items() if value}


def number(value: float | None, digits: int = 2, why: str = "", **more: Any) -> Cell:
    """A number as it is shown; a dash, with the reason behind it, where there is none."""
    if value is None:
        return Cell(DASH, None, why=why, **more)
    return Cell(f"{value:z.{digits}f}", value, **more)


def interval_text(low: float | None, high: float | None, digits: int) -> str:
    """'3.77 to 4.01', or nothing where there is no interval."""
    return "" if low is None or high is None else f"{low:z.{digits}f} to {high:z.{digits}f}"


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
