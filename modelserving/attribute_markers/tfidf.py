"""Texts that are like a text: the cosine of their TF-IDF vectors, over an index from words to texts.

    w(t, d) = tf(t, d) (ln((1 + n) / (1 + df(t))) + 1), each text's vector at length 1

They are the numbers of scikit-learn's TfidfVectorizer. Li et al. (2018) say 'TF-IDF weighted word overlap', not which.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class TfIdf:
    """An index over texts, by their places. 12 bytes a word and text that has it."""

    def __init__(self, texts: Iterable[Sequence[str]]) -> None:
        self._ids: dict[str, int] = {}
        words, places, counts, size = array("q"), array("q"), array("d"), 0
        for place, text in enumerate(texts):
            size = place + 1
            for word, count in Counter(text).items():
                words.append(self._ids.setdefault(word, len(self._ids)))
                places.append(place)
                counts.append(count)
        self.size = size
        self._index(np.array(words, dtype=np.int64), np.array(places, dtype=np.int64), np.array(counts))

    def _index(self, words: NDArray[np.int64], places: NDArray[np.int64], counts: Floats) -> None:
        having = np.bincount(words, minlength=len(self._ids))
        self._idf: Floats = np.log((1 + self.size) / (1 + having)) + 1
        weights = counts * self._idf[words]
        lengths = np.sqrt(np.bincount(places, weights**2, minlength=self.size))
        order = np.argsort(words, kind="stable")
        self._starts = np.concatenate([[0], np.cumsum(having)])
        self._places = places[order].astype(np.int32)
        self._weights: Floats = (weights / lengths[places])[order]

    def scores(self, words: Iterable[str]) -> Floats:
        """The cosine of each text with the words; 0 where they share none."""
        known = sorted((self._ids[word], count) for word, count in Counter(words).items() if word in self._ids)
        found = np.zeros(self.size)
        query = np.array([count * self._idf[word] for word, count in known])
        for (word, _), weight in zip(known, query / np.sqrt((query**2).sum()), strict=True):
            at = slice(self._starts[word], self._starts[word + 1])
            found[self._places[at]] += weight * self._weights[at]
        return found

    def nearest(self, words: Iterable[str], most: int) -> list[int]:
        """The places of the most alike, at most so many; equal ones in their order."""
        scores = self.scores(words)
        if most < self.size:
            candidates = np.flatnonzero(scores >= np.partition(scores, self.size - most)[self.size - most])
        else:
            candidates = np.arange(self.size)
        order = np.argsort(-scores[candidates], kind="stable")[:most]
        return [int(place) for place in candidates[order]]
