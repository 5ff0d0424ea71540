"""The sentences of a corpus by topic (Cao et al. 2020, Figure 2)."""

from evaluation.tables._base import Exhibit, Figure, Lacking
from evaluation.tables._counted import bars_by_name
from evaluation.tables._parts import lacking
from evaluation.tables._record import Record
from foundation.papers import MSD

TITLE = "Sentences by topic"
NO_TOPIC = "No document of the study has a topic: import some that have one on the page Bring in a table."


def make(record: Record) -> Figure | Lacking:
    """Of the study's documents, in each style."""
    if not record.counts.topics:
        return lacking(TITLE, NO_TOPIC)
    return bars_by_name(TITLE, "Topic", record.counts.topics, record.styles)


TABLE = Exhibit(title=TITLE, make=make, paper=MSD, number="Figure 2", order=207, of_corpus=True)
