"""Weights with which the outputs of a tune set have the best BLEU or SARI (minimum error rate training, Och 2003).

Round by round the tune set is decoded with the weights so far, what comes is added to each sentence's outputs, and the
weights are moved, along one axis or a direction of chance at a time, to where the score of the best of these is the
highest. It ends when a round brings nothing new. Of all weights that were decoded with, the best are had.
"""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, Protocol

import numpy as np

from evaluation.metrics.sari import Against
from foundation import seeds
from foundation.papers import Paper
from modelserving.phrase_based.decoder import Decoder, Derivation
from modelserving.phrase_based.line_search import BLEU_SUMS, ORDERS, Pool, line, score
from modelserving.phrase_based.phrase_table import START, Floats

PAPER = Paper(
    "Och", 2003, "Minimum Error Rate Training in Statistical Machine Translation", "https://aclanthology.org/P03-1021/"
)
RESTARTS = 4  # other weights that a round starts from, by chance
DIRECTIONS = 10  # by chance, beside the axes
ENOUGH = 1e-6  # of a score, from 0 to 1: a smaller gain is none
TOGETHER = 64  # sentences that are decoded between two pulses

Text = Sequence[str]
Metric = Literal["bleu", "sari"]


def tune_weights(
    decoder: Decoder,
    sources: Sequence[Text],
    references: Sequence[Sequence[Text]],
    seed: int,
    *,
    metric: Metric = "bleu",
    rounds: int = 10,
    size: int = 100,
    say: Callable[[str], None] = lambda line: None,
    pulse: Callable[[], None] = lambda: None,
) -> Floats:
    """Tune weights by minimum error rate training, from those of the decoder; that of unknown words stays.

    Args:
        decoder: Decodes with the weights so far.
        sources: n tokenized sources of the dev set.
        references: For each source one tokenized reference at least.
        seed: Equal seeds give equal weights.
        metric: What is maximized.
        rounds: Rounds of decoding and line search, at most.
        size: Length of each n-best list.
        say: Is told each round's score.
        pulse: Called now and then; what it raises ends the tuning.

    Returns:
        The weights of the round with the highest score, (15,).
    """
    grown = Outputs(references) if metric == "bleu" else Outputs(references, sources)
    weights = best = decoder.weights
    highest = -1.0
    for number in range(rounds + 1):
        found = _decoded(decoder.weighing(weights), sources, size, pulse)
        reached = grown.score([one[0].words for one in found])
        say(f"Weights of round {number}: {metric.upper()} {100 * reached:.2f} of the tune set.")
        if reached > highest:
            best, highest = weights, reached
        if not grown.add(found) or number == rounds:
            break
        weights = optimize(grown.pool(), weights, decoder.tuned, seeds.generator(seed, "weights", number), pulse)
    return best


def _decoded(decoder: Decoder, sources: Sequence[Text], size: int, pulse: Callable[[], None]) -> list[list[Derivation]]:
    """The outputs of each source, decoded on all cores that this process may use."""
    found: list[list[Derivation]] = []
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
        for first in range(0, len(sources), TOGETHER):
            found += threads.map(lambda words: decoder.nbest(words, size), sources[first : first + TOGETHER])
            pulse()
    return found


class Outputs:
    """All different outputs of each sentence so far; those of one text with other features are different too.

    They are scored by BLEU; where there are `sources` by SARI, to which case is nothing.
    """

    def __init__(self, references: Sequence[Sequence[Text]], sources: Sequence[Text] | None = None) -> None:
        self._references: list[_Judge] = [_Reference(each) for each in references]
        if sources is not None:
            self._references = [_Simpler(*each) for each in zip(sources, references, strict=True)]
        self._rows: list[dict[tuple[tuple[str, ...], bytes], Floats]] = [{} for _ in references]
        self._counts: list[dict[tuple[str, ...], Floats]] = [{} for _ in references]

    def add(self, found: Sequence[Sequence[Derivation]]) -> bool:
        """Whether any of them is new."""
        before = sum(map(len, self._rows))
        for rows, counts, reference, derivations in zip(self._rows, self._counts, self._references, found, strict=True):
            for derivation in derivations:
                rows.setdefault((derivation.words, derivation.features.round(6).tobytes()), derivation.features)
                if derivation.words not in counts:
                    counts[derivation.words] = reference.counts(derivation.words)
        return sum(map(len, self._rows)) > before

    def pool(self) -> Pool:
        first = np.concatenate([[0], np.cumsum([len(rows) for rows in self._rows])])
        features = np.array([each for rows in self._rows for each in rows.values()])
        pairs = zip(self._rows, self._counts, strict=True)
        return Pool(first, features, np.array([counts[words] for rows, counts in pairs for words, _ in rows]))

    def score(self, texts: Sequence[Text]) -> float:
        """Of one text a sentence, from 0 to 1."""
        pairs = zip(texts, self._references, strict=True)
        return score(np.sum([reference.counts(words) for words, reference in pairs], axis=0))


