"""PINC, paraphrase in n-gram changes (Chen and Dolan 2011): the share of the output's n-grams that are new."""

from collections.abc import Mapping

import numpy as np

from evaluation.metrics._base import Batch, Metric, Result, Setting
from evaluation.metrics._tokens import TOKENIZERS, Grams, grams, signed_words, words
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
    defaults = {"tokenize": "13a", "lowercase": True}
    choices = {"tokenize": TOKENIZERS}

    def _score(self, batch: Batch, chosen: Mapping[str, Setting]) -> Result:
        split = words(str(chosen["tokenize"]), bool(chosen["lowercase"]))
        pairs = zip(batch.sources, batch.outputs, strict=True)
        sentences = np.array([_pinc(grams(split(source)), grams(split(output))) for source, output in pairs])
        return Result(sentences)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return {"n": "1-4", "grams": "distinct", "corpus": "mean"} | signed_words(chosen)


def _pinc(source: Grams, output: Grams) -> float:
    """One sentence's PINC, 0 to 100."""
    new = [len(said.keys() - was.keys()) / len(said) for was, said in zip(source, output, strict=True) if said]
    return 100 * sum(new) / len(new) if new else 0.0


METRIC = Pinc()
