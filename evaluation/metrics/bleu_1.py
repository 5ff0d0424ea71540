"""BLEU-1 against the references (Papineni et al. 2002): single words."""

from evaluation.metrics.bleu import Bleu


class Bleu1(Bleu):
    """sacreBLEU's with `max_ngram_order=1`. MedLane's tables give it from 0 to 1; here it is from 0 to 100."""

    name = "bleu_1"
    label = "BLEU-1"
    order = 1


METRIC = Bleu1()
