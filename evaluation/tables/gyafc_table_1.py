"""Sentences with their rewrites (Rao and Tetreault 2018, Table 1)."""

from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.subsets import direction_name
from evaluation.tables._base import TableOrFigure
from evaluation.tables.plaba_table_2 import NO_REFERENCES
from evaluation.text_examples import HighlightedText, drawn, pairs_table
from foundation.papers import GYAFC

TITLE = "Sentences with their rewrites"
MOST = 4
NOTE = "Drawn at random, the same with every report, from those that have a reference; of several the first is shown."


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """Some pairs of each direction, each text under its style."""
    units = snapshot.units
    usable = [unit for unit in range(len(units.ids)) if units.references[unit] and units.home[unit] == unit]
    if not usable:
        return missing_content(TITLE, NO_REFERENCES)
    ways = list(dict.fromkeys(int(units.direction[unit]) for unit in usable))
    each = max(1, MOST // len(ways))
    chosen = [
        unit
        for way in ways
        for unit in drawn(
            snapshot, "pairs", [usable_unit for usable_unit in usable if units.direction[usable_unit] == way], each
        )
    ]

    def texts(unit: int) -> tuple[HighlightedText, HighlightedText]:
        return HighlightedText(units.sources[unit], []), HighlightedText(units.references[unit][0], [])

    return pairs_table(snapshot, TITLE, chosen, texts, lambda unit: _named(snapshot, unit, len(ways) > 1), [NOTE])


def _named(snapshot: StudySnapshot, unit: int, several: bool) -> str:
    """'Sentence 17, Music', with the direction where there are several."""
    way = direction_name(snapshot, int(snapshot.units.direction[unit])) if several else ""
    first = f"{snapshot.unit.capitalize()} {unit + 1}"
    return ", ".join(part for part in (first, way, snapshot.units.domains[unit]) if part)


TABLE = TableOrFigure(title=TITLE, make=make, paper=GYAFC, number="Table 1", order=101)
