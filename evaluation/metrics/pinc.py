"""PINC, paraphrase in n-gram changes (Chen and Dolan 2011): the share of the output's n-grams that are new."""

from collections.abc import Mapping

import numpy as np

from evaluation.metrics._base import Floats, Metric, MetricInput, Scores, Setting
from evaluation.ngrams import (
    BY_LANGUAGE,
    ORDERS,
    TOKENIZERS,
    NgramCounts,
    count_ngrams,
    tokenizer_for,
    tokenizer_of,
    tokenizer_signature,
)
from foundation.papers import Paper


class Pinc(Metric):
    """100 x the mean over n = 1 to 4 of the share of the output's distinct n-grams that its source lacks.

    The corpus score is the mean of the sentences'. Orders longer than the output are left out of its mean. An empty
    output has no new n-gram and scores 0, like a copy. The paper leaves tokens and case open: they are settings.
    """

    name = "pinc"
    label = "PINC"
    paper = Paper(
        "Chen and Dolan",
        2011,
        "Collecting Highly Parallel Data for Paraphrase Evaluation",
        "https://aclanthology.org/P11-1020/",
    )
    unit = "0 to 100"
    needs = frozenset({"sources"})
    higher_is_better = True
    defaults = {"tokenize": BY_LANGUAGE, "lowercase": True}
    choices = {"tokenize": TOKENIZERS}
    by_language = {"tokenize": tokenizer_of}

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        split = tokenizer_for(str(chosen["tokenize"]), bool(chosen["lowercase"]), batch.language)
        texts = [split(text) for text in (*batch.outputs, *batch.sources)]
        counts = np.array([_new(each, len(batch.outputs)) for each in count_ngrams(texts, ORDERS)])
        shares = np.divide(counts[:, 0], counts[:, 1], out=np.zeros(counts[:, 0].shape), where=counts[:, 1] > 0)
        return Scores(100 * shares.sum(axis=0) / np.maximum((counts[:, 1] > 0).sum(axis=0), 1))

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return {"n": "1-4", "grams": "distinct", "corpus": "mean"} | tokenizer_signature(chosen)


def _new(texts: NgramCounts, count: int) -> tuple[Floats, Floats]:
    """(n,) each: how many distinct n-grams of an output its source lacks, and how many it has. Sources stand behind."""
    outputs, sources = texts.split(count)
    return outputs.sums(sources.at(outputs.owners, outputs.grams) == 0), outputs.sums(np.ones_like(outputs.times))


METRIC = Pinc()
