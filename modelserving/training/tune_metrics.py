"""What a tune set may be scored by while a network is trained. Without torch, as forms are made of it."""

from collections.abc import Mapping
from functools import cache

from evaluation.metrics import METRICS, Metric

LOSS = "perplexity"
"""That of the network itself, of the references."""
OBJECTIVE = "objective"
"""All losses of a network together, each by its weight, of texts."""
STYLE_AND_CONTENT = "style_and_content"
"""The geometric mean of style accuracy and self-BLEU, of texts moved into another style."""
AT_HAND = frozenset({"sources", "references"})


@cache
def tune_metrics() -> tuple[str, ...]:
    """The network's own perplexity, and each metric that has a better end and asks for texts alone."""
    return (LOSS, *(name for name in METRICS if _needs_texts_alone(METRICS[name])))


def _needs_texts_alone(metric: Metric) -> bool:
    return metric.higher_is_better is not None and metric.needs <= AT_HAND and not _files_of(metric)


def _files_of(metric: Metric) -> Mapping[str, object]:
    """Its settings that name a file or a folder: texts without choices."""
    return {
        key: value for key, value in metric.defaults.items() if isinstance(value, str) and key not in metric.choices
    }
