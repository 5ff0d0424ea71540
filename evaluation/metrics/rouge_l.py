"""ROUGE-L: the longest common subsequence of words of output and reference (Lin 2004)."""

from collections.abc import Sequence

import numpy as np
from rapidfuzz.distance import LCSseq

from evaluation.metrics._base import Floats
from evaluation.metrics.rouge_1 import Rouge1
from evaluation.ngrams.counts import Ints


class RougeL(Rouge1):
    """Over the whole text, not sentence by sentence: Google's `rougeL`."""

    name = "rouge_l"
    label = "ROUGE-L"
    kind = "L"

    def overlaps(self, outputs: Sequence[list[str]], references: Sequence[list[str]], of: Ints) -> Floats:
        pairs = [(outputs[number], reference) for number, reference in zip(of, references, strict=True)]
        counts = [(LCSseq.similarity(*pair), *map(len, pair)) for pair in pairs]
        return np.array(counts, dtype=np.float64)


METRIC = RougeL()
