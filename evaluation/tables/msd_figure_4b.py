"""BLEU and style accuracy by edit distance (Cao et al. 2020, Figure 4b)."""

from evaluation.tables import by_apart
from evaluation.tables._base import Exhibit, Figure, Lacking
from evaluation.tables._curves import curves
from evaluation.tables._parts import lacking
from evaluation.tables._record import Record
from foundation.papers import MSD

TITLE = "BLEU and style accuracy by edit distance"


def make(record: Record) -> Figure | Lacking:
    """A line a system."""
    measures, missing = curves(record)
    return by_apart.made(record, TITLE, measures) if measures else lacking(TITLE, *missing)


TABLE = Exhibit(title=TITLE, make=make, paper=MSD, number="Figure 4b", order=210)
