"""BLEU-2 against the references (Papineni et al. 2002): words and pairs."""

from evaluation.metrics.bleu import Bleu


class Bleu2(Bleu):
    """sacreBLEU's with `max_ngram_order=2`. MedLane's tables give it from 0 to 1; here it is from 0 to 100."""

    name = "bleu_2"
    label = "BLEU-2"
    order = 2


METRIC = Bleu2()
