"""Human and metric scores by the edit distance between source and first reference, concepts masked."""

from dataclasses import replace

import numpy as np

from evaluation.charts.scores_by_group import ALL, scores_by_group
from evaluation.corpus_statistics.edit_distances import NO_REFERENCE, apart_of
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.contents import Figure, MissingContent
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.unit_groups import Measure, bins_of, measures_of
from evaluation.tables._base import TableOrFigure

TITLE = "Scores by edit distance"


def make(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A line a system, over groups of similar size."""
    return figure(snapshot, TITLE, measures_of(snapshot))


def figure(snapshot: StudySnapshot, title: str, measures: list[Measure]) -> Figure | MissingContent:
    """The same of some measures."""
    apart, how = apart_of(snapshot)
    if not np.isfinite(apart).any():
        return missing_content(title, NO_REFERENCE)
    chart = scores_by_group(
        snapshot, title, "Edits from source to reference", lambda used: bins_of(apart, used), measures,
        roles=ALL, one_group="All scored sources are as far from their references, so that there is one group.",
    )  # fmt: skip
    return replace(chart, notes=[*chart.notes, how]) if isinstance(chart, Figure) else chart


TABLE = TableOrFigure(title=TITLE, make=make, kind="study", order=22)
