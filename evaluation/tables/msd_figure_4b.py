"""BLEU and style accuracy by edit distance (Cao et al. 2020, Figure 4b)."""

from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.contents import Figure, MissingContent
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.style_curves import curves
from evaluation.tables import by_apart
from evaluation.tables._base import TableOrFigure
from foundation.papers import MSD

TITLE = "BLEU and style accuracy by edit distance"


def make(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A line a system."""
    measures, missing = curves(snapshot)
    return by_apart.figure(snapshot, TITLE, measures) if measures else missing_content(TITLE, *missing)


TABLE = TableOrFigure(title=TITLE, make=make, paper=MSD, number="Figure 4b", order=210)
