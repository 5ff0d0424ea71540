"""Human and metric scores by the number of concepts in the source."""

from evaluation.tables._base import Exhibit, Figure, Lacking
from evaluation.tables._grouped import ALL, Measure, bins_of, grouped, measures_of
from evaluation.tables._parts import lacking
from evaluation.tables._record import Record

TITLE = "Scores by number of concepts"
NO_CONCEPTS = "No concepts are linked in the sources: link them on the page Concepts."


def make(record: Record) -> Figure | Lacking:
    """A line a system, over groups of similar size."""
    return made(record, TITLE, measures_of(record))


def made(record: Record, title: str, measures: list[Measure]) -> Figure | Lacking:
    """The same of some measures."""
    if not (record.units.concepts >= 0).any():
        return lacking(title, NO_CONCEPTS)
    return grouped(
        record, title, "Concepts in the source", lambda used: bins_of(record.units.concepts, used), measures,
        roles=ALL, one_group="All scored sources have the same number of concepts, so that there is one group.",
    )  # fmt: skip


TABLE = Exhibit(title=TITLE, make=make, kind="study", order=21)
