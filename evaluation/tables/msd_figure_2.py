"""The sentences of a corpus by topic (Cao et al. 2020, Figure 2)."""

from evaluation.charts.name_bars import bars_by_name
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.contents import Figure, MissingContent
from evaluation.table_parts.missing import missing_content
from evaluation.tables._base import TableOrFigure
from foundation.papers import MSD

TITLE = "Sentences by topic"
NO_TOPIC = "No document of the study has a topic: import some that have one on the page Bring in a table."


def make(snapshot: StudySnapshot) -> Figure | MissingContent:
    """Of the study's documents, in each style."""
    if not snapshot.counts.topics:
        return missing_content(TITLE, NO_TOPIC)
    return bars_by_name(TITLE, "Topic", snapshot.counts.topics, snapshot.styles)


TABLE = TableOrFigure(title=TITLE, make=make, paper=MSD, number="Figure 2", order=207, of_corpus=True)
