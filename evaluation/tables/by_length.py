"""Human and metric scores by the length of the source in words."""

from evaluation.charts.scores_by_group import ALL, scores_by_group
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.contents import Figure, MissingContent
from evaluation.table_parts.unit_groups import bins_of, measures_of
from evaluation.tables._base import TableOrFigure

TITLE = "Scores by length of the source"


def make(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A line a system, over groups of similar size."""
    return scores_by_group(
        snapshot, TITLE, "Words of the source", lambda used: bins_of(snapshot.units.words, used), measures_of(snapshot),
        roles=ALL, one_group="All sources have the same number of words, so that there is one group.",
    )  # fmt: skip


TABLE = TableOrFigure(title=TITLE, make=make, kind="study", order=20)
