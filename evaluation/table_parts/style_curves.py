"""The curves of MSD's Figure 4: BLEU and style accuracy."""

from evaluation.metrics import METRICS
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.aspects import metric_of
from evaluation.table_parts.missing import no_metric
from evaluation.table_parts.unit_groups import Measure

CURVES = (("bleu",), ("style_accuracy", "transfer_strength"))


def curves(snapshot: StudySnapshot) -> tuple[list[Measure], list[str]]:
    """Those of the two that were chosen; and if none is, why not."""
    names = [metric_of(snapshot, *curve) for curve in CURVES]
    measures = [Measure(METRICS[name].label, metric=name) for name in names if name]
    return measures, [] if measures else [no_metric(*curve) for curve in CURVES]
