"""N-grams of many texts at once, as sorted numbers: how often each stands in each text, and in others beside it.

The same n-gram has the same number in all texts that are counted together, and another one another: nothing is hashed.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
ROOM = 2**62  # above any number that a text and an n-gram make


class NgramCounts(NamedTuple):
    """What so many `texts` hold: n-gram `grams[k]`, a number below `kinds`, stands `times[k]` times in `owners[k]`.

    Each n-gram of a text has one entry; they are sorted by text, then by n-gram. All arrays: (entries,).
    """

    owners: Ints
    grams: Ints
    times: Ints
    texts: int
    kinds: int

    def part(self, first: int, last: int) -> "NgramCounts":
        """Of the texts from `first` to before `last`; the first of them becomes text 0."""
        low, high = np.searchsorted(self.owners, (first, last))
        return NgramCounts(
            self.owners[low:high] - first, self.grams[low:high], self.times[low:high], last - first, self.kinds
        )

    def at(self, owners: Ints, grams: Ints) -> Ints:
        """How often each of these n-grams stands in the text beside it: 0 where it does not."""
        keys, wanted = self.owners * self.kinds + self.grams, owners * self.kinds + grams
        if not len(keys):
            return np.zeros_like(wanted)
        places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[places] == wanted, self.times[places], 0)

    def most(self, groups: Ints, count: int) -> "NgramCounts":
        """Texts put together, text i into the `groups[i]`th of `count`: the most often that an n-gram stands in one."""
        keys = groups[self.owners] * self.kinds + self.grams
        order = np.argsort(keys, kind="stable")
        firsts = np.flatnonzero(np.diff(keys[order], prepend=-1))
        times = np.maximum.reduceat(self.times[order], firsts) if len(firsts) else self.times
        owners, grams = np.divmod(keys[order][firsts], self.kinds)
        return NgramCounts(owners, grams, times, count, self.kinds)

    def split(self, count: int) -> tuple["NgramCounts", "NgramCounts"]:
        """The first `count` texts, outputs say, and those behind them."""
        return self.part(0, count), self.part(count, self.texts)

    def close(self) -> "NgramCounts":
        """The n-grams numbered anew, from 0 without a gap."""
        grams, kinds = _close(self.grams)
        return self._replace(grams=grams, kinds=kinds)

    def sums(self, values: NDArray[np.float64] | Ints) -> NDArray[np.float64]:
        """(texts,): of each text the sum of its entries' values (entries,)."""
        return np.bincount(self.owners, weights=values, minlength=self.texts).astype(np.float64)


def count_ngrams(texts: Sequence[Sequence[str]], orders: int) -> Iterator[NgramCounts]:
    """The n-grams of the texts, for n from 1 to `orders`: of words, or of characters where a text is a string."""
    codes, lengths, alphabet = _numbered(texts)
    ends = np.repeat(np.cumsum(lengths), lengths)
    owners = np.repeat(np.arange(len(texts)), lengths)
    starts, grams, kinds = np.arange(len(codes)), codes, alphabet
    for n in range(1, orders + 1):
        if n > 1:
            long = starts + n <= ends[starts]
            starts, grams = starts[long], grams[long]
            grams, kinds = _below(grams, kinds, ROOM // alphabet)
            grams, kinds = grams * alphabet + codes[starts + n - 1], kinds * alphabet
        grams, kinds = _below(grams, kinds, ROOM // max(len(texts), 1))
        keys, times = np.unique(owners[starts] * kinds + grams, return_counts=True)
        yield NgramCounts(*np.divmod(keys, kinds), times, len(texts), kinds)


def overlaps(texts: NgramCounts, count: int, of: Ints) -> NDArray[np.float64]:
    """(references, 3): the n-grams that each shares with its output, the output's, and its own.

    The outputs are the first `count` texts; `of` says whose reference each behind them is.
    """
    outputs, references = texts.split(count)
    shared = np.minimum(references.times, outputs.at(of[references.owners], references.grams))
    said = outputs.sums(outputs.times)[of]
    return np.column_stack((references.sums(shared), said, references.sums(references.times)))


def lengths_of(texts: Iterable[Sequence[object]]) -> Ints:
    """How many words, or texts, each has."""
    return np.fromiter(map(len, texts), np.int64)


def first_maxima(values: NDArray[np.float64], counts: Ints) -> Ints:
    """Where the greatest of each run of values is, the first of equals; `counts` says how long the runs are."""
    ends = np.cumsum(counts)
    runs = zip(ends - counts, ends, strict=True)
    return np.array([start + np.argmax(values[start:end]) for start, end in runs], dtype=np.int64)


def sentence_of_each(counts: Ints) -> Ints:
    """Of each of the references of sentences that have so many, one after the other, which sentence it is of."""
    return np.repeat(np.arange(len(counts)), counts)


def _numbered(texts: Sequence[Sequence[str]]) -> tuple[Ints, Ints, int]:
    """All words one after the other as numbers, how many each text has, and above which number there is none.

    Numbers are in the words' own order, so that a text's n-grams come in one order, and are summed in one, whatever
    texts are counted beside it: equal texts have equal scores, to the last digit.
    """
    known = {word: number for number, word in enumerate(sorted(set(chain.from_iterable(texts))))}
    codes = np.fromiter(map(known.__getitem__, chain.from_iterable(texts)), np.int64)
    return codes, lengths_of(texts), max(len(known), 1)


def _below(grams: Ints, kinds: int, room: int) -> tuple[Ints, int]:
    """The n-grams numbered anew where their numbers would not stay below `room`."""
    return (grams, kinds) if kinds < room else _close(grams)


def _close(grams: Ints) -> tuple[Ints, int]:
    known, grams = np.unique(grams, return_inverse=True)
    return grams, max(len(known), 1)
