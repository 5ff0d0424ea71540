"""Weights with which the outputs of a tune set have the best BLEU or SARI (minimum error rate training, Och 2003).

Each round decodes the tune set with the weights so far and adds the results to each sentence's outputs. It then moves
the weights, along one axis or one random direction at a time, to where the best of these outputs have the highest
score. The search ends when a round brings nothing new, with the best of all weights that were decoded with.
"""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, NamedTuple, Protocol

import numpy as np

from evaluation.metrics.sari import Against
from foundation import seeds
from foundation.papers import Paper
from modelserving.phrase_based.decoder import Decoder, Derivation
from modelserving.phrase_based.jit import compiled, within
from modelserving.phrase_based.phrase_table import START, Floats, Offsets

# BLEU or SARI along a line of weights, exactly (Och 2003).
#
# On the line `base + step * direction` each output's score is a straight line over `step`, so each sentence's best
# output changes only where such lines cross, and the corpus's score is a step function with known steps.

ORDERS = 4
BLEU_SUMS = 2 * ORDERS + 2
NARROW = 1e-6  # the least distance of two crossings that count as two
BEYOND = 1.0  # how far behind the last crossing


class Pool(NamedTuple):
    """Outputs of n sentences: those of sentence i are the rows from `first[i]` to `first[i + 1]`.

    `features` (m, 15); their score comes from the `counts`, summed over sentences. For BLEU these are whole numbers
    (m, 2 * ORDERS + 2): n-grams of each order that a reference has, n-grams of each order, the length, and that of the
    nearest reference. For SARI (m, 6 * ORDERS): right n-grams, and those of either side, by order and operation.
    """

    first: Offsets
    features: Floats
    counts: Floats


@compiled
def bleu(sums: Floats) -> float:
    """From 0 to 1; an order without any match counts half a match, so that there is a way up from nothing."""
    total = 0.0
    for order in range(ORDERS):
        total += np.log(max(float(sums[order]), 0.5) / max(float(sums[ORDERS + order]), 1.0)) / ORDERS
    length, reference = sums[2 * ORDERS], sums[2 * ORDERS + 1]
    if length < reference:
        total += 1 - reference / max(float(length), 0.5)
    return float(np.exp(total))


@within
def sari(sums: Floats) -> float:
    """From 0 to 1; as in evaluation/metrics/sari.py, the mean over orders and operations of their F1."""
    total = 0.0
    for place in range(0, len(sums), 2):
        if sums[place + 1] > 0:
            total += 2 * sums[place] / sums[place + 1]
    return total / (len(sums) // 2)


@compiled
def score(sums: Floats) -> float:
    """BLEU or SARI, told apart by the number of sums."""
    if len(sums) == BLEU_SUMS:
        return bleu(sums)
    return sari(sums)


@compiled
def line(pool: Pool, heights: Floats, slopes: Floats) -> tuple[float, float]:
    """(the best step, its score), given each output's score at 0 and its change for a step of 1.

    The step is the middle of the best stretch, the nearest to 0 among equal ones.
    """
    sums = np.zeros(pool.counts.shape[1], dtype=np.float64)
    steps, before, after = np.empty(len(heights)), np.empty(len(heights), np.int64), np.empty(len(heights), np.int64)
    found = 0
    for i in range(len(pool.first) - 1):
        hull, size = _hull(heights, slopes, pool.first[i], pool.first[i + 1])
        _add(sums, pool.counts, hull[0], 1)
        for at in range(1, size):
            steps[found], before[found], after[found] = (
                _crossing(heights, slopes, hull[at - 1], hull[at]),
                hull[at - 1],
                hull[at],
            )
            found += 1
    return _walked(pool.counts, sums, steps[:found], before, after)


@within
def _hull(heights: Floats, slopes: Floats, first: int, last: int) -> tuple[Offsets, int]:
    """The rows that are the highest somewhere, from left to right, and their number."""
    order = np.argsort(slopes[first:last])
    hull, size = np.empty(last - first, dtype=np.int64), 0
    for place in order:
        row = first + place
        if size and slopes[hull[size - 1]] == slopes[row]:
            if heights[hull[size - 1]] >= heights[row]:
                continue
            size -= 1
        while size > 1 and _crossing(heights, slopes, hull[size - 1], row) <= _crossing(
            heights, slopes, hull[size - 2], hull[size - 1]
        ):
            size -= 1
        hull[size] = row
        size += 1
    return hull, size


@within
def _crossing(heights: Floats, slopes: Floats, left: int, right: int) -> float:
    """The step at which the row with the greater slope, `right`, becomes the higher one."""
    return float((heights[left] - heights[right]) / (slopes[right] - slopes[left]))


@within
def _add(sums: Floats, counts: Floats, row: int, times: int) -> None:
    for i in range(len(sums)):
        sums[i] += times * counts[row, i]


@within
def _walked(counts: Floats, sums: Floats, steps: Floats, before: Offsets, after: Offsets) -> tuple[float, float]:
    """The best stretch between crossings, given what holds on the far left."""
    if not len(steps):
        return 0.0, score(sums)
    order = np.argsort(steps)
    step, best = steps[order[0]] - BEYOND, score(sums)
    for place in range(len(order)):
        at = order[place]
        _add(sums, counts, before[at], -1)
        _add(sums, counts, after[at], 1)
        end = steps[order[place + 1]] if place + 1 < len(order) else steps[at] + 2 * BEYOND
        if end - steps[at] > NARROW:
            middle, value = (steps[at] + end) / 2, score(sums)
            if value > best or (value == best and abs(middle) < abs(step)):
                step, best = middle, value
    return step, best


PAPER = Paper(
    "Och", 2003, "Minimum Error Rate Training in Statistical Machine Translation", "https://aclanthology.org/P03-1021/"
)
RESTARTS = 4  # random weights that a round also starts from
DIRECTIONS = 10  # random ones, beside the axes
ENOUGH = 1e-6  # of a score, from 0 to 1: a smaller gain counts as none
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

    `say` is told each round's score. `pulse` is called now and then; an error that it raises ends the tuning.

    Args:
        sources: n tokenized sources of the dev set.
        references: At least one tokenized reference for each source.
        seed: Equal seeds give equal weights.
        metric: The score to maximize.
        rounds: The most rounds of decoding and line search.
        size: The length of each n-best list.

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
    """All different outputs of each sentence so far; equal texts with other features are different too.

    They are scored by BLEU, or by SARI, which ignores case, where there are `sources`.
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
        """The score of one text for each sentence, from 0 to 1."""
        pairs = zip(texts, self._references, strict=True)
        return score(np.sum([reference.counts(words) for words, reference in pairs], axis=0))


class _Judge(Protocol):
    def counts(self, words: Text) -> Floats:
        """A row of Pool's counts."""
        ...


class _Reference:
    """The references of a sentence, with which BLEU compares its outputs."""

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
    """The source and references of a sentence, with which SARI compares its outputs."""

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
    """The best weights for these outputs, found from `start` and from others near it; `tuned` ones may change."""
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
    """(weights, their score) after the best steps along axes and random directions, until none leads further."""
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
