"""A sentence in which the best system is ahead of the others (Luo et al. 2022, Table 4)."""

from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.tables._base import TableOrFigure
from evaluation.text_examples import NO_SCORES, SelectionMetric, case_table, leads
from foundation.papers import MEDLANE

TITLE = "An example in which the best system wins"
BEHIND = "The best system is ahead of all others in no single text."


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """The best system by the whole, in the unit in which its own score is ahead of all others' by most."""
    telling = SelectionMetric.of(snapshot)
    if telling is None:
        return missing_content(TITLE, NO_SCORES)
    lead = leads(snapshot, telling)
    if lead is None:
        return missing_content(TITLE, BEHIND)
    first, unit = lead
    name = snapshot.systems[first].name
    note = f"{name} has the best {telling.label} of all; in this {snapshot.unit} it is ahead of the others by most."
    return case_table(snapshot, TITLE, unit, telling, [note], first)


TABLE = TableOrFigure(title=TITLE, make=make, paper=MEDLANE, number="Table 4", order=440)
