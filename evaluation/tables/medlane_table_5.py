"""A hard sentence, with which no system does well (Luo et al. 2022, Table 5)."""

from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.tables._base import TableOrFigure
from evaluation.text_examples import NO_SCORES, SelectionMetric, case_table, hardest
from foundation.papers import MEDLANE

TITLE = "A hard example"
NONE_IN_COMMON = "No text is scored for all systems."


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """The unit whose best score is the lowest of all."""
    telling = SelectionMetric.of(snapshot)
    if telling is None:
        return missing_content(TITLE, NO_SCORES)
    unit = hardest(telling)
    if unit is None:
        return missing_content(TITLE, NONE_IN_COMMON)
    note = f"Of all that every system has, the {snapshot.unit} of which the best system's score is the lowest."
    return case_table(snapshot, TITLE, unit, telling, [note])


TABLE = TableOrFigure(title=TITLE, make=make, paper=MEDLANE, number="Table 5", order=450)
