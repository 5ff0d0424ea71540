"""BLEU and style accuracy by number of concepts (Cao et al. 2020, Figure 4a)."""

from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.contents import Figure, MissingContent
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.style_curves import curves
from evaluation.tables import by_concepts
from evaluation.tables._base import TableOrFigure
from foundation.papers import MSD

TITLE = "BLEU and style accuracy by number of concepts"


def make(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A line a system."""
    measures, missing = curves(snapshot)
    return by_concepts.figure(snapshot, TITLE, measures) if measures else missing_content(TITLE, *missing)


TABLE = TableOrFigure(title=TITLE, make=make, paper=MSD, number="Figure 4a", order=209)
