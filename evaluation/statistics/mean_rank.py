"""The mean rank of each system over sentences and judgements: equation 1 of the GYAFC paper (section 5.1)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.statistics._base import Labels, Mean, Statistic
from evaluation.statistics._ranked import read
from evaluation.statistics.mean_interval import mean_interval
from foundation.papers import GYAFC

Ranks: TypeAlias = tuple[NDArray[np.generic], NDArray[np.float64]]
"""Sentences (m,) and the mean rank in each (m,)."""


@dataclass(frozen=True, kw_only=True)
class RankStatistic(Statistic):
    """`ranks(sentences, judges, systems, places) -> {system: Mean}`; `by_sentence` gives what the means are of."""

    ranks: Callable[[Labels, Labels, Labels, ArrayLike], dict[object, Mean]]
    by_sentence: Callable[[Labels, Labels, Labels, ArrayLike], dict[object, Ranks]]


def mean_rank(sentences: Labels, judges: Labels, systems: Labels, places: ArrayLike) -> dict[object, Mean]:
    """Each system's rank, best first: rank(model) = 1/|S| sum over s of 1/|J| sum over j of rank(s_model, j).

    A row is one output's place in one judge's order of one sentence, 1 the best; each argument is (n,). Only the
    order of places counts: tied outputs share the best place (1, 1, 3). S are the sentences in which the system was
    ranked, J the sentence's judgements of it; so a sentence counts once, however many judged it. The interval is
    that of the mean over sentences, and `n` is |S|. ValueError: lengths differ, a place is no number, or a system
    stands twice in one judgement.
    """
    ranked = by_sentence(sentences, judges, systems, places)
    found = {system: mean_interval(ranks) for system, (_, ranks) in ranked.items()}
    return dict(sorted(found.items(), key=lambda pair: pair[1].mean or 0))


def by_sentence(sentences: Labels, judges: Labels, systems: Labels, places: ArrayLike) -> dict[object, Ranks]:
    """Each system's sentences and its mean rank over the judgements of each; arguments and errors as `mean_rank`."""
    ranked = read(sentences, judges, systems, places)
    ranks = _competition(ranked.judgement, ranked.places)
    return {
        name: _of_one(ranked.sentences, ranked.sentence[ranked.system == code], ranks[ranked.system == code])
        for code, name in enumerate(ranked.names())
    }


def _competition(judgements: NDArray[np.intp], places: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 and the number of outputs of the same judgement that stand strictly before."""
    order = np.lexsort((places, judgements))
    grouped, sorted_places = judgements[order], places[order]
    at = np.arange(len(order))
    new_judgement = np.diff(grouped, prepend=-1) != 0
    new_place = new_judgement | (np.diff(sorted_places, prepend=np.nan) != 0)
    begun = np.maximum.accumulate(np.where(new_judgement, at, 0))
    tied_from = np.maximum.accumulate(np.where(new_place, at, 0))
    ranks = np.empty(len(order))
    ranks[order] = tied_from - begun + 1
    return ranks


def _of_one(names: NDArray[np.generic], sentences: NDArray[np.intp], ranks: NDArray[np.float64]) -> Ranks:
    """The mean over the judgements of each sentence."""
    present, codes = np.unique(sentences, return_inverse=True)
    return names[present], np.bincount(codes, ranks) / np.bincount(codes)


STATISTIC = RankStatistic(
    label="Mean rank",
    paper=GYAFC,
    ranks=mean_rank,
    by_sentence=by_sentence,
)
