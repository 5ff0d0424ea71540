"""One file is one metric; `METRICS["bleu"].score(batch, lowercase=True)` scores a system's outputs."""

from pathlib import Path

from evaluation.metrics._base import CONTRACT, Metric, MetricInput, Scores
from foundation.registry import Registry

METRICS = Registry[Metric]("metric", __name__, Path(__file__).parent, attribute="METRIC")

__all__ = ["CONTRACT", "METRICS", "Metric", "MetricInput", "Scores"]
