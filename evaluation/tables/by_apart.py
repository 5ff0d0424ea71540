"""Human and metric scores by the edit distance between source and first reference, concepts masked."""

from dataclasses import replace

import numpy as np

from evaluation.tables._apart import NO_REFERENCE, apart_of
from evaluation.tables._base import Exhibit, Figure, Lacking
from evaluation.tables._grouped import ALL, Measure, bins_of, grouped, measures_of
from evaluation.tables._parts import lacking
from evaluation.tables._record import Record

TITLE = "Scores by edit distance"


def make(record: Record) -> Figure | Lacking:
    """A line a system, over groups of similar size."""
    return made(record, TITLE, measures_of(record))


def made(record: Record, title: str, measures: list[Measure]) -> Figure | Lacking:
    """The same of some measures."""
    apart, how = apart_of(record)
    if not np.isfinite(apart).any():
        return lacking(title, NO_REFERENCE)
    found = grouped(
        record, title, "Edits from source to reference", lambda used: bins_of(apart, used), measures,
        roles=ALL, one_group="All scored sources are as far from their references, so that there is one group.",
    )  # fmt: skip
    return replace(found, notes=[*found.notes, how]) if isinstance(found, Figure) else found


TABLE = Exhibit(title=TITLE, make=make, kind="study", order=22)
