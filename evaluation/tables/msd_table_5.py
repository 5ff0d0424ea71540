"""Systems by SARI in each direction (Cao et al. 2020, Table 5)."""

from evaluation.tables._base import Exhibit, Lacking, Table
from evaluation.tables._columns import metric, star_note, table_of
from evaluation.tables._parts import directions, lacking, metric_of, no_metric, places_of
from evaluation.tables._record import Record
from foundation.papers import MSD

TITLE = "Systems by SARI"
NO_SCORE = "No system has a SARI: it takes outputs and references, from the page Bring in a table."


def make(record: Record) -> Table | Lacking:
    """A column a direction; on our scale from 0 to 100, the paper's from 0 to 1."""
    name = metric_of(record, "sari")
    if name is None:
        return lacking(TITLE, no_metric("sari"))
    columns = [metric(record, name, part, f"SARI, {part.label}") for part in directions(record)]
    places = [one for one in places_of(record, "system") if any(of.cells[one].value is not None for of in columns)]
    if not places:
        return lacking(TITLE, NO_SCORE)
    notes = ["On a scale from 0 to 100; the paper's is from 0 to 1.", *star_note(record)]
    return table_of(record, TITLE, places, columns, notes)


TABLE = Exhibit(title=TITLE, make=make, paper=MSD, number="Table 5", order=205)
