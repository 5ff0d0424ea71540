"""The mean of BLEU-1, 2, 3 and 4, MedLane's BLEU (Luo et al. 2022)."""

from collections.abc import Mapping, Sequence

import numpy as np

from evaluation.metrics._base import Floats, MetricInput, Result, Setting
from evaluation.metrics.bleu import SACREBLEU, Bleu
from evaluation.ngrams.bleu import bleu_counts, corpus_bleu, sentence_bleu
from evaluation.ngrams.tokenizers import BY_LANGUAGE, ORDERS, TOKENIZERS, tokenizer_for
from foundation.papers import MEDLANE

NS = range(1, ORDERS + 1)


class BleuMean(Bleu):
    """The mean of the four corpus scores, or of a sentence's four; `details` hold the four of the corpus.

    MedLane's tables give it from 0 to 1; here it is from 0 to 100, as BLEU is everywhere in Restyle.
    """

    name = "bleu_mean"
    label = "BLEU-1..4"
    paper = MEDLANE
    defaults: Mapping[str, Setting] = {"tokenize": BY_LANGUAGE, "lowercase": False}
    choices: Mapping[str, Sequence[str]] = {"tokenize": TOKENIZERS}

    def corpus_of(self, sums: Floats) -> Floats:
        """Of BLEU's sums: matches and n-grams of each order, and the lengths."""
        return np.asarray(sum(corpus_bleu(sums, n) for n in NS) / ORDERS)

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        split = tokenizer_for(str(chosen["tokenize"]), bool(chosen["lowercase"]), batch.language)
        rows = bleu_counts(batch.outputs, batch.references, split)
        sums = rows.sum(axis=0)
        sentences = np.mean([sentence_bleu(rows, n) for n in NS], axis=0)
        return Result(sentences, {f"bleu_{n}": float(corpus_bleu(sums, n)) for n in NS}, rows)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return {"n": "mean-of-1-2-3-4"} | super()._signed({**chosen, "like": SACREBLEU})


METRIC = BleuMean()
