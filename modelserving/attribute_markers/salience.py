"""Attribute markers of a style: n-grams that are much more frequent in its texts than in all others (Li et al. 2018).

    s(u, v) = (count(u, D_v) + lambda) / (sum over other styles v' of count(u, D_v') + lambda)

Equation 1: u is a marker of v where s(u, v) is above a threshold gamma. An n-gram that is so frequent has parts that
are as frequent, so n-grams are counted length by length, and only those of frequent parts: 100,000 texts take seconds.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

Words = Sequence[str]
Markers = dict[str, float]
"""The salience of each marker, whose words stand with single spaces between."""


def markers_of(
    texts: Mapping[str, Collection[Words]], threshold: float, smoothing: float, longest: int
) -> dict[str, Markers]:
    """The markers of each style, the most salient first, ties by spelling.

    Args:
        texts: By style, each text as its words.
        threshold: Gamma; an n-gram of just this salience is no marker.
        smoothing: Lambda, above 0.
        longest: Words of an n-gram at most.
    """
    # The least count with which an n-gram that no other style has is above the threshold.
    least = max(1, math.floor((threshold - 1) * smoothing) + 1)
    frequent = {style: frequent_ngrams(lines, longest, least) for style, lines in texts.items()}
    found = {}
    for style, counts in frequent.items():
        others = (words for other, lines in texts.items() if other != style for words in lines)
        elsewhere = Counter(gram for words in others for gram in ngrams(words, longest) if gram in counts)
        scores = ((gram, salience(count, elsewhere[gram], smoothing)) for gram, count in counts.items())
        found[style] = dict(sorted((one for one in scores if one[1] > threshold), key=lambda one: (-one[1], one[0])))
    return found


def salience(count: int, elsewhere: int, smoothing: float) -> float:
    """Equation 1, of how often an n-gram stands in the texts of a style, and in those of all others."""
    return (count + smoothing) / (elsewhere + smoothing)


def frequent_ngrams(texts: Collection[Words], longest: int, least: int) -> dict[str, int]:
    """How often each n-gram of 1 to `longest` words stands in the texts that stands there `least` times."""
    found: dict[str, int] = {}
    shorter: dict[str, int] = {}
    for n in range(1, longest + 1):
        counts = Counter(_of_frequent_parts(texts, n, shorter))
        shorter = {gram: count for gram, count in counts.items() if count >= least}
        found |= shorter
    return found


def ngrams(words: Words, longest: int) -> Iterator[str]:
    """All n-grams of 1 to `longest` words."""
    for n in range(1, longest + 1):
        for at in range(len(words) - n + 1):
            yield " ".join(words[at : at + n])


def _of_frequent_parts(texts: Iterable[Words], n: int, shorter: Mapping[str, int]) -> Iterator[str]:
    """The n-grams both of whose parts of n - 1 words are among the shorter ones."""
    for words in texts:
        for at in range(len(words) - n + 1):
            end = at + n
            if n == 1 or (" ".join(words[at : end - 1]) in shorter and " ".join(words[at + 1 : end]) in shorter):
                yield " ".join(words[at:end])
