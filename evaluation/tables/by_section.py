"""Human and metric scores by the section that the source stood in."""

from evaluation.charts.scores_by_group import ALL, scores_by_group
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.contents import Figure, MissingContent
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.unit_groups import Measure, measures_of, sections_of
from evaluation.tables._base import TableOrFigure

TITLE = "Scores by section"
NO_SECTION = (
    "No source comes from a document with sections: import such documents, and take sources from them on the page "
    "Select sources."
)


def make(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A line a system, over the sections that most sources stood in."""
    return figure(snapshot, TITLE, measures_of(snapshot))


def figure(snapshot: StudySnapshot, title: str, measures: list[Measure]) -> Figure | MissingContent:
    """The same of some measures."""
    if not any(snapshot.units.sections):
        return missing_content(title, NO_SECTION)
    return scores_by_group(
        snapshot, title, "Section", lambda used: sections_of(snapshot, used), measures,
        roles=ALL, one_group="All scored sources stood in the same section, so that there is one group.",
    )  # fmt: skip


TABLE = TableOrFigure(title=TITLE, make=make, kind="study", order=23)
