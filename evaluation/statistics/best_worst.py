"""Best-worst scaling by counting: how often an output was chosen best, less how often worst."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.numerics import FEWEST, Correlation, Floats, Labels, Strength, all_same
from evaluation.ranking_models import Rankings, best_first, read_rankings, undefined
from evaluation.statistics import coefficient_named
from evaluation.statistics._base import Ranking
from evaluation.statistics.mean_interval import mean_interval
from foundation.papers import KIRITCHENKO
from foundation.seeds import generator
from foundation.translation import translatable

UNRELIABLE = translatable("There is no reliability: it needs {fewest} systems or more, and there are {n}.")


@dataclass(frozen=True, kw_only=True)
class BestWorst(Ranking):
    """A Ranking with `reliability(sentences, judges, systems, places, splits, seed) -> Correlation`."""

    reliability: Callable[..., Correlation]


def rank(sentences: Labels, judges: Labels, systems: Labels, places: ArrayLike) -> dict[object, Strength]:
    """Each system's part of judgements in which it was best less that in which it was worst, -1 to 1, best first.

    A row is an output in one judgement: place 1 the best, 3 the worst, 2 neither. The interval is that of
    `mean_interval`, by sentence. ValueError: as `mean_rank`, and another place.
    """
    ranked = read_rankings(sentences, judges, systems, places)
    points = _points(ranked)
    if len(points) and not points.any():
        return undefined(ranked, "There is no ranking: no judgement has a best or a worst.")
    strengths: dict[object, Strength] = {}
    for code, (name, n) in enumerate(zip(ranked.names(), ranked.judged(), strict=True)):
        own = ranked.system == code
        mean = mean_interval(points[own], ranked.sentence[own])
        strengths[name] = Strength(mean.mean, mean.low, mean.high, n, mean.undefined)
    return best_first(strengths)


def reliability(
    sentences: Labels, judges: Labels, systems: Labels, places: ArrayLike, splits: int = 100, seed: int = 0
) -> Correlation:
    """Split-half reliability: Spearman's rho of the systems' scores from the two halves of each sentence's judgements.

    The mean over `splits` random splits, as Kiritchenko and Mohammad do; `n` are the systems. Splits in which a half
    does not tell the systems apart are left out.
    """
    ranked = read_rankings(sentences, judges, systems, places)
    points, count = _points(ranked), len(ranked.systems)
    if count < FEWEST:
        why = UNRELIABLE.format(fewest=FEWEST, n=count)
        return Correlation(None, None, None, None, count, why)
    numbers, spearman = generator(seed, "split halves"), coefficient_named("spearman")
    correlations: list[float] = []
    for _ in range(splits):
        first, second = (_scores(ranked, points, half) for half in _halves(ranked, numbers))
        both = np.isfinite(first) & np.isfinite(second)
        if both.sum() == count and not (all_same(first) or all_same(second)):
            correlations.append(float(spearman.rowwise(first[None], second[None])[0]))
    if not correlations:
        why = translatable("There is no reliability: in no split do both halves tell the systems apart.")
        return Correlation(None, None, None, None, count, why)
    return Correlation(
        float(np.mean(correlations)),
        None,
        None,
        None,
        count,
        translatable("There is no interval of a mean over splits."),
    )


def _points(ranked: Rankings) -> Floats:
    if not np.isin(ranked.places, (1, 2, 3)).all():
        raise ValueError("A place is 1, the best, 2 or 3, the worst.")
    return 2 - ranked.places


def _halves(ranked: Rankings, numbers: np.random.Generator) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The rows of either half: each sentence's judgements in random order, dealt in turn."""
    judgements, first, row = np.unique(ranked.judgement, return_index=True, return_inverse=True)
    sentence = ranked.sentence[first]
    order = np.lexsort((numbers.random(len(judgements)), sentence))
    starts = np.flatnonzero(np.diff(sentence[order], prepend=-1))
    within = np.arange(len(order)) - np.repeat(starts, np.diff([*starts, len(order)]))
    turn = (within + numbers.integers(0, 2, len(starts)).repeat(np.diff([*starts, len(order)]))) % 2 == 0
    dealt = np.empty(len(order), dtype=bool)
    dealt[order] = turn
    return dealt[row], ~dealt[row]


def _scores(ranked: Rankings, points: Floats, rows: NDArray[np.bool_]) -> Floats:
    """Each system's score over these rows, NaN where it has none."""
    count = len(ranked.systems)
    met = np.bincount(ranked.system[rows], minlength=count)
    return np.asarray(np.bincount(ranked.system[rows], points[rows], count) / np.where(met, met, np.nan))


STATISTIC = BestWorst(
    label="Best-worst counts",
    paper=KIRITCHENKO,
    unit="share of judgements best minus share worst",
    rank=rank,
    reliability=reliability,
)
