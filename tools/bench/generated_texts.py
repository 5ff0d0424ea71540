"""Sentences made of everyday words with a seed, and rewritten by moving, changing, leaving out and adding words."""

from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import NamedTuple

from corpora.knowledge import common_words

SEED = 20


class Texts(NamedTuple):
    """`outputs` by system, `references` by sentence."""

    sources: list[str]
    references: list[list[str]]
    outputs: list[list[str]]

    def first(self, count: int) -> "Texts":
        """The texts of so many sentences."""
        return Texts(self.sources[:count], self.references[:count], [each[:count] for each in self.outputs])


class Writer:
    """Draws words, few of them often, as in any text."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311
        self._words = sorted(common_words.load())
        self._random.shuffle(self._words)
        self._weights = list(accumulate(1 / (rank + 5) for rank in range(len(self._words))))

    def sentence(self) -> list[str]:
        return self._some(self._random.randint(8, 32))

    def rewritten(self, words: Sequence[str], changes: int) -> list[str]:
        """The words with so many changes, each of a phrase of up to five of them."""
        words = list(words)
        for _ in range(changes):
            start, length = self._random.randrange(len(words) + 1), self._random.randint(1, 5)
            phrase, words[start : start + length] = words[start : start + length], []
            start = self._random.randint(0, len(words))
            words[start:start] = self._random.choice([phrase, self._some(len(phrase)), self._some(length), []])
        return words

    def _some(self, count: int) -> list[str]:
        return self._random.choices(self._words, cum_weights=self._weights, k=count)


def made_texts(systems: int, sentences: int, references: int) -> Texts:
    """Each system changes more than the one before."""
    writer = Writer(SEED)
    sources = [writer.sentence() for _ in range(sentences)]
    return Texts(
        [_written(source) for source in sources],
        [[_written(writer.rewritten(source, 3)) for _ in range(references)] for source in sources],
        [[_written(writer.rewritten(source, 2 + at)) for source in sources] for at in range(systems)],
    )


def _written(words: Sequence[str]) -> str:
    """With a capital, and a comma and a stop where there are enough words."""
    text = " ".join(words)
    half = len(words) // 2
    if half > 3:
        text = f"{' '.join(words[:half])}, {' '.join(words[half:])}"
    return f"{text[:1].upper()}{text[1:]}."