class _Judge(Protocol):
    def counts(self, words: Text) -> Floats:
        """A row of Pool's counts."""
        ...


class _Reference:
    """What a sentence's outputs are compared with."""

    def __init__(self, texts: Sequence[Text]) -> None:
        self._lengths = [len(text) for text in texts]
        self._most: Counter[tuple[str, ...]] = Counter()
        for text in texts:
            self._most |= _ngrams(text)

    def counts(self, words: Text) -> Floats:
        """A row of Pool's counts."""
        own = _ngrams(words)
        found = np.zeros(BLEU_SUMS)
        for gram, count in own.items():
            found[len(gram) - 1] += min(count, self._most[gram])
        found[ORDERS : 2 * ORDERS] = [max(0, len(words) - order) for order in range(ORDERS)]
        found[-2:] = len(words), min(self._lengths, key=lambda length: (abs(length - len(words)), length))
        return found


class _Simpler:
    """What SARI compares a sentence's outputs with."""

    def __init__(self, source: Text, references: Sequence[Text]) -> None:
        self._against = Against(_lowered(source), list(map(_lowered, references)))

    def counts(self, words: Text) -> Floats:
        """A row of Pool's counts."""
        return np.array(self._against.counts(_lowered(words))).ravel()


def _lowered(words: Text) -> tuple[str, ...]:
    return tuple(word.lower() for word in words)


def _ngrams(words: Text) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + n]) for n in range(1, ORDERS + 1) for i in range(len(words) - n + 1))


def optimize(
    pool: Pool,
    start: Floats,
    tuned: Sequence[int],
    chance: np.random.Generator,
    pulse: Callable[[], None] = lambda: None,
) -> Floats:
    """The best weights for these outputs that are found from `start` and from others near it; `tuned` may change."""
    best, highest = climb(pool, start, tuned, chance, pulse)
    for _ in range(RESTARTS):
        other = start.copy()
        other[tuned] += chance.normal(size=len(tuned)) * np.abs(START[tuned])
        found, value = climb(pool, other, tuned, chance, pulse)
        if value > highest + ENOUGH:
            best, highest = found, value
    best = best.copy()
    best[tuned] *= np.abs(START[tuned]).sum() / np.abs(best[tuned]).sum()  # so that thresholds mean what they meant
    return best


def climb(
    pool: Pool,
    weights: Floats,
    tuned: Sequence[int],
    chance: np.random.Generator,
    pulse: Callable[[], None] = lambda: None,
) -> tuple[Floats, float]:
    """(weights, their score), from where no axis and no direction of chance leads on: the best of them is gone."""
    reached = line(pool, pool.features @ weights, np.zeros(len(pool.features)))[1]
    while True:
        pulse()
        directions = np.zeros((len(tuned) + DIRECTIONS, len(weights)))
        directions[np.arange(len(tuned)), tuned] = 1.0
        directions[len(tuned) :, tuned] = chance.normal(size=(DIRECTIONS, len(tuned))) * np.abs(START[tuned])
        heights, slopes = pool.features @ weights, directions @ pool.features.T
        steps, values = zip(*(line(pool, heights, each) for each in slopes), strict=True)
        chosen = int(np.argmax(values))
        if values[chosen] <= reached + ENOUGH:
            return weights, reached
        weights, reached = weights + steps[chosen] * directions[chosen], values[chosen]
