"""ROUGE-2: pairs of words that output and reference share (Lin 2004)."""

from evaluation.metrics.rouge_1 import Rouge1


class Rouge2(Rouge1):
    name = "rouge_2"
    label = "ROUGE-2"
    kind = "2"
    n = 2


METRIC = Rouge2()
