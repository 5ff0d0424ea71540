"""One file is one metric; `METRICS["bleu"].score(batch, lowercase=True)` scores a system's outputs."""

from pathlib import Path

from evaluation.metrics._base import CONTRACT, MATERIAL, Floats, Metric, MetricInput, Scores, Setting
from foundation.registry import Registry

METRICS = Registry[Metric]("metric", __name__, Path(__file__).parent, attribute="METRIC")

__all__ = ["CONTRACT", "MATERIAL", "METRICS", "Floats", "Metric", "MetricInput", "Scores", "Setting"]
