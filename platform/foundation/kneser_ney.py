"""An n-gram language model with interpolated modified Kneser-Ney smoothing (Chen and Goodman 1999).

In all details as KenLM's lmplz: one <s> before a sentence and one </s> after it, adjusted counts below the highest
order, discounts of each order from its own counts of counts, the unigrams interpolated with the uniform distribution,
in which <unk> has one share. Logarithms are natural.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
State = tuple[int, ...]

UNKNOWN, BEGIN, END = "<unk>", "<s>", "</s>"
SPECIAL = (UNKNOWN, BEGIN, END)
UNK, BOS, EOS = range(3)
NEVER = -99 * float(np.log(10))  # of <s>, which no word predicts; the value in ARPA files
FALLBACK = (0.5, 1.0, 1.5)  # lmplz's, where the counts of counts give no discounts


@dataclass(frozen=True)
class Table:
    """The m n-grams of one length, in the order of their keys.

    `keys` are the place of the n-gram's beginning (all but its last word) in the table below, times the size of the
    vocabulary, plus the last word; of single words the words themselves. `logprob` and `backoff` are (m,).
    """

    keys: Ints
    logprob: Floats
    backoff: Floats

    def find(self, keys: Ints) -> Ints:
        """The place of each key, -1 where it is not there; the table holds one n-gram at least."""
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[places] == keys, places, -1)


@dataclass(frozen=True)
class Model:
    """`words` are the vocabulary's numbers, <unk>, <s> and </s> first; `tables[k - 1]` are the k-grams."""

    words: dict[str, int]
    tables: list[Table]
    discounts: list[tuple[float, ...]] = field(default_factory=list)

    @property
    def order(self) -> int:
        return len(self.tables)

    def logprob(self, words: Sequence[str]) -> float:
        """The log probability of the sentence and its end."""
        return float(self.logprobs([words])[0].sum())

    def logprobs(self, sentences: Iterable[Sequence[str]]) -> list[Floats]:
        """The log probabilities of each sentence's n words and its end, (n + 1,). An unknown word has that of <unk>."""
        ids, lengths = self._numbered(sentences)
        if not len(lengths):
            return []
        found = self._scored(ids)[ids != BOS]
        return np.split(found, np.cumsum(lengths + 1)[:-1])

    def unknown(self, words: Sequence[str]) -> int:
        """The number of unknown words."""
        return sum(self._number(word) == UNK for word in words)

    @property
    def start(self) -> State:
        """The state before the first word of a sentence, for `step`."""
        return (BOS,)

    def step(self, state: State, word: str) -> tuple[float, State]:
        """The log-probability of a word (or END) after `state`, and the state after it.

        Equal states have equal futures; none is longer than the n-grams of the model.
        """
        number = EOS if word == END else self._number(word)
        logprob, after = float(self.tables[0].logprob[number]), [number]
        for length, context in enumerate(state[: self.order - 1], start=1):
            place = self._places[length].get(context * len(self.words) + number, -1) if context >= 0 else -1
            if place >= 0:
                logprob = float(self.tables[length].logprob[place])
            elif context >= 0:
                logprob += float(self.tables[length - 1].backoff[context])
            after.append(place)
        after = after[: max(1, self.order - 1)]
        while after[-1] < 0:
            after.pop()
        return logprob, tuple(after)

    @cached_property
    def _places(self) -> list[dict[int, int]]:
        return [dict(zip(table.keys.tolist(), range(len(table.keys)), strict=True)) for table in self.tables]

    def _number(self, word: str) -> int:
        return UNK if word in SPECIAL else self.words.get(word, UNK)

    def _numbered(self, sentences: Iterable[Sequence[str]]) -> tuple[Ints, Ints]:
        """All words' numbers, each sentence between its BOS and EOS, and the sentences' lengths without these."""
        ids: list[int] = []
        lengths: list[int] = []
        for sentence in sentences:
            ids += [BOS, *map(self._number, sentence), EOS]
            lengths.append(len(sentence))
        return np.array(ids, dtype=np.int64), np.array(lengths, dtype=np.int64)

    def _scored(self, ids: Ints) -> Floats:
        """The log-probability of each of the numbers, (n,): that of the longest n-gram known, with the backoffs."""
        logprobs = self.tables[0].logprob[ids]
        ending = ids
        for lower, table in zip(self.tables, self.tables[1:], strict=False):
            if not len(table.keys):
                break
            context = _before(ending, ids)
            ending = np.where(context >= 0, table.find(context * len(self.words) + ids), -1)
            backed = logprobs + np.where(context >= 0, lower.backoff[context], 0.0)
            logprobs = np.where(ending >= 0, table.logprob[ending], backed)
        return logprobs


