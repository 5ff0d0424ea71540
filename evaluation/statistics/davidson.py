"""Davidson's Bradley-Terry: strengths of systems with ties as an outcome of their own, and how easily systems tie."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evaluation.numerics import FEWEST, Codes, Floats, Labels, Strength
from evaluation.ranking_models import (
    PairwiseComparisons,
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

STEPS = 200
EXACT = 1e-10
LEAST = 1e-9  # of the tie parameter where nothing tied


@dataclass(frozen=True, kw_only=True)
class RankingWithTies(Ranking):
    """`tie_parameter(sentences, judges, systems, places)`: how easily two systems tie."""

    tie_parameter: Callable[..., float | None]


@dataclass(frozen=True)
class _Fit:
    """Log strengths (m,) about a mean of 0, the log of the tie parameter, and the information (m + 1, m + 1)."""

    strengths: Floats
    log_tie: float
    information: Floats


def rank(sentences: Labels, judges: Labels, systems: Labels, places: ArrayLike) -> dict[object, Strength]:
    """Each system's log strength about a mean of 0, best first.

    With t = 2 nu sqrt(a b), a system of strength a wins against one of strength b with the chance a / (a + b + t), and
    the two tie with t / (a + b + t). Every two outputs of a judgement are a comparison. Maximum likelihood by Newton's
    method; intervals as `bradley_terry`.

    Args:
        sentences, judges, systems, places: (n_rows,) each, as of `mean_rank`.

    Raises:
        ValueError: as `mean_rank`.
    """
    ranked = read_rankings(sentences, judges, systems, places)
    compared = pairwise_comparisons(ranked)
    if why := why_no_ranking(ranked, compared, strong=True):
        return undefined(ranked, why)
    fitted = _fit(compared, len(ranked.systems))
    reach, why = _reach(compared, fitted)
    return best_first(
        {
            name: Strength(value, None if why else value - half, None if why else value + half, n, why)
            for name, value, half, n in zip(
                ranked.names(), fitted.strengths.tolist(), reach.tolist(), ranked.judged(), strict=True
            )
        }
    )


def tie_parameter(sentences: Labels, judges: Labels, systems: Labels, places: ArrayLike) -> float | None:
    """nu: two equal systems tie with the chance nu / (1 + nu). None: there is no ranking. Arguments as `rank`."""
    ranked = read_rankings(sentences, judges, systems, places)
    compared = pairwise_comparisons(ranked)
    if why_no_ranking(ranked, compared, strong=True):
        return None
    return float(np.exp(_fit(compared, len(ranked.systems)).log_tie)) if np.any(compared.score == 0.5) else 0.0


def _chances(first: Floats, second: Floats, log_tie: float) -> tuple[Floats, Floats, Floats]:
    """That the first wins, that they tie, and that the second wins, of log strengths."""
    logs = np.stack((first, log_tie + np.log(2) + (first + second) / 2, second))
    weights = np.exp(logs - logs.max(axis=0))
    won, tied, lost = weights / weights.sum(axis=0)
    return won, tied, lost


def _fit(compared: PairwiseComparisons, count: int) -> _Fit:
    cells = compared.first * count + compared.second
    won, tied, lost = (np.bincount(cells[compared.score == score], minlength=count**2) for score in (1, 0.5, 0))
    met = np.flatnonzero(won + tied + lost)
    first, second = met // count, met % count
    seen = np.stack((won[met], tied[met], lost[met])).astype(np.float64)
    has_ties = bool(seen[1].any())
    strengths, log_tie = np.zeros(count), np.log(0.5) if has_ties else np.log(LEAST)
    for _ in range(STEPS):
        chances = np.stack(_chances(strengths[first], strengths[second], log_tie))
        total = seen.sum(axis=0)
        apart = (seen[0] - seen[2] - total * (chances[0] - chances[2])) / 2
        slope = np.bincount(first, apart, count) - np.bincount(second, apart, count)
        by_tie = float(np.sum(seen[1] - total * chances[1])) if has_ties else 0.0
        information = _information(first, second, total, chances, count, has_ties)
        step = np.linalg.pinv(information, hermitian=True) @ np.append(slope, by_tie)
        step /= max(1.0, float(np.max(np.abs(step))))  # no step beyond 1: far from the top Newton overshoots
        strengths, log_tie = strengths + step[:count], log_tie + step[count]
        if np.max(np.abs(step)) < EXACT:
            break
    return _Fit(strengths - strengths.mean(), float(log_tie), information)


def _information(first: Codes, second: Codes, total: Floats, chances: Floats, count: int, has_ties: bool) -> Floats:
    """The information matrix (m + 1, m + 1) of the log strengths and the log of the tie parameter."""
    won, tied, lost = chances
    spread = total * (won + lost - (won - lost) ** 2) / 4
    both = np.bincount(first * count + second, spread, count**2).reshape(count, count)
    information = np.zeros((count + 1, count + 1))
    information[:count, :count] = np.diag((both + both.T).sum(axis=1)) - both - both.T
    if has_ties:
        mixed = -total * tied * (won - lost) / 2
        information[:count, count] = np.bincount(first, mixed, count) - np.bincount(second, mixed, count)
        information[count, :count] = information[:count, count]
        information[count, count] = float(np.sum(total * tied * (1 - tied)))
    return information


def _reach(compared: PairwiseComparisons, fitted: _Fit) -> tuple[Floats, str]:
    """Half the width of each interval, and why there is none."""
    count, sentence = len(fitted.strengths), np.unique(compared.sentence, return_inverse=True)[1]
    groups = int(sentence.max()) + 1
    if groups < FEWEST:
        why = FEW.format(fewest=FEWEST, n=groups)
        return np.zeros(count), why
    strengths = fitted.strengths
    won, tied, lost = _chances(strengths[compared.first], strengths[compared.second], fitted.log_tie)
    apart = compared.score - 0.5 - (won - lost) / 2
    size = groups * (count + 1)
    scores = np.bincount(sentence * (count + 1) + compared.first, apart, size)
    scores -= np.bincount(sentence * (count + 1) + compared.second, apart, size)
    if fitted.information[count, count] > 0:
        scores += np.bincount(sentence * (count + 1) + count, (compared.score == 0.5) - tied, size)
    by_sentence = scores.reshape(groups, count + 1)
    inverse = np.linalg.pinv(fitted.information, hermitian=True)
    variance = inverse @ (by_sentence.T @ by_sentence) @ inverse * groups / (groups - 1)
    return float(special.stdtrit(groups - 1, 0.975)) * np.sqrt(np.diag(variance)[:count]), ""


STATISTIC = RankingWithTies(
    label="Bradley-Terry with ties",
    paper=Paper(
        "Davidson",
        1970,
        "On Extending the Bradley-Terry Model to Accommodate Ties in Paired Comparison Experiments",
        "https://doi.org/10.1080/01621459.1970.10481082",
    ),
    unit="log strength about the average system",
    rank=rank,
    tie_parameter=tie_parameter,
)
