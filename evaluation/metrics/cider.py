"""CIDEr (Vedantam et al. 2015): n-grams that output and references share, rare ones weighing more."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from evaluation.metrics._base import Batch, Metric, Result, Setting
from evaluation.metrics._tokens import ORDERS, TOKENIZERS, Words, grams, signed_words, words
from foundation.papers import Paper

SIGMA = 6.0  # of the penalty for another length, in words
PUNCTUATION = frozenset(["'", "''", "`", "``", '"', ".", "?", "!", ",", ":", ";", "-", "--", "...", "(", ")", "{", "}"])
ALONE = "CIDEr weighs n-grams by how many sentences of the set have them, and there is only one sentence."


class Cider(Metric):
    """pycocoevalcap's `Cider` (CIDEr-D): n-grams of up to four words, clipped, with a penalty for another length.

    The weight of an n-gram is the logarithm of how few of the evaluated sentences have it in a reference. **So a
    sentence's score depends on the set that it is evaluated with**, and a set of one sentence has none. The corpus
    score is the mean of the sentences; over a draw of them the weights stay those of the whole set.

    pycocoevalcap takes its words from Stanford's tokenizer, lower-cased, without punctuation: so here by default, but
    with another tokenizer. Of the same words (`tokenize` "none") the numbers are the same.
    """

    name = "cider"
    label = "CIDEr"
    paper = Paper(
        "Vedantam, Zitnick and Parikh",
        2015,
        "CIDEr: Consensus-based Image Description Evaluation",
        "https://arxiv.org/abs/1411.5726",
    )
    unit = "0 to 10"
    needs = frozenset({"references"})
    higher_is_better = True
    defaults = {"tokenize": "13a", "lowercase": True, "punctuation": False}
    choices = {"tokenize": TOKENIZERS}

    def _score(self, batch: Batch, chosen: Mapping[str, Setting]) -> Result:
        if len(batch.outputs) == 1:
            return Result(np.array([np.nan]), undefined=ALONE)
        split = _reader(chosen)
        references = [[grams(split(one)) for one in each] for each in batch.references]
        weights = _weights(references)
        scores = [
            _sentence(_weigh(grams(split(output)), weights), [_weigh(one, weights) for one in each])
            for output, each in zip(batch.outputs, references, strict=True)
        ]
        return Result(np.array(scores, dtype=np.float64))

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        punctuation = "yes" if chosen["punctuation"] else "no"
        return {"like": "pycocoevalcap", "n": f"1-{ORDERS}", "sigma": f"{SIGMA:g}", "df": "evaluated-set"} | {
            "punct": punctuation,
            "corpus": "mean",
            **signed_words(chosen),
        }


class Weighed(NamedTuple):
    """A text's n-grams: for each order how much each weighs, and the length of that vector; and its pairs of words."""

    vectors: Sequence[Mapping[Words, float]]
    norms: Sequence[float]
    pairs: int


class _Weights(dict[Words, float]):
    """By n-gram; one that no reference has weighs most."""

    def __init__(self, sentences: int, frequencies: Mapping[Words, int]) -> None:
        self.most = math.log(sentences)
        super().__init__({gram: self.most - math.log(times) for gram, times in frequencies.items()})

    def __missing__(self, gram: Words) -> float:
        return self.most


def _reader(chosen: Mapping[str, Setting]) -> Callable[[str], Words]:
    split = words(str(chosen["tokenize"]), bool(chosen["lowercase"]))
    if chosen["punctuation"]:
        return split
    return lambda text: tuple(word for word in split(text) if word not in PUNCTUATION)


def _weights(references: Sequence[Sequence[Sequence[Counter[Words]]]]) -> _Weights:
    """From how many sentences have an n-gram in any of their references."""
    frequencies: Counter[Words] = Counter()
    for each in references:
        frequencies.update(set().union(*(counts for one in each for counts in one)))
    return _Weights(len(references), frequencies)


def _weigh(text: Sequence[Counter[Words]], weights: _Weights) -> Weighed:
    vectors = [{gram: times * weights[gram] for gram, times in counts.items()} for counts in text]
    norms = [math.sqrt(sum(weight * weight for weight in vector.values())) for vector in vectors]
    return Weighed(vectors, norms, text[1].total())


def _sentence(output: Weighed, references: Sequence[Weighed]) -> float:
    return 10 * sum(_alike(output, one) for one in references) / len(references)


def _alike(output: Weighed, reference: Weighed) -> float:
    """The mean over the orders of the clipped cosine, less for another length; pycocoevalcap counts that in pairs."""
    total = 0.0
    for said, wanted, *norms in zip(output.vectors, reference.vectors, output.norms, reference.norms, strict=True):
        shared = sum(min(said[gram], wanted[gram]) * wanted[gram] for gram in said.keys() & wanted.keys())
        total += shared / (norms[0] * norms[1]) if shared else 0.0
    return total / ORDERS * math.exp(-((output.pairs - reference.pairs) ** 2) / (2 * SIGMA**2))


METRIC = Cider()