def estimate(sentences: Iterable[Sequence[str]], order: int, discounts: Sequence[float] | None = None) -> Model:
    """The model of these sentences of words, with n-grams up to `order`; equal arguments give equal models.

    `discounts` (of n-grams seen once, twice, more often) replace those that each order's counts of counts give.
    A word that is written as <unk>, <s> or </s> counts as unknown.
    """
    words = {word: number for number, word in enumerate(SPECIAL)}
    ids = _read(sentences, words)
    counted = _counted(ids, order, len(words))
    tables: list[Table] = []
    chosen: list[tuple[float, ...]] = []
    for length, grams in enumerate(counted, start=1):
        counts = grams.adjusted(counted[length] if length < order else None, length)
        chosen.append(tuple(discounts) if discounts else _discounts(counts))
        taken = _taken(counts, chosen[-1])
        chances = _among(grams, counts, taken, tables[-1]) if tables else _alone(counts, taken)
        tables.append(Table(grams.keys, np.log(chances), np.zeros(len(grams.keys))))
    tables[0].logprob[BOS] = NEVER
    return Model(words, tables, chosen)


def _alone(counts: Floats, taken: Floats) -> Floats:
    """The probabilities of single words: the mass of their discounts is shared out evenly among all but <s>."""
    total = float(counts.sum())
    if not total:
        return np.full(len(counts), 1 / (len(counts) - 1))
    return np.asarray((counts - taken) / total + taken.sum() / total / (len(counts) - 1))


def _among(grams: "_Grams", counts: Floats, taken: Floats, below: Table) -> Floats:
    """The probabilities of longer n-grams; the mass that each beginning leaves to `below` becomes `backoff` there."""
    size = len(below.keys)
    totals = np.bincount(grams.prefix, weights=counts, minlength=size)
    left = np.bincount(grams.prefix, weights=taken, minlength=size)
    weights = np.divide(left, totals, out=np.ones(size), where=totals > 0)
    below.backoff[:] = np.log(weights)
    shared = weights[grams.prefix] * np.exp(below.logprob[grams.suffix])
    return np.asarray((counts - taken) / totals[grams.prefix] + shared)


@dataclass(frozen=True)
class _Grams:
    """The different n-grams of one length (m,): the places of their beginnings and endings in the table below."""

    keys: Ints
    prefix: Ints
    suffix: Ints
    seen: Ints
    begins: NDArray[np.bool_]  # with <s>

    def adjusted(self, longer: "_Grams | None", length: int) -> Floats:
        """The count of each, in the highest order and behind <s>; else the number of different words before it."""
        if longer is None:
            counts = self.seen.astype(np.float64)
        else:
            before = np.bincount(longer.suffix, minlength=len(self.keys))
            counts = np.where(self.begins, self.seen, before).astype(np.float64)
        if length == 1:
            counts[BOS] = 0.0
        return counts


def _read(sentences: Iterable[Sequence[str]], words: dict[str, int]) -> Ints:
    """All words' numbers between BOS and EOS; new words are added to `words`."""
    ids: list[int] = []
    for sentence in sentences:
        ids += [BOS, *(UNK if word in SPECIAL else words.setdefault(word, len(words)) for word in sentence), EOS]
    return np.array(ids, dtype=np.int64)


def _counted(ids: Ints, order: int, size: int) -> list[_Grams]:
    """The n-grams of each length from 1 to `order`."""
    seen = np.bincount(ids, minlength=size)
    every = np.arange(size, dtype=np.int64)
    none = np.zeros(0, dtype=np.int64)
    found = [_Grams(every, none, none, seen, np.zeros(size, dtype=bool))]
    offsets = np.arange(len(ids)) - np.maximum.accumulate(np.where(ids == BOS, np.arange(len(ids)), 0))
    ending = ids
    for length in range(2, order + 1):
        context = _before(ending, ids)
        there = np.flatnonzero(context >= 0)
        keys, first, which, counts = np.unique(
            context[there] * size + ids[there], return_index=True, return_inverse=True, return_counts=True
        )
        first = there[first]
        found.append(_Grams(keys, keys // size, ending[first], counts, offsets[first] == length - 1))
        ending = np.full(len(ids), -1, dtype=np.int64)
        ending[there] = which
    return found


def _before(ending: Ints, ids: Ints) -> Ints:
    """For each word, the n-gram that ends just before it; -1 before BOS, the first place of a sentence."""
    context = np.full(len(ids), -1, dtype=np.int64)
    context[1:] = ending[:-1]
    context[ids == BOS] = -1
    return context


def _discounts(counts: Floats) -> tuple[float, ...]:
    """The discounts of n-grams counted once, twice, and more often: equation 26 of Chen and Goodman."""
    one, two, three, four = (float((counts == n).sum()) for n in range(1, 5))
    if not (one and two and three):
        return FALLBACK
    y = one / (one + 2 * two)
    found = (1 - 2 * y * two / one, 2 - 3 * y * three / two, 3 - 4 * y * four / three)
    return found if all(0 < each <= most for most, each in enumerate(found, start=1)) else FALLBACK


def _taken(counts: Floats, discounts: Sequence[float]) -> Floats:
    """The discount of each count."""
    by_count = np.array([0.0, *discounts])
    return by_count[np.minimum(counts, 3).astype(np.int64)]
