"""ROUGE-L: the longest common subsequence of words of output and reference (Lin 2004)."""

from rapidfuzz.distance import LCSseq

from evaluation.metrics._rouge import AnyRouge, Score, scored


class RougeL(AnyRouge):
    """Over the whole text, not sentence by sentence: Google's `rougeL`."""

    name = "rouge_l"
    label = "ROUGE-L"
    kind = "L"

    def overlap(self, output: list[str], reference: list[str]) -> Score:
        return scored(int(LCSseq.similarity(output, reference)), len(output), len(reference))


METRIC = RougeL()
