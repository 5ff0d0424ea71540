"""Systems by SARI in each direction (Cao et al. 2020, Table 5)."""

from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.aspects import metric_of, places_of
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content, no_metric
from evaluation.table_parts.paper_scales import HUNDREDTH, scale_notes
from evaluation.table_parts.signatures import signature_notes
from evaluation.table_parts.subsets import directions
from evaluation.table_parts.system_columns import metric_column
from evaluation.table_parts.system_tables import star_note, table_of
from evaluation.tables._base import TableOrFigure
from foundation.papers import MSD

TITLE = "Systems by SARI"
NO_SCORE = "No system has a SARI: it takes outputs and references, from the page Bring in a table."


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A column a direction, from 0 to 1 as in the paper."""
    name = metric_of(snapshot, "sari")
    if name is None:
        return missing_content(TITLE, no_metric("sari"))
    columns = [metric_column(snapshot, name, part, f"SARI, {part.label}", HUNDREDTH) for part in directions(snapshot)]
    places = [
        place for place in places_of(snapshot, "system") if any(of.cells[place].value is not None for of in columns)
    ]
    if not places:
        return missing_content(TITLE, NO_SCORE)
    notes = [
        *scale_notes({name: HUNDREDTH}, [(name, "SARI")]),
        *star_note(snapshot),
        *signature_notes(snapshot, [name]),
    ]
    return table_of(snapshot, TITLE, places, columns, notes)


TABLE = TableOrFigure(title=TITLE, make=make, paper=MSD, number="Table 5", order=205)
