"""Rankings of outputs, a row an output in one judge's ranking of one sentence, and the comparisons they hold."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.numerics.arrays import Floats, Labels
from evaluation.numerics.distinct import count_distinct, distinct
from evaluation.numerics.results import Strength


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
    """Two systems of one judgement, each a row: `score` is 1 where the first is better, 0.5 of a tie, else 0."""

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
    """Why the pairs place the systems on no one scale; empty where they do.

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
