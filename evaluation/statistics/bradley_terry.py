"""Bradley-Terry: a strength for each system, such that the odds that one beats another are those of their strengths."""

import numpy as np
from numpy.typing import ArrayLike

from evaluation.numerics import FEWEST, Floats, Labels, Strength
from evaluation.ranking_models import (
    PairwiseComparisons,
    Rankings,
    best_first,
    pairwise_comparisons,
    read_rankings,
    undefined,
    why_no_ranking,
)
from evaluation.statistics._base import Ranking
from foundation.lazy_import import lazy_import
from foundation.papers import Paper
from foundation.translation import translatable

special = lazy_import("scipy.special")

FEW = translatable("There is no interval: it needs {fewest} sentences or more, and there are {n}.")

STEPS = 100
EXACT = 1e-10


def rank(
    sentences: Labels, judges: Labels, systems: Labels, places: ArrayLike, ties: bool = True
) -> dict[object, Strength]:
    """Each system's log-strength about a mean of 0, best first: log odds of winning are differences of these.

    Every two outputs of a judgement are a comparison; a tie is half a win for both (not Davidson's model, whose order
    of systems is much the same). Maximum likelihood by Newton's method. The 95% interval takes the cluster-robust
    variance over sentences, since comparisons of one sentence depend on each other, and t with n_sentences - 1 degrees
    of freedom. Undefined for all systems where comparisons do not link them, or some part won or lost all of its own.

    Args:
        sentences, judges, systems, places: (n_rows,) each, as of `mean_rank`.
        ties: whether ties count; a best-worst judgement leaves them out.

    Raises:
        ValueError: as `mean_rank`.
    """
    ranked = read_rankings(sentences, judges, systems, places)
    compared = pairwise_comparisons(ranked, ties)
    if why := why_no_ranking(ranked, compared, strong=True):
        return undefined(ranked, why)
    strengths, information = _fit(compared, len(ranked.systems))
    reach, why = _reach(ranked, compared, strengths, information)
    return best_first(
        {
            name: Strength(value, None if why else value - half, None if why else value + half, n, why)
            for name, value, half, n in zip(
                ranked.names(), strengths.tolist(), reach.tolist(), ranked.judged(), strict=True
            )
        }
    )


def _fit(compared: PairwiseComparisons, count: int) -> tuple[Floats, Floats]:
    """Strengths (m,) and the information matrix (m, m) at them."""
    cells = compared.first * count + compared.second
    size = count * count
    won = np.bincount(cells, compared.score, size).reshape(count, count)
    won += np.bincount(cells, 1 - compared.score, size).reshape(count, count).T
    met = won + won.T
    strengths = np.zeros(count)
    for _ in range(STEPS):
        chance = special.expit(strengths[:, None] - strengths)
        weight = met * chance * (1 - chance)
        information = np.diag(weight.sum(axis=1)) - weight
        step = np.linalg.pinv(information, hermitian=True) @ (won - met * chance).sum(axis=1)
        strengths += step / max(1, np.max(np.abs(step)))  # no step beyond 1: far from the top Newton overshoots
        if np.max(np.abs(step)) < EXACT:
            break
    return strengths - strengths.mean(), information


def _reach(
    ranked: Rankings, compared: PairwiseComparisons, strengths: Floats, information: Floats
) -> tuple[Floats, str]:
    """Half the width of each interval, and why there is none."""
    count, sentences = len(strengths), np.unique(compared.sentence, return_inverse=True)[1]
    groups = int(sentences.max()) + 1
    if groups < FEWEST:
        why = FEW.format(fewest=FEWEST, n=groups)
        return np.zeros(count), why
    off = compared.score - special.expit(strengths[compared.first] - strengths[compared.second])
    size = groups * count
    scores = np.bincount(sentences * count + compared.first, off, size)
    scores -= np.bincount(sentences * count + compared.second, off, size)
    by_sentence = scores.reshape(groups, count)
    inverse = np.linalg.pinv(information, hermitian=True)
    variance = inverse @ (by_sentence.T @ by_sentence) @ inverse * groups / (groups - 1)
    return float(special.stdtrit(groups - 1, 0.975)) * np.sqrt(np.diag(variance)), ""


STATISTIC = Ranking(
    label="Bradley-Terry",
    paper=Paper(
        "Bradley and Terry",
        1952,
        "Rank analysis of incomplete block designs: I. The method of paired comparisons",
        "https://doi.org/10.2307/2334029",
    ),
    unit="log odds of winning against the average system",
    rank=rank,
)
