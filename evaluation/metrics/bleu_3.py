"""BLEU-3 against the references (Papineni et al. 2002): n-grams of up to three words."""

from evaluation.metrics.bleu import Bleu


class Bleu3(Bleu):
    """sacreBLEU's with `max_ngram_order=3`. MedLane's tables give it from 0 to 1; here it is from 0 to 100."""

    name = "bleu_3"
    label = "BLEU-3"
    order = 3


METRIC = Bleu3()
