"""Human and metric scores by the section that the source stood in."""

from evaluation.tables._base import Exhibit, Figure, Lacking
from evaluation.tables._grouped import ALL, Measure, grouped, measures_of, sections_of
from evaluation.tables._parts import lacking
from evaluation.tables._record import Record

TITLE = "Scores by section"
NO_SECTION = (
    "No source comes from a document with sections: import such documents, and take sources from them on the page "
    "Select sources."
)


def make(record: Record) -> Figure | Lacking:
    """A line a system, over the sections that most sources stood in."""
    return made(record, TITLE, measures_of(record))


def made(record: Record, title: str, measures: list[Measure]) -> Figure | Lacking:
    """The same of some measures."""
    if not any(record.units.sections):
        return lacking(title, NO_SECTION)
    return grouped(
        record, title, "Section", lambda used: sections_of(record, used), measures,
        roles=ALL, one_group="All scored sources stood in the same section, so that there is one group.",
    )  # fmt: skip


TABLE = Exhibit(title=TITLE, make=make, kind="study", order=23)
