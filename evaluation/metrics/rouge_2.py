"""ROUGE-2: pairs of words that output and reference share (Lin 2004)."""

from evaluation.ngrams.rouge import RougeN


class Rouge2(RougeN):
    name = "rouge_2"
    label = "ROUGE-2"
    kind = "2"
    n = 2


METRIC = Rouge2()
