"""A row of a table as a tool format gives it, and the judgements in it, still in the table's own words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

Cells = Mapping[str, str]


class RawJudgement(NamedTuple):
    """One value that one person gave one text on one criterion; `number` and `system` may stand for the texts."""

    line: int
    rater: str
    source: str
    number: str
    direction: str
    output: str
    system: str
    criterion: str
    value: str
    scale: str
    seconds: float | None


class UnfoldedRow(NamedTuple):
    """A row as a tool format gives it: `ratings` are (criterion, place or 0, value) that it found by itself.

    `notes` name what the tool asked that holds no judgement: spans, orders, boxes.
    """

    cells: Cells
    rater: str = ""
    seconds: str = ""
    ratings: Sequence[tuple[str, int, str]] = ()
    left_out: str = ""
    notes: Sequence[str] = ()


def unchanged(cells: Cells) -> Iterator[UnfoldedRow]:
    yield UnfoldedRow(cells)
