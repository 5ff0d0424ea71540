"""ROUGE-1: words that output and reference share (Lin 2004)."""

from evaluation.ngrams.rouge import RougeN


class Rouge1(RougeN):
    name = "rouge_1"
    label = "ROUGE-1"
    kind = "1"
    n = 1


METRIC = Rouge1()
