"""Human and metric scores by the number of concepts in the source."""

from evaluation.charts.scores_by_group import ALL, scores_by_group
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.contents import Figure, MissingContent
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.unit_groups import Measure, bins_of, measures_of
from evaluation.tables._base import TableOrFigure

TITLE = "Scores by number of concepts"
NO_CONCEPTS = "No concepts are linked in the sources: link them on the page Concepts."


def make(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A line a system, over groups of similar size."""
    return figure(snapshot, TITLE, measures_of(snapshot))


def figure(snapshot: StudySnapshot, title: str, measures: list[Measure]) -> Figure | MissingContent:
    """The same of some measures."""
    if not (snapshot.units.concepts >= 0).any():
        return missing_content(title, NO_CONCEPTS)
    return scores_by_group(
        snapshot, title, "Concepts in the source", lambda used: bins_of(snapshot.units.concepts, used), measures,
        roles=ALL, one_group="All scored sources have the same number of concepts, so that there is one group.",
    )  # fmt: skip


TABLE = TableOrFigure(title=TITLE, make=make, kind="study", order=21)
