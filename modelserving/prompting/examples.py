"""Which pairs of the train set stand in a prompt as examples: drawn once by the seed, or retrieved for each text.

A pair whose source is the text itself is never among them, so no text meets its own reference.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice

from foundation.seeds import generator
from foundation.text_keys import normalized_key
from modelserving.prompting.bm25 import Bm25, words_of
from modelserving.prompting.template import Pair

DRAWN, RETRIEVED = "drawn", "retrieved"


class Examples:
    """The pool of pairs: of sources that are the same the first pair alone."""

    def __init__(self, pairs: Iterable[Pair], shots: int, choice: str, seed: int | None) -> None:
        """Without a seed the pairs are in the order in which they were drawn: those that a checkpoint keeps."""
        self.shots, self.choice, self.seed = shots, choice, seed
        found: dict[str, Pair] = {}
        for source, target in pairs if shots else ():
            if source.strip() and target.strip():
                found.setdefault(normalized_key(source), (source, target))
        self.pairs: Sequence[Pair] = list(found.values())
        self._keys = list(found)

    def of(self, text: str) -> list[Pair]:
        """The examples for a text, the one to stand last being the most alike, or in the order that was drawn."""
        if not self.shots:
            return []
        if self.choice == DRAWN:
            return self._first(self._drawn, text)
        return self._first(self._index.nearest(text), text)[::-1]

    def for_one(self, text: str) -> list[Pair]:
        """As `of`, for a single text: without an index over all words."""
        if self.choice == RETRIEVED:
            self.__dict__["_index"] = Bm25((source for source, _ in self.pairs), only=words_of(text))
        return self.of(text)

    def stored(self) -> list[list[str]]:
        """What a checkpoint keeps: of drawn ones no more than may be asked for."""
        if self.choice == RETRIEVED:
            return [list(pair) for pair in self.pairs]
        return [list(self.pairs[place]) for place in islice(self._drawn, self.shots + 1)]

    def _first(self, places: Iterable[int], text: str) -> list[Pair]:
        key = normalized_key(text)
        others: Iterator[int] = (place for place in places if self._keys[place] != key)
        return [self.pairs[place] for place in islice(others, self.shots)]

    @cached_property
    def _drawn(self) -> list[int]:
        if self.seed is None:
            return list(range(len(self.pairs)))
        return [int(place) for place in generator(self.seed, "examples").permutation(len(self.pairs))]

    @cached_property
    def _index(self) -> Bm25:
        return Bm25(source for source, _ in self.pairs)
