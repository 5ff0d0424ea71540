"""Human and metric scores by the length of the source in words."""

from evaluation.tables._base import Exhibit, Figure, Lacking
from evaluation.tables._grouped import ALL, bins_of, grouped, measures_of
from evaluation.tables._record import Record

TITLE = "Scores by length of the source"


def make(record: Record) -> Figure | Lacking:
    """A line a system, over groups of similar size."""
    return grouped(
        record, TITLE, "Words of the source", lambda used: bins_of(record.units.words, used), measures_of(record),
        roles=ALL, one_group="All sources have the same number of words, so that there is one group.",
    )  # fmt: skip


TABLE = Exhibit(title=TITLE, make=make, kind="study", order=20)
