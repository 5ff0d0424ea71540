"""How long an output is beside its source, in characters."""

from collections.abc import Mapping

import numpy as np

from evaluation.metrics._base import Metric, MetricInput, Scores, Setting
from foundation.papers import Paper


class LengthRatio(Metric):
    name = "acme/length_ratio"
    label = "Length"
    paper = Paper("Acme", 2026, "Lengths of simplified sentences", "https://example.org/lengths")
    unit = "characters of the output for one of the source"
    needs = frozenset({"sources"})

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        pairs = zip(batch.outputs, batch.sources, strict=True)
        return Scores(np.array([len(output) / max(1, len(source)) for output, source in pairs]))

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return {"unit": "characters"}


METRIC = LengthRatio()
