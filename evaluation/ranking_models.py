"""Rankings of outputs, the comparisons that they hold, and what models of systems' strengths share."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import erfc, exp, pi, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.numerics import Floats, Labels, Strength, count_distinct, distinct

# Rankings of outputs, a row an output in one judge's ranking of one sentence, and the comparisons they hold.


@dataclass(frozen=True)
class Rankings:
    """Rankings as codes.

    Attributes:
        sentences: (n_sentences,) their names.
        systems: (n_systems,) their names.
        sentence: (n_rows,) places among `sentences`.
        judgement: (n_rows,) a number for each judge and sentence.
        system: (n_rows,) places among `systems`.
        places: (n_rows,) the system's place in the ranking, 1 the best.
    """

    sentences: NDArray[np.generic]
    systems: NDArray[np.generic]
    sentence: NDArray[np.intp]
    judgement: NDArray[np.intp]
    system: NDArray[np.intp]
    places: Floats

    def names(self) -> list[object]:
        """The systems as they were given."""
        return list(self.systems.tolist())

    def judged(self) -> list[int]:
        """In how many sentences each system stands."""
        seen = distinct(self.sentence * len(self.systems) + self.system) % max(len(self.systems), 1)
        return [int(count) for count in np.bincount(seen, minlength=len(self.systems))]


@dataclass(frozen=True)
class PairwiseComparisons:
    """Pairs of systems of one judgement, a row each: `score` is 1 where the first is better, 0.5 for a tie, else 0."""

    sentence: NDArray[np.intp]
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    score: Floats


def read_rankings(sentences: Labels, judges: Labels, systems: Labels, places: ArrayLike) -> Rankings:
    """The rows, coded. ValueError: lengths differ, a place is no number, or a system stands twice in one judgement."""
    order = np.asarray(places, dtype=np.float64)
    if order.ndim != 1 or not len(sentences) == len(judges) == len(systems) == len(order):
        raise ValueError("sentences, judges, systems and places are one-dimensional and of equal length.")
    if not np.all(np.isfinite(order)):
        raise ValueError("A place is not a number.")
    named, sentence = np.unique(np.asarray(sentences), return_inverse=True)
    names, system = np.unique(np.asarray(systems), return_inverse=True)
    judgement = sentence * (len(order) + 1) + np.unique(np.asarray(judges), return_inverse=True)[1]
    if count_distinct(judgement * (len(names) + 1) + system) < len(order):
        raise ValueError("A system stands twice in one judgement.")
    return Rankings(named, names, sentence.astype(np.intp), judgement.astype(np.intp), system.astype(np.intp), order)


def pairwise_comparisons(ranked: Rankings, ties: bool = True) -> PairwiseComparisons:
    """Each two outputs of each judgement; without `ties` those of equal place were not compared (best-worst)."""
    order = np.argsort(ranked.judgement, kind="stable")
    judgement, system = ranked.judgement[order], ranked.system[order]
    places, sentence = ranked.places[order], ranked.sentence[order]
    above: list[NDArray[np.intp]] = []
    below: list[NDArray[np.intp]] = []
    step = 1
    while (here := np.flatnonzero(judgement[step:] == judgement[:-step])).size:
        above.append(here)
        below.append(here + step)
        step += 1
    i = np.concatenate([*above, np.zeros(0, dtype=np.intp)])
    j = np.concatenate([*below, np.zeros(0, dtype=np.intp)])
    score = (places[i] < places[j]) + 0.5 * (places[i] == places[j])
    chosen = np.ones(len(i), dtype=bool) if ties else score != 0.5
    return PairwiseComparisons(sentence[i[chosen]], system[i[chosen]], system[j[chosen]], score[chosen])


def why_no_ranking(ranked: Rankings, compared: PairwiseComparisons, strong: bool) -> str:
    """The reason why the pairs place the systems on no common scale; empty where they do.

    `strong` asks for more than that comparisons link them all: that no part of them won, or lost, all its comparisons
    with the rest, for then how far above it stands has no bound (Ford 1957).
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    count = len(ranked.systems)
    if count < 2 or len(compared.score) == 0:
        return "There is no ranking: no judgement compares two systems."
    if np.all(compared.score == 0.5):
        return f"There is no ranking: all {len(compared.score)} comparisons are ties."
    won, lost = compared.score > 0, compared.score < 1
    above = np.concatenate((compared.first[won], compared.second[lost]))
    below = np.concatenate((compared.second[won], compared.first[lost]))
    graph = coo_array((np.ones(len(above)), (above, below)), shape=(count, count))
    parts, part = connected_components(graph, directed=True, connection="strong" if strong else "weak")
    if parts == 1:
        return ""
    apart = [str(name) for name, of in zip(ranked.names(), part, strict=True) if of == _smallest(part)]
    named = ", ".join(apart[:5]) + (" ..." if len(apart) > 5 else "")
    if not strong or connected_components(graph, directed=True, connection="weak")[0] > 1:
        return f"There is no ranking: no comparison, or chain of them, links the rest to {named}."
    return f"There is no ranking: between the rest and {named} all comparisons went one way."


