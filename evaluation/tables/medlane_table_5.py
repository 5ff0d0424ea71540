"""A hard sentence, with which no system does well (Luo et al. 2022, Table 5)."""

from evaluation.passages.cases import NO_SCORES, case_table
from evaluation.passages.telling import Telling, hardest
from evaluation.tables._base import Exhibit, Lacking, Table
from evaluation.tables._parts import lacking
from evaluation.tables._record import Record
from foundation.papers import MEDLANE

TITLE = "A hard example"
NONE_IN_COMMON = "No text is scored for all systems."


def make(record: Record) -> Table | Lacking:
    """The unit whose best score is the lowest of all."""
    telling = Telling.of(record)
    if telling is None:
        return lacking(TITLE, NO_SCORES)
    unit = hardest(telling)
    if unit is None:
        return lacking(TITLE, NONE_IN_COMMON)
    note = f"Of all that every system has, the {record.unit} of which the best system's score is the lowest."
    return case_table(record, TITLE, unit, telling, [note])


TABLE = Exhibit(title=TITLE, make=make, paper=MEDLANE, number="Table 5", order=450)
