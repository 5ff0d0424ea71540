"""The mean rank that each system has in each sentence."""

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.numerics.arrays import Labels
from evaluation.ranking_models.rankings import read_rankings

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
