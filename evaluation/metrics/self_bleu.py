"""Self-BLEU: BLEU of the output against its own source, how much was kept (as in Li et al. 2018)."""

from collections.abc import Mapping
from dataclasses import replace

from evaluation.metrics._base import MetricInput, Result, Setting
from evaluation.metrics.bleu import Bleu
from foundation.papers import LI


class SelfBleu(Bleu):
    """BLEU with the source as the one reference. A copy has 100, so neither end is the better one."""

    name = "self_bleu"
    label = "Self-BLEU"
    paper = LI
    needs = frozenset({"sources"})
    higher_is_better = None

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        return super()._score(replace(batch, references=[[source] for source in batch.sources]), chosen)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return {"against": "source"} | super()._signed(chosen)


METRIC = SelfBleu()
