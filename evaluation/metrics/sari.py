"""SARI (Xu et al. 2016): n-grams added, kept and deleted, against source and references."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from evaluation.metrics._base import Floats, Metric, MetricInput, Result, Setting
from evaluation.ngrams.tokenizers import (
    BY_LANGUAGE,
    ORDERS,
    TOKENIZERS,
    Tokens,
    ngram_counters,
    tokenizer_for,
    tokenizer_of,
    tokenizer_signature,
)
from foundation.papers import Paper

OPERATIONS = ("add", "keep", "delete")
Gram = tuple[str, ...]


class Sari(Metric):
    """SARI as EASSE's `corpus_sari` computes it by default: F1 of each operation and order, averaged over both.

    Counts are summed over the corpus before the F1s are taken. An F1 without n-grams on either side is 0, as in
    EASSE: a sentence to which nothing had to be added and nothing was has 0 for `add`.
    Kept and deleted n-grams are weighted by the share of the sentence's references that agree, so that sentences
    with differing numbers of references weigh alike: the result equals EASSE's with every sentence's references
    repeated to one common number. An empty output has kept and added nothing; it scores for what it deleted.
    """

    name = "sari"
    label = "SARI"
    paper = Paper(
        "Xu, Napoles, Pavlick, Chen and Callison-Burch",
        2016,
        "Optimizing Statistical Machine Translation for Text Simplification",
        "https://aclanthology.org/Q16-1029/",
    )
    unit = "0 to 100"
    needs = frozenset({"sources", "references"})
    higher_is_better = True
    defaults = {"tokenize": BY_LANGUAGE, "lowercase": True}
    choices = {"tokenize": TOKENIZERS}
    by_language = {"tokenize": tokenizer_of}

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        split = tokenizer_for(str(chosen["tokenize"]), bool(chosen["lowercase"]), batch.language)
        counts = np.array(
            [
                Against(split(source), [split(each) for each in refs]).counts(split(output))
                for source, output, refs in zip(batch.sources, batch.outputs, batch.references, strict=True)
            ]
        )
        operations = _operations(counts.sum(axis=0))
        sentences = _operations(counts).mean(axis=-1)
        details = dict(zip(OPERATIONS, map(float, operations), strict=True))
        return Result(sentences, details, counts.reshape(len(counts), -1))

    def corpus_of(self, sums: Floats) -> Floats:
        """Of the n-grams of each order and operation, those that are right and those of either side: 24 sums."""
        scores: Floats = _operations(sums.reshape(*sums.shape[:-1], ORDERS, len(OPERATIONS), 2)).mean(axis=-1)
        return scores

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return {"like": "easse", "delete": "f1"} | tokenizer_signature(chosen)


class Against:
    """What the outputs of one source are compared with; all texts are words."""

    def __init__(self, source: Tokens, references: Sequence[Tokens]) -> None:
        self._source, self._references, self._number = (
            ngram_counters(source),
            ngram_counters(*references),
            len(references),
        )

    def counts(self, output: Tokens) -> list[list[list[float]]]:
        """(order, operation, [right, of either side]), the last axis in n-grams; sums of them are what a corpus has."""
        rows = zip(self._source, ngram_counters(output), self._references, strict=True)
        return [_order(source, output_grams, agreed, self._number) for source, output_grams, agreed in rows]


def _order(source: Counter[Gram], output: Counter[Gram], agreed: Counter[Gram], number: int) -> list[list[float]]:
    """One order's counts. `agreed` counts the n-grams of all references together, `number` is how many there are."""
    added = output.keys() - source.keys()
    add = [float(len(added & agreed.keys())), float(len(added) + len(agreed.keys() - source.keys()))]
    total = number * source.total()
    kept_count = wanted = both = neither = 0
    for gram, times in source.items():
        in_source = times * number
        by_system = min(times, output.get(gram, 0)) * number
        by_references = min(in_source, agreed.get(gram, 0))
        kept_count += by_system
        wanted += by_references
        both += min(by_system, by_references)
        neither += in_source - max(by_system, by_references)
    keep, delete = (both, kept_count + wanted), (neither, 2 * total - kept_count - wanted)
    return [add, [count / number for count in keep], [count / number for count in delete]]


def _operations(counts: Floats) -> Floats:
    """(..., order, operation, 2) to (..., operation): F1 in percent, averaged over the orders."""
    # 2PR / (P + R) with P = right / by the system and R = right / by the references.
    right, either = counts[..., 0], counts[..., 1]
    f1 = np.divide(2 * right, either, out=np.zeros_like(either), where=either > 0)
    scores: Floats = 100 * f1.mean(axis=-2)
    return scores


METRIC = Sari()
