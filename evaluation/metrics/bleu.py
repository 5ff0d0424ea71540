"""BLEU against the references (Papineni et al. 2002): n-grams of up to four words. MSD's ref-BLEU."""

from evaluation.ngrams.bleu import ReferenceBleu


class Bleu(ReferenceBleu):
    """BLEU-4, sacreBLEU's default."""

    name = "bleu"
    label = "BLEU"


METRIC = Bleu()
