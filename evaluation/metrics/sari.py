"""SARI (Xu et al. 2016): n-grams added, kept and deleted, against source and references."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from evaluation.languages import writes_spaces
from evaluation.metric_contract import mean_statistics, ratio_of
from evaluation.metrics._base import Floats, Metric, MetricInput, Scores, Setting
from evaluation.ngrams import (
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
EASSE, XU, HUGGING_FACE = LIKE = ("easse", "xu", "hf")
NOTHING = ("",)  # the words of an empty text, as the programs of sentences split it
Gram = tuple[str, ...]


class Sari(Metric):
    """SARI by one of the three programs that papers use, whose numbers lie up to 30 apart; `like` says which.

    `easse` is EASSE's `corpus_sari` by default: F1 of each operation and order, averaged over both.
    Counts are summed over the corpus before the F1s are taken. An F1 without n-grams on either side is 0, as in
    EASSE: a sentence to which nothing had to be added and nothing was has 0 for `add`.
    Kept and deleted n-grams are weighted by the share of the sentence's references that agree, so that sentences
    with differing numbers of references weigh alike: the result equals EASSE's with every sentence's references
    repeated to one common number. An empty output has kept and added nothing; it scores for what it deleted.

    `xu` is the program of the paper's authors (cocoxu/simplification, SARI.py): the mean of the sentences' scores, each
    of F1 of what is added and kept and the precision of what is deleted, where each distinct n-gram weighs alike and
    0/0 is 0. Its words are parted by spaces alone, so that `tokenize = "language"` means `none` where a language has
    spaces. `hf` is Hugging Face's `evaluate`, the same but for two things: 0/0 is 1, which gives a copy of a reference
    100, and the recall of what is kept is of all n-grams together.
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
    defaults = {"like": EASSE, "tokenize": BY_LANGUAGE, "lowercase": True}
    choices = {"like": LIKE, "tokenize": TOKENIZERS}
    by_language = {"tokenize": tokenizer_of}

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        split = tokenizer_for(str(chosen["tokenize"]), bool(chosen["lowercase"]), batch.language)
        of = [
            (split(source), split(output), [split(each) for each in references])
            for source, output, references in zip(batch.sources, batch.outputs, batch.references, strict=True)
        ]
        if chosen["like"] != EASSE:
            each = 100 * np.array([_sentence(*texts, str(chosen["like"])) for texts in of])
            details = dict(zip(OPERATIONS, map(float, each.mean(axis=0)), strict=True))
            means = np.minimum(each.mean(axis=-1), 100.0)
            return Scores(means, details, mean_statistics(means))
        counts = np.array([Against(source, references).counts(output) for source, output, references in of])
        operations = _operations(counts.sum(axis=0))
        sentences = _operations(counts).mean(axis=-1)
        details = dict(zip(OPERATIONS, map(float, operations), strict=True))
        return Scores(sentences, details, counts.reshape(len(counts), -1))

    def corpus_of(self, sums: Floats) -> Floats:
        """The score from 24 sums: for each order and operation the n-grams that are right and those of either side.

        Two sums are those of sentences' scores, and give their mean.
        """
        if sums.shape[-1] == 2:
            return ratio_of(sums[..., 0], sums[..., 1])
        scores: Floats = _operations(sums.reshape(*sums.shape[:-1], ORDERS, len(OPERATIONS), 2)).mean(axis=-1)
        return scores

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        like = str(chosen["like"])
        how = {"delete": "f1"} if like == EASSE else {"delete": "precision", "corpus": "mean"}
        return {"like": like} | how | tokenizer_signature(chosen)

    def _resolved(self, chosen: Mapping[str, Setting], language: str) -> dict[str, Setting]:
        spaces = chosen["like"] == XU and chosen["tokenize"] == BY_LANGUAGE and writes_spaces(language)
        return super()._resolved({**chosen, "tokenize": "none"} if spaces else chosen, language)


class Against:
    """The source and references that outputs are compared with; all texts are words."""

    def __init__(self, source: Tokens, references: Sequence[Tokens]) -> None:
        self._source, self._references, self._number = (
            ngram_counters(source),
            ngram_counters(*references),
            len(references),
        )

    def counts(self, output: Tokens) -> list[list[list[float]]]:
        """(order, operation, [right, of either side]), the last axis in n-grams; a corpus has the sums of these."""
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


def _sentence(source: Tokens, output: Tokens, references: Sequence[Tokens], like: str) -> list[float]:
    """A sentence's score for each operation by the programs that score sentences, 0 to 1: the orders' mean."""
    rows = zip(
        ngram_counters(source or NOTHING),
        ngram_counters(output or NOTHING),
        ngram_counters(*(each or NOTHING for each in references)),
        strict=True,
    )
    empty = 0.0 if like == XU else 1.0
    orders = [
        (_added(*grams, empty), _kept(*grams, len(references), like), _deleted(*grams, len(references), empty))
        for grams in rows
    ]
    return [sum(each) / ORDERS for each in zip(*orders, strict=True)]


def _added(source: Counter[Gram], output: Counter[Gram], agreed: Counter[Gram], empty: float) -> float:
    said, wanted = output.keys() - source.keys(), agreed.keys() - source.keys()
    right = len(said & wanted)
    return _f1(right / len(said) if said else empty, right / len(wanted) if wanted else empty)


def _kept(source: Counter[Gram], output: Counter[Gram], agreed: Counter[Gram], number: int, like: str) -> float:
    """The F1 of kept n-grams. A reference keeps an n-gram at most as often as the source has it."""
    in_source = Counter({gram: times * number for gram, times in source.items()})
    said = in_source & Counter({gram: times * number for gram, times in output.items()})
    wanted, right = in_source & agreed, said & agreed
    empty = 0.0 if like == XU else 1.0
    precision = sum(times / said[gram] for gram, times in right.items()) / len(said) if said else empty
    if like == XU:
        recall = sum(times / wanted[gram] for gram, times in right.items()) / len(wanted) if wanted else empty
    else:
        recall = right.total() / wanted.total() if wanted else empty
    return _f1(precision, recall)


def _deleted(source: Counter[Gram], output: Counter[Gram], agreed: Counter[Gram], number: int, empty: float) -> float:
    said = Counter({gram: times * number for gram, times in (source - output).items()})
    return sum(times / said[gram] for gram, times in (said - agreed).items()) / len(said) if said else empty


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _operations(counts: Floats) -> Floats:
    """(..., order, operation, 2) to (..., operation): F1 in percent, averaged over the orders."""
    # 2PR / (P + R) with P = right / by the system and R = right / by the references.
    right, either = counts[..., 0], counts[..., 1]
    f1 = np.divide(2 * right, either, out=np.zeros_like(either), where=either > 0)
    scores: Floats = 100 * f1.mean(axis=-2)
    return scores


METRIC = Sari()
