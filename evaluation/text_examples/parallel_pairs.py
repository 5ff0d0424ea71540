"""Sources beside their rewrites, a column a style: parallel sentences as a paper shows them."""

from collections.abc import Callable, Sequence

from evaluation.snapshot.study import StudySnapshot
from evaluation.table_parts.cells import DASH, Cell
from evaluation.table_parts.contents import Table
from evaluation.text_examples.highlighting import HighlightedText

Texts = Callable[[int], tuple[HighlightedText, HighlightedText]]
"""A unit's source and its first reference."""


def pairs_table(
    snapshot: StudySnapshot,
    title: str,
    chosen: Sequence[int],
    texts: Texts,
    named: Callable[[int], str],
    notes: Sequence[str],
) -> Table:
    """A row a pair, named by what it is from; whichever way it was rewritten, its texts stand under their styles."""
    ways = [snapshot.units.directions[int(snapshot.units.direction[unit])] for unit in chosen]
    styles = list(dict.fromkeys(style for way in ways for style in way))
    rows = []
    for unit, way in zip(chosen, ways, strict=True):
        by_style = dict(zip(way, texts(unit), strict=True))
        rows.append([Cell(named(unit)), *(_cell(by_style.get(style)) for style in styles)])
    head = ["From", *(style.capitalize() for style in styles)]
    return Table(title, head, rows, notes, [None] * len(head))


def cell_of(marked: HighlightedText, small: str = "") -> Cell:
    """The text with its marks, as a cell."""
    return Cell(marked.text, marks=tuple(marked.marks), small=small)


def _cell(marked: HighlightedText | None) -> Cell:
    return Cell(DASH, why="It is of other styles.") if marked is None else cell_of(marked)