def _smallest(part: NDArray[np.intp]) -> int:
    return int(np.argmin(np.bincount(part)))


def undefined(ranked: Rankings, why: str) -> dict[object, Strength]:
    """No strength of any system, and why."""
    return {name: Strength(None, None, None, n, why) for name, n in zip(ranked.names(), ranked.judged(), strict=True)}


def best_first(strengths: dict[object, Strength]) -> dict[object, Strength]:
    """In descending order of strength, equal ones as they came."""
    return dict(sorted(strengths.items(), key=lambda pair: -(pair[1].value or 0)))


SentenceRanks: TypeAlias = tuple[NDArray[np.generic], NDArray[np.float64]]
"""Sentences (m,) and the mean rank in each (m,)."""

COMPETITION, DENSE = "competition", "dense"
"""After two that tie for the first place comes the third (1, 1, 3), or the second (1, 1, 2)."""


def by_sentence(
    sentences: Labels, judges: Labels, systems: Labels, places: ArrayLike, ties: str = COMPETITION
) -> dict[object, SentenceRanks]:
    """Each system's sentences and its mean rank over the judgements of each; arguments and errors as `mean_rank`."""
    if ties not in (COMPETITION, DENSE):
        raise ValueError(f"Ties are {COMPETITION} or {DENSE}, not {ties}.")
    ranked = read_rankings(sentences, judges, systems, places)
    ranks = _ranks(ranked.judgement, ranked.places, ties)
    return {
        name: _of_one(ranked.sentences, ranked.sentence[ranked.system == code], ranks[ranked.system == code])
        for code, name in enumerate(ranked.names())
    }


def _ranks(judgements: NDArray[np.intp], places: NDArray[np.float64], ties: str) -> NDArray[np.float64]:
    """1 and the number of outputs of the same judgement that stand strictly before, or of their places."""
    order = np.lexsort((places, judgements))
    grouped, sorted_places = judgements[order], places[order]
    places_in_order = np.arange(len(order))
    new_judgement = np.diff(grouped, prepend=-1) != 0
    new_place = new_judgement | (np.diff(sorted_places, prepend=np.nan) != 0)
    begun = np.maximum.accumulate(np.where(new_judgement, places_in_order, 0))
    tied_from = np.maximum.accumulate(np.where(new_place, places_in_order, 0))
    ranks = np.empty(len(order))
    distinct = np.cumsum(new_place)
    ranks[order] = distinct - distinct[begun] + 1 if ties == DENSE and len(order) else tied_from - begun + 1
    return ranks


def _of_one(names: NDArray[np.generic], sentences: NDArray[np.intp], ranks: NDArray[np.float64]) -> SentenceRanks:
    """The mean over the judgements of each sentence."""
    present, codes = np.unique(sentences, return_inverse=True)
    return names[present], np.bincount(codes, ranks) / np.bincount(codes)


# One match of TrueSkill among single players: expectation propagation along the chain of neighbours (Herbrich 2006).
#
# Messages are normal curves as (precision, precision times mean). Each two neighbours in the order have a difference of
# performances, which is known to be above the draw margin, or within it where they tie.

Skill: TypeAlias = tuple[float, float]
"""Mean and variance."""
Message: TypeAlias = tuple[float, float]

SWEEPS = 100
SETTLED = 1e-6  # of the means of messages, in units of a performance's deviation
NOTHING: Message = (0.0, 0.0)


