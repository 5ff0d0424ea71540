"""Outputs that know nothing: the source with words dropped, replaced or shuffled. What is no better has failed."""

import random
from collections.abc import Callable, Sequence

DROPPED, REPLACED = 0.2, 0.3
Noise = Callable[[str, Sequence[str], random.Random], str]


def dropped(source: str, words: Sequence[str], chance: random.Random) -> str:
    """The source without each of its words by a chance of a fifth."""
    return " ".join(word for word in source.split() if chance.random() >= DROPPED)


def replaced(source: str, words: Sequence[str], chance: random.Random) -> str:
    """The source with each of its words replaced by a chance of 30%, by one drawn from all words."""
    return " ".join(chance.choice(words) if chance.random() < REPLACED else word for word in source.split())


def shuffled(source: str, words: Sequence[str], chance: random.Random) -> str:
    """The words of the source in any order."""
    found = source.split()
    chance.shuffle(found)
    return " ".join(found)


NOISES: dict[str, tuple[str, Noise]] = {
    "words_dropped": ("a fifth of the words dropped", dropped),
    "words_replaced": ("30% of the words replaced at random", replaced),
    "words_shuffled": ("the words in any order", shuffled),
}


def noisy_outputs(name: str, sources: Sequence[str], seed: int, texts: Sequence[str]) -> list[str]:
    """The outputs of a kind of noise; words are drawn from those of the texts, as often as they stand there."""
    words = [word for text in texts for word in text.split()]
    chance = random.Random(seed)  # noqa: S311 - no secret
    return [NOISES[name][1](source, words, chance) for source in sources]
