"""TrueSkill: a belief about each system's skill, made surer by one judgement after another (Herbrich et al. 2006).

Used for systems by WMT from 2014 on (Sakaguchi et al. 2014). A judgement of several outputs is one match of all
against all, its message passing run until it settles.
"""

from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from evaluation.numerics import Labels, Strength
from evaluation.ranking_models import (
    PairwiseComparisons,
    Rankings,
    Skill,
    best_first,
    pairwise_comparisons,
    rate_match,
    read_rankings,
    undefined,
    why_no_ranking,
)
from evaluation.statistics._base import Ranking
from foundation.lazy_import import lazy_import
from foundation.papers import Paper
from foundation.seeds import generator

special = lazy_import("scipy.special")

MU, SIGMA = 25.0, 25 / 3
BETA = SIGMA / 2
MOST_DRAWS = 0.99


def rank(
    sentences: Labels, judges: Labels, systems: Labels, places: ArrayLike, ties: bool = True, seed: int = 0
) -> dict[object, Strength]:
    """Each system's skill with a 95% interval, best first; it starts at 25 with a deviation of 25/3.

    Judgements are matches in a random order. Skills do not drift (tau 0). The probability of a draw is the share of all
    pairs that tie. The model takes judgements as independent, which those of one sentence are not: its interval is
    narrower than Bradley-Terry's. Undefined where comparisons do not link all systems.

    Args:
        sentences, judges, systems, places: (n_rows,) each, as of `mean_rank`.
        ties: without them, pairs that tie are left out and the others are matches of two, as of best-worst judgements.
        seed: of the order of matches.

    Raises:
        ValueError: as `mean_rank`.
    """
    ranked = read_rankings(sentences, judges, systems, places)
    compared = pairwise_comparisons(ranked, ties)
    if why := why_no_ranking(ranked, compared, strong=False):
        return undefined(ranked, why)
    draw = min(MOST_DRAWS, float(np.mean(compared.score == 0.5)))
    margin = float(special.ndtri((draw + 1) / 2)) * sqrt(2) * BETA
    skills: list[Skill] = [(MU, SIGMA * SIGMA)] * len(ranked.systems)
    numbers = generator(seed, "true_skill")
    matches = _matches(ranked) if ties else _duels(compared)
    for place in numbers.permutation(len(matches)):
        players, order = matches[place]
        rated = rate_match([skills[player] for player in players], order, margin, BETA)
        for player, skill in zip(players, rated, strict=True):
            skills[player] = skill
    return best_first(
        {
            name: Strength(mu, mu - 1.96 * sqrt(variance), mu + 1.96 * sqrt(variance), n)
            for name, (mu, variance), n in zip(ranked.names(), skills, ranked.judged(), strict=True)
        }
    )


def _matches(ranked: Rankings) -> list[tuple[list[int], list[float]]]:
    """Each judgement's systems and places, best first."""
    order = np.lexsort((ranked.places, ranked.judgement))
    bounds = np.flatnonzero(np.diff(ranked.judgement[order])) + 1
    parts = np.split(order, bounds)
    return [(ranked.system[part].tolist(), ranked.places[part].tolist()) for part in parts if len(part) > 1]


def _duels(compared: PairwiseComparisons) -> list[tuple[list[int], list[float]]]:
    rows = zip(compared.first.tolist(), compared.second.tolist(), compared.score.tolist(), strict=True)
    return [([first, second] if score == 1 else [second, first], [1.0, 2.0]) for first, second, score in rows]


STATISTIC = Ranking(
    label="TrueSkill",
    paper=Paper(
        "Sakaguchi, Post and Van Durme",
        2014,
        "Efficient elicitation of annotations for human evaluation of machine translation",
        "https://aclanthology.org/W14-3301/",
    ),
    unit="skill, 25 the start",
    rank=rank,
)
