"""BLEU against the references (Papineni et al. 2002)."""

from collections.abc import Mapping

from evaluation.metrics._base import Batch, Result, Setting
from evaluation.metrics._bleu import PAPER, AnyBleu, bleu_scores


class Bleu(AnyBleu):
    """sacreBLEU's BLEU; `details` hold the precisions (0 to 100), the brevity penalty and the lengths in tokens."""

    name = "bleu"
    label = "BLEU"
    paper = PAPER
    needs = frozenset({"references"})
    higher_is_better = True

    def _score(self, batch: Batch, chosen: Mapping[str, Setting]) -> Result:
        return bleu_scores(batch.outputs, batch.references, chosen)


METRIC = Bleu()
