"""BLEU against the references (Papineni et al. 2002)."""

from collections.abc import Mapping

from evaluation.metrics._base import Batch, Metric, Result, Setting
from evaluation.metrics._bleu import CHOICES, DEFAULTS, PAPER, bleu_scores, signed_bleu


class Bleu(Metric):
    """sacreBLEU's BLEU; `details` hold the precisions (0 to 100), the brevity penalty and the lengths in tokens."""

    name = "bleu"
    label = "BLEU"
    paper = PAPER
    unit = "0 to 100"
    needs = frozenset({"references"})
    higher_is_better = True
    defaults = DEFAULTS
    choices = CHOICES

    def _score(self, batch: Batch, chosen: Mapping[str, Setting]) -> Result:
        return bleu_scores(batch.outputs, batch.references, chosen)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return signed_bleu(chosen)


METRIC = Bleu()
