"""Style and meaning by the length of the source, as people judge them (Rao and Tetreault 2018, Figure 3)."""

from evaluation.tables._base import Exhibit, Figure, Lacking
from evaluation.tables._grouped import ALL, Measure, bins_of, grouped
from evaluation.tables._parts import criteria_of, lacking, no_criterion
from evaluation.tables._record import Record
from foundation.papers import GYAFC

TITLE = "Style and meaning by length of the source"
MANY = 10  # the paper's are two words wide, from 5 to 24; groups of similar size have intervals of similar width
ASPECTS = {"style": "formality_7", "meaning": "meaning_6"}


def make(record: Record) -> Figure | Lacking:
    """A line for the source, the reference and each system, over groups of similar size."""
    found = {aspect: criteria_of(record, aspect, scale) for aspect, scale in ASPECTS.items()}
    if missing := [no_criterion(aspect, ASPECTS[aspect]) for aspect, of in found.items() if not of]:
        return lacking(TITLE, *missing)
    measures = [Measure(one.label, judged=one, direction=one.direction) for of in found.values() for one in of]
    return grouped(
        record, TITLE, "Words of the source", lambda used: bins_of(record.units.words, used, MANY), measures,
        roles=ALL, one_group="All judged sources have the same number of words, so that there is one group.",
    )  # fmt: skip


TABLE = Exhibit(title=TITLE, make=make, paper=GYAFC, number="Figure 3", order=109)
