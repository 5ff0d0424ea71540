"""BLEU, HIT, CWR and AScore over five groups of sources by length (Luo et al. 2022, Figure 4)."""

from evaluation.metrics import METRICS
from evaluation.tables._base import Exhibit, Figure, Lacking
from evaluation.tables._families import not_chosen
from evaluation.tables._grouped import Measure, bins_of, grouped
from evaluation.tables._parts import lacking
from evaluation.tables._record import Record
from foundation.papers import MEDLANE

TITLE = "Sentence length and performance"
GROUPS = 5
METRICS_SHOWN = ("bleu_mean", "hit", "cwr", "ascore")
ONE = "All sources have the same number of words, so that there is one group."


def make(record: Record) -> Figure | Lacking:
    """A panel a metric, a line a system, over groups of similar size by the source's words."""
    if reasons := not_chosen(record, *METRICS_SHOWN):
        return lacking(TITLE, *reasons)
    measures = [Measure(METRICS[name].label, metric=name) for name in METRICS_SHOWN]
    return grouped(
        record, TITLE, "Words of the source", lambda used: bins_of(record.units.words, used, GROUPS), measures,
        one_group=ONE,
    )  # fmt: skip


TABLE = Exhibit(title=TITLE, make=make, paper=MEDLANE, number="Figure 4", order=465)
