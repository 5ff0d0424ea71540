"""ROUGE-L: the longest common subsequence of words of output and reference (Lin 2004)."""

from collections.abc import Mapping, Sequence

import numpy as np
from rapidfuzz.distance import LCSseq

from evaluation.languages import writes_spaces
from evaluation.metrics._base import Floats, Setting
from evaluation.metrics.rouge_1 import Rouge1
from evaluation.ngrams.counts import Ints
from evaluation.ngrams.rouge import BETA, precision_recall_f1
from evaluation.ngrams.tokenizers import BY_LANGUAGE

GOOGLE, COCO = LIKE = ("google", "coco")


class RougeL(Rouge1):
    """Over the whole text, not sentence by sentence: Google's `rougeL`.

    With `like = "coco"` it is pycocoevalcap's, which nlg-eval takes: of several references the greatest precision and
    the greatest recall count, each for itself, and F weighs recall by 1.2. Its words are parted by spaces alone, so
    that `tokens = "language"` means `none` where a language has spaces.
    """

    name = "rouge_l"
    label = "ROUGE-L"
    kind = "L"
    defaults: Mapping[str, Setting] = {"like": GOOGLE, **Rouge1.defaults}
    choices: Mapping[str, Sequence[str]] = {"like": LIKE, **Rouge1.choices}

    def overlaps(self, outputs: Sequence[list[str]], references: Sequence[list[str]], of: Ints) -> Floats:
        pairs = [(outputs[number], reference) for number, reference in zip(of, references, strict=True)]
        counts = [(LCSseq.similarity(*pair), *map(len, pair)) for pair in pairs]
        return np.array(counts, dtype=np.float64)

    def shares(self, overlaps: Floats, counts: Ints, chosen: Mapping[str, Setting]) -> Floats:
        if chosen["like"] == GOOGLE:
            return super().shares(overlaps, counts, chosen)
        best = np.maximum.reduceat(precision_recall_f1(overlaps), np.cumsum(counts) - counts)
        precision, recall = best[:, 0], best[:, 1]
        below = recall + BETA**2 * precision
        best[:, 2] = np.divide((1 + BETA**2) * precision * recall, below, out=np.zeros_like(below), where=below > 0)
        return best

    def _resolved(self, chosen: Mapping[str, Setting], language: str) -> dict[str, Setting]:
        spaces = chosen["like"] == COCO and chosen["tokens"] == BY_LANGUAGE and writes_spaces(language)
        return super()._resolved({**chosen, "tokens": "none"} if spaces else chosen, language)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        parts = super()._signed(chosen)
        return parts if chosen["like"] == GOOGLE else {"like": COCO} | parts | {"refs": "best-each", "beta": f"{BETA}"}


METRIC = RougeL()
