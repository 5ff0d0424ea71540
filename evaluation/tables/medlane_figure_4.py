"""BLEU, HIT, CWR and AScore over five groups of sources by length (Luo et al. 2022, Figure 4)."""

from evaluation.charts.scores_by_group import scores_by_group
from evaluation.metrics import METRICS
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.contents import Figure, MissingContent
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.model_rows import not_chosen
from evaluation.table_parts.unit_groups import Measure, bins_of
from evaluation.tables._base import TableOrFigure
from foundation.papers import MEDLANE

TITLE = "Sentence length and performance"
GROUPS = 5
METRICS_SHOWN = ("bleu_mean", "hit", "cwr", "ascore")
ONE = "All sources have the same number of words, so that there is one group."


def make(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A panel a metric, a line a system, over groups of similar size by the source's words."""
    if reasons := not_chosen(snapshot, *METRICS_SHOWN):
        return missing_content(TITLE, *reasons)
    measures = [Measure(METRICS[name].label, metric=name) for name in METRICS_SHOWN]
    return scores_by_group(
        snapshot, TITLE, "Words of the source", lambda used: bins_of(snapshot.units.words, used, GROUPS), measures,
        one_group=ONE,
    )  # fmt: skip


TABLE = TableOrFigure(title=TITLE, make=make, paper=MEDLANE, number="Figure 4", order=465)
