"""chrF, the F-score of character n-grams (Popović 2015); with word n-grams chrF++ (Popović 2017)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from operator import add
from typing import NamedTuple

import numpy as np
import sacrebleu

from evaluation.metrics._base import Batch, Floats, Metric, Result, Setting, ratio_of
from foundation.papers import Paper

CHARACTERS = 6  # the longest n-gram of characters
WORDS = 2  # and of words
ORDERS = CHARACTERS + WORDS
PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


class Counts(NamedTuple):
    """The n-grams of an order: how many there are, how often each, and those that come again."""

    total: int
    grams: Mapping[str, int]
    twice: Mapping[str, int]


class Chrf(Metric):
    """sacreBLEU's chrF, white space left out; `word_order` 2 makes it chrF++, `beta` weighs recall over precision.

    A sentence takes the reference with the best F. The corpus score is that of the summed n-grams. An order that
    output or reference is too short for is left out of the mean; an empty output has 0.
    """

    name = "chrf"
    label = "chrF"
    paper = Paper(
        "Popović",
        2015,
        "chrF: character n-gram F-score for automatic MT evaluation",
        "https://aclanthology.org/W15-3049/",
    )
    unit = "0 to 100"
    needs = frozenset({"references"})
    higher_is_better = True
    defaults = {"word_order": 0, "beta": 2, "lowercase": False}
    bounds = {"word_order": (0, WORDS), "beta": (1, 10)}

    def _score(self, batch: Batch, chosen: Mapping[str, Setting]) -> Result:
        words, lower, weight = int(chosen["word_order"]), bool(chosen["lowercase"]), float(chosen["beta"]) ** 2

        def read(text: str) -> list[Counts]:
            return _counted(text.lower() if lower else text, words)

        rows = np.zeros((len(batch.outputs), 3 * ORDERS + 2))
        for row, output, references in zip(rows, batch.outputs, batch.references, strict=True):
            row[: 3 * ORDERS] = _best(read(output), [read(one) for one in references], weight)
        rows[:, -2:] = 1, weight
        return Result(self.corpus_of(rows), {}, rows)

    def corpus_of(self, sums: Floats) -> Floats:
        """Of the n-grams of output, reference and both, by order; the last two sums are the sentences and beta²'s.

        So the score knows the beta it was asked for, of any sentences. An order of words without counts is none.
        """
        return _f(sums[..., : 3 * ORDERS], ratio_of(sums[..., -1], sums[..., -2]))

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return {
            "case": "lc" if chosen["lowercase"] else "mixed",
            "eff": "yes",
            "nc": str(CHARACTERS),
            "nw": str(chosen["word_order"]),
            "beta": str(chosen["beta"]),
            "space": "no",
            "refs": "best-f",
            "lib": f"as-sacrebleu-{sacrebleu.__version__}",
        }


def _counted(text: str, words: int) -> list[Counts]:
    """The n-grams of characters and of up to so many words."""
    bare = "".join(text.split())
    grams, found = list(bare), []
    for n in range(1, CHARACTERS + 1):
        found.append(_again(grams))
        grams = list(map(add, grams, bare[n:]))  # each with the character behind it
    tokens = _words(text) if words else []
    return found + [
        _again([" ".join(tokens[at : at + n]) for at in range(len(tokens) - n + 1)]) for n in range(1, words + 1)
    ]


def _again(grams: list[str]) -> Counts:
    counts = Counter(grams)
    some = len(counts) < len(grams)
    return Counts(len(grams), counts, {gram: times for gram, times in counts.items() if times > 1} if some else {})


def _words(text: str) -> list[str]:
    """The words, a punctuation mark at the end (else at the beginning) set off, but one only."""
    found: list[str] = []
    for word in text.split():
        if len(word) > 1 and word[-1] in PUNCTUATION:
            found += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in PUNCTUATION:
            found += [word[0], word[1:]]
        else:
            found.append(word)
    return found


def _best(output: Sequence[Counts], references: Sequence[Sequence[Counts]], weight: float) -> Floats:
    """(3 x ORDERS,): for each order the n-grams of the output, of the best reference, and of both."""
    rows = np.zeros((len(references), ORDERS, 3))
    for row, reference in zip(rows, references, strict=True):
        row[: len(output)] = [_shared(*pair) for pair in zip(output, reference, strict=True)]
    flat = rows.reshape(len(references), 3 * ORDERS)
    best: Floats = flat[int(np.argmax(_f(flat, np.full(len(references), weight))))]
    return best


def _shared(output: Counts, reference: Counts) -> tuple[int, int, int]:
    """The n-grams of either side and of both; the output's count only where the reference has any."""
    both = len(output.grams.keys() & reference.grams.keys())
    said, wanted = output.twice, reference.twice
    if said and wanted:
        both += sum([min(said[gram], wanted[gram]) - 1 for gram in said.keys() & wanted.keys()])
    return (output.total if reference.total else 0), reference.total, both


def _f(rows: Floats, weight: Floats) -> Floats:
    """(..., 3 x ORDERS) to (...), 0 to 100: of the mean precision and the mean recall of the orders on both sides."""
    said, wanted, both = np.moveaxis(rows.reshape(*rows.shape[:-1], ORDERS, 3), -1, 0)
    there = (said > 0) & (wanted > 0)
    orders = np.maximum(there.sum(axis=-1), 1)
    precision = np.divide(both, said, out=np.zeros_like(both), where=there).sum(axis=-1) / orders
    recall = np.divide(both, wanted, out=np.zeros_like(both), where=there).sum(axis=-1) / orders
    below = weight * precision + recall
    score: Floats = np.divide((1 + weight) * precision * recall, below, out=np.zeros_like(below), where=below > 0)
    return 100 * score


METRIC = Chrf()
