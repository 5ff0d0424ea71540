"""Sentences of another domain that look like one's own: by the difference of cross-entropies (Moore and Lewis 2010)."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from foundation.kneser_ney import UNKNOWN, Model, estimate
from foundation.papers import Paper
from foundation.seeds import generator

PAPER = Paper(
    "Moore and Lewis",
    2010,
    "Intelligent Selection of Language Model Training Data",
    "https://aclanthology.org/P10-2041/",
)
ORDER = 4  # of both models, theirs
SEEN = 2  # times that a word stands in the own texts at least, or it counts as unknown to both models
TOGETHER = 1000
Words = list[str]


def select_in_domain(
    own: Sequence[str],
    others: Sequence[str],
    share: float,
    seed: int,
    cut: Callable[[str], Words],
    pulse: Callable[[], None],
) -> list[int]:
    """The places of the `share` of the `others` that are the most like the `own`, in their order.

    Bits a word under a model of the own minus those under a model of as many of the others, drawn by the seed; the
    lowest are taken, of equal ones the first.
    """
    known = _known(map(cut, own))
    mine = estimate(_masked(map(cut, own), known), ORDER)
    theirs = estimate(_masked((cut(others[place]) for place in _drawn(len(others), len(own), seed)), known), ORDER)
    differences = np.full(len(others), math.inf)
    for first in range(0, len(others), TOGETHER):
        pulse()
        some = list(_masked(map(cut, others[first : first + TOGETHER]), known))
        differences[first : first + len(some)] = _bits(mine, some) - _bits(theirs, some)
    count = min(round(share * len(others)), int(np.isfinite(differences).sum()))
    return sorted(np.argsort(differences, kind="stable")[:count].tolist())


def _known(sentences: Iterable[Words]) -> set[str]:
    counts = Counter(word for sentence in sentences for word in sentence)
    return {word for word, count in counts.items() if count >= SEEN}


def _masked(sentences: Iterable[Words], known: set[str]) -> Iterator[Words]:
    return ([word if word in known else UNKNOWN for word in sentence] for sentence in sentences)


def _drawn(others: int, count: int, seed: int) -> list[int]:
    rng = generator(seed, "out of domain")
    return sorted(rng.choice(others, size=min(count, others), replace=False).tolist())


def _bits(model: Model, sentences: list[Words]) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """A word and the end of each sentence; an empty sentence has none (nan)."""
    found = [-each.sum() / len(each) / math.log(2) if len(each) > 1 else math.nan for each in model.logprobs(sentences)]
    return np.array(found)