def rate_match(skills: Sequence[Skill], places: Sequence[float], margin: float, beta: float) -> list[Skill]:
    """The skills of the players (m,) of one match after it; `places` (m,) in ascending order, equal ones a draw.

    `margin` is how far apart the performances of a draw may be, `beta` the deviation of a performance from the skill.
    """
    priors = [_message(mean, variance + beta * beta) for mean, variance in skills]
    are_draws = [first == second for first, second in pairwise(places)]
    left, right = _settle(priors, are_draws, margin)
    rated = []
    for (mean, variance), below, above in zip(skills, [*left, NOTHING], [NOTHING, *right], strict=True):
        precision, weighted = below[0] + above[0], below[1] + above[1]
        known = 1 / (1 / precision + beta * beta)
        total = 1 / variance + known
        rated.append(((mean / variance + known * weighted / precision) / total, 1 / total))
    return rated


def _settle(priors: list[Message], are_draws: list[bool], margin: float) -> tuple[list[Message], list[Message]]:
    """The messages of each difference to the player before it and to the one after it, (m - 1) each."""
    last = len(are_draws)
    left, right = [NOTHING] * last, [NOTHING] * last
    for _ in range(SWEEPS):
        moved = 0.0
        for pair in [*range(last), *range(last - 1, -1, -1)]:
            first = _times(priors[pair], right[pair - 1] if pair else NOTHING)
            second = _times(priors[pair + 1], left[pair + 1] if pair + 1 < last else NOTHING)
            up, down = _difference(first, second, are_draws[pair], margin)
            moved = max(moved, _moved(left[pair], up), _moved(right[pair], down))
            left[pair], right[pair] = up, down
        if last == 1 or moved < SETTLED:
            break
    return left, right


def _difference(first: Message, second: Message, draw: bool, margin: float) -> tuple[Message, Message]:
    """The messages to both players from their known difference."""
    mean_first, mean_second = first[1] / first[0], second[1] / second[0]
    var_first, var_second = 1 / first[0], 1 / second[0]
    mean, variance = mean_first - mean_second, var_first + var_second
    deviation = sqrt(variance)
    v, w = (_within if draw else _above)(mean / deviation, margin / deviation)
    if w < 1e-15:  # nothing is learnt
        return NOTHING, NOTHING
    learnt_variance = variance * (1 - w) / w
    learnt_mean = mean + deviation * v / w
    up = _message(learnt_mean + mean_second, learnt_variance + var_second)
    down = _message(mean_first - learnt_mean, learnt_variance + var_first)
    return up, down


def _above(mean: float, margin: float) -> tuple[float, float]:
    """The shift of the mean and the lost part of the variance of a normal curve at `mean` cut off below `margin`."""
    x = mean - margin
    part = erfc(-x / sqrt(2)) / 2
    if part < 1e-200:
        return -x - 1 / x, 1 - 1 / (x * x)
    v = exp(-x * x / 2) / sqrt(2 * pi) / part
    return v, min(v * (v + x), 1 - 1e-12)


def _within(mean: float, margin: float) -> tuple[float, float]:
    """The same, cut off outside -margin to margin."""
    high, low = margin - abs(mean), -margin - abs(mean)
    part = (erfc(-high / sqrt(2)) - erfc(-low / sqrt(2))) / 2
    if part < 1e-200:
        return (high if mean >= 0 else -high), 1 - 1e-12
    dense_high, dense_low = (exp(-x * x / 2) / sqrt(2 * pi) for x in (high, low))
    v = (dense_low - dense_high) / part
    w = v * v + (high * dense_high - low * dense_low) / part
    return (v if mean >= 0 else -v), min(w, 1 - 1e-12)


def _message(mean: float, variance: float) -> Message:
    return 1 / variance, mean / variance


def _times(first: Message, second: Message) -> Message:
    return first[0] + second[0], first[1] + second[1]


def _moved(old: Message, new: Message) -> float:
    """The change of a message's mean, in its own deviations; 1 for a message that is new."""
    if not (old[0] and new[0]):
        return float(old != new)
    return abs(old[1] / old[0] - new[1] / new[0]) * sqrt(new[0]) + abs(old[0] - new[0]) / new[0]
