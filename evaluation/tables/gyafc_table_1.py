"""Sentences with their rewrites (Rao and Tetreault 2018, Table 1)."""

from evaluation.passages.drawing import drawn
from evaluation.passages.marking import Marked
from evaluation.passages.pairs import pairs_table
from evaluation.tables._base import Exhibit, Lacking, Table
from evaluation.tables._parts import direction_name, lacking
from evaluation.tables._record import Record
from evaluation.tables.plaba_table_2 import NO_REFERENCES
from foundation.papers import GYAFC

TITLE = "Sentences with their rewrites"
MOST = 4
NOTE = "Drawn at random, the same with every report, from those that have a reference; of several the first is shown."


def make(record: Record) -> Table | Lacking:
    """Some pairs of each direction, each text under its style."""
    units = record.units
    there = [one for one in range(len(units.ids)) if units.references[one] and units.home[one] == one]
    if not there:
        return lacking(TITLE, NO_REFERENCES)
    ways = list(dict.fromkeys(int(units.direction[one]) for one in there))
    each = max(1, MOST // len(ways))
    chosen = [
        one for way in ways for one in drawn(record, "pairs", [at for at in there if units.direction[at] == way], each)
    ]

    def texts(one: int) -> tuple[Marked, Marked]:
        return Marked(units.sources[one], []), Marked(units.references[one][0], [])

    return pairs_table(record, TITLE, chosen, texts, lambda one: _named(record, one, len(ways) > 1), [NOTE])


def _named(record: Record, one: int, several: bool) -> str:
    """'Sentence 17, Music', with the direction where there are several."""
    way = direction_name(record, int(record.units.direction[one])) if several else ""
    first = f"{record.unit.capitalize()} {one + 1}"
    return ", ".join(part for part in (first, way, record.units.domains[one]) if part)


TABLE = Exhibit(title=TITLE, make=make, paper=GYAFC, number="Table 1", order=101)
