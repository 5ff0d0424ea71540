"""The curves of MSD's Figure 4: BLEU and style accuracy."""

from evaluation.metrics import METRICS
from evaluation.tables._grouped import Measure
from evaluation.tables._parts import metric_of, no_metric
from evaluation.tables._record import Record

CURVES = (("bleu",), ("style_accuracy", "transfer_strength"))


def curves(record: Record) -> tuple[list[Measure], list[str]]:
    """Those of the two that were chosen; and if none is, why not."""
    names = [metric_of(record, *curve) for curve in CURVES]
    found = [Measure(METRICS[name].label, metric=name) for name in names if name]
    return found, [] if found else [no_metric(*curve) for curve in CURVES]
