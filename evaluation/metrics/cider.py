"""CIDEr (Vedantam et al. 2015): n-grams that output and references share, rare ones weighing more."""

import math
from collections.abc import Callable, Mapping
from itertools import chain

import numpy as np
import regex

from evaluation.languages import is_english
from evaluation.metrics._base import Floats, Metric, MetricInput, Scores, Setting
from evaluation.ngrams import (
    BY_LANGUAGE,
    ORDERS,
    TOKENIZERS,
    Ints,
    NgramCounts,
    Tokens,
    count_ngrams,
    lengths_of,
    sentence_of_each,
    tokenizer_for,
    tokenizer_of,
    tokenizer_signature,
)
from foundation.papers import Paper

SIGMA = 6.0  # of the penalty for another length, in words
PUNCTUATION = frozenset(["'", "''", "`", "``", '"', ".", "?", "!", ",", ":", ";", "-", "--", "...", "(", ")", "{", "}"])
MARKS = regex.compile(r"\p{P}+")  # punctuation of any script
ALONE = "CIDEr weighs n-grams by how many sentences of the set have them, and there is only one sentence."


class Cider(Metric):
    """pycocoevalcap's `Cider` (CIDEr-D): n-grams of up to four words, clipped, with a penalty for another length.

    The weight of an n-gram is the logarithm of how few of the evaluated sentences have it in a reference. **So a
    sentence's score depends on the set that it is evaluated with**, and a set of one sentence has none. The corpus
    score is the mean of the sentences; over a draw of them the weights stay those of the whole set.

    pycocoevalcap takes its words from Stanford's tokenizer, lower-cased, without punctuation: so here by default, but
    with another tokenizer. With the same words (`tokenize` "none") the numbers are the same.
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
    defaults = {"tokenize": BY_LANGUAGE, "lowercase": True, "punctuation": False}
    choices = {"tokenize": TOKENIZERS}
    by_language = {"tokenize": tokenizer_of}

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        if len(batch.outputs) == 1:
            return Scores(np.array([np.nan]), undefined=ALONE)
        split = _reader(chosen, batch.language)
        texts = [split(output) for output in chain(batch.outputs, *batch.references)]
        return Scores(_cider(texts, sentence_of_each(lengths_of(batch.references))))

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        punctuation = "yes" if chosen["punctuation"] else "no"
        return {"like": "pycocoevalcap", "n": f"1-{ORDERS}", "sigma": f"{SIGMA:g}", "df": "evaluated-set"} | {
            "punct": punctuation,
            "corpus": "mean",
            **tokenizer_signature(chosen),
        }


def _reader(chosen: Mapping[str, Setting], language: str) -> Callable[[str], Tokens]:
    """Stanford's list of punctuation marks is of English: in other languages a word holds a letter, digit or symbol."""
    split = tokenizer_for(str(chosen["tokenize"]), bool(chosen["lowercase"]), language)
    if chosen["punctuation"]:
        return split
    if is_english(language):
        return lambda text: tuple(word for word in split(text) if word not in PUNCTUATION)
    return lambda text: tuple(word for word in split(text) if not MARKS.fullmatch(word))


def _cider(texts: list[Tokens], of: Ints) -> Floats:
    """(n,): the scores of n outputs, which come first; `of` says whose reference each text behind them is.

    A sentence's is the mean over its references of the mean over the orders of the clipped cosine, less for another
    length, which pycocoevalcap counts in pairs of words.
    """
    count = len(texts) - len(of)
    alike = sum(_alike(each.close(), count, of) for each in count_ngrams(texts, ORDERS)) / ORDERS
    pairs = np.maximum(lengths_of(texts) - 1, 0)
    apart = pairs[:count][of] - pairs[count:]
    scores = alike * np.exp(-(apart**2) / (2 * SIGMA**2))
    means: Floats = 10 * np.bincount(of, weights=scores, minlength=count) / np.bincount(of, minlength=count)
    return means


def _alike(texts: NgramCounts, count: int, of: Ints) -> Floats:
    """(references,): the clipped cosine of one order's n-grams, each weighed; 0 where none is shared."""
    outputs, references = texts.split(count)
    sentences = np.bincount(references.most(of, count).grams, minlength=texts.kinds)
    weights = math.log(count) - np.log(np.maximum(sentences, 1))  # what no reference has weighs most
    norms = np.sqrt(texts.sums((texts.times * weights[texts.grams]) ** 2))
    said, wanted = outputs.at(of[references.owners], references.grams), references.times
    shared = references.sums(np.minimum(said, wanted) * wanted * weights[references.grams] ** 2)
    cosines: Floats = np.divide(shared, norms[:count][of] * norms[count:], out=np.zeros_like(shared), where=shared > 0)
    return np.minimum(cosines, 1.0)


METRIC = Cider()
