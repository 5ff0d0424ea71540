"""A sentence in which the best system is ahead of the others (Luo et al. 2022, Table 4)."""

from evaluation.passages.cases import NO_SCORES, case_table
from evaluation.passages.telling import Telling, leads
from evaluation.tables._base import Exhibit, Lacking, Table
from evaluation.tables._parts import lacking
from evaluation.tables._record import Record
from foundation.papers import MEDLANE

TITLE = "An example in which the best system leads"
BEHIND = "The best system is ahead of all others in no single text."


def make(record: Record) -> Table | Lacking:
    """The best system by the whole, in the unit in which its own score is ahead of all others' by most."""
    telling = Telling.of(record)
    if telling is None:
        return lacking(TITLE, NO_SCORES)
    found = leads(record, telling)
    if found is None:
        return lacking(TITLE, BEHIND)
    first, unit = found
    name = record.systems[first].name
    note = f"{name} has the best {telling.label} of all; in this {record.unit} it is ahead of the others by most."
    return case_table(record, TITLE, unit, telling, [note], first)


TABLE = Exhibit(title=TITLE, make=make, paper=MEDLANE, number="Table 4", order=440)
