"""The test sentences by the element of their section, such as symptoms (Cao et al. 2020, Figure 3)."""

from collections import Counter

from evaluation.charts.name_bars import bars_by_name
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.contents import Figure, MissingContent
from evaluation.table_parts.missing import missing_content
from evaluation.tables._base import TableOrFigure
from foundation.papers import MSD

TITLE = "Sentences by section"
NO_SECTION = "No document of the study has sections: import some that have them on the page Bring in a table."


def make(snapshot: StudySnapshot) -> Figure | MissingContent:
    """The test's sources by section; where none has one, the sentences of the study's documents."""
    if sections := _tested(snapshot):
        return bars_by_name(TITLE, "Section", sections, snapshot.styles, ["The sources of the test."])
    if not snapshot.counts.sections:
        return missing_content(TITLE, NO_SECTION)
    notes = ["The sentences of all documents: no source of the test comes from a section."]
    return bars_by_name(TITLE, "Section", snapshot.counts.sections, snapshot.styles, notes)


def _tested(snapshot: StudySnapshot) -> Counter[tuple[str, str]]:
    units = snapshot.units
    rows = zip(units.direction.tolist(), units.splits, units.sections, strict=True)
    return Counter((units.directions[of][0], name) for of, split, name in rows if split == "test" and name)


TABLE = TableOrFigure(title=TITLE, make=make, paper=MSD, number="Figure 3", order=208)
