"""Texts that are like a text: Okapi BM25 over words (Robertson and Zaragoza 2009, section 3.5), k1 1.2, b 0.75."""

import math
import re
from collections import Counter
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

K1, B = 1.2, 0.75
WORD = re.compile(r"\w+")
Floats = npt.NDArray[np.float64]


class Bm25:
    """An index over texts, by their places. With `only` it knows no other words: enough for one query, and small."""

    def __init__(self, texts: Iterable[str], only: Iterable[str] | None = None) -> None:
        known = None if only is None else set(only)
        places: dict[str, list[tuple[int, int]]] = {}
        lengths: list[int] = []
        for place, text in enumerate(texts):
            counts = Counter(words_of(text))
            lengths.append(counts.total())
            for word, count in counts.items():
                if known is None or word in known:
                    places.setdefault(word, []).append((place, count))
        self.size = len(lengths)
        self._places = {word: np.array(found, dtype=np.int64) for word, found in places.items()}
        ends = np.array(lengths, dtype=np.float64)
        mean = ends.mean() if self.size and ends.any() else 1.0
        self._norm: Floats = K1 * (1 - B + B * ends / mean)

    def scores(self, query: str) -> Floats:
        """How like the query each text is; 0 where they share no word."""
        found = np.zeros(self.size)
        for word, times in sorted(Counter(words_of(query)).items()):
            at = self._places.get(word)
            if at is not None:
                rows, counts = at[:, 0], at[:, 1]
                rarity = math.log(1 + (self.size - len(rows) + 0.5) / (len(rows) + 0.5))
                found[rows] += times * rarity * counts * (K1 + 1) / (counts + self._norm[rows])
        return found

    def nearest(self, query: str) -> Iterable[int]:
        """All places, the most alike first; equal ones in their order."""
        return map(int, np.argsort(-self.scores(query), kind="stable"))


def words_of(text: str) -> list[str]:
    """The words as they are compared: runs of letters and digits, case aside."""
    return WORD.findall(text.casefold())
