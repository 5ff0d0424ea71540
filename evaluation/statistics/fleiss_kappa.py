"""Fleiss' kappa: agreement of many raters on categories beyond chance, each item judged equally often by whomever."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from evaluation.statistics._base import Agreement, AgreementStatistic, Floats, Labels, Level
from evaluation.statistics._judgements import NO_TWO, SAME_VALUE, Judgements, codes
from foundation.papers import Paper


def agree(raters: Labels, items: Labels, values: ArrayLike, level: Level) -> Agreement:
    """Kappa over the items with the most usual number of judgements; `note` says how many others are left out.

    Any two different values disagree alike, whatever the level. p is that of z against no agreement (Fleiss, Nee and
    Landis 1979). ValueError as `Judgements.read`.
    """
    given = Judgements.read(raters, items, values, level)
    if why := given.unusable("kappa"):
        return Agreement(None, 0, 0, why)
    if not given.paired().items:
        return Agreement(None, 0, 0, NO_TWO)
    given, note = given.evenly()
    levels, judgements = codes(given.scores), int(given.judged[0])
    shares = np.bincount(levels) / len(levels)
    if len(shares) == 1:
        return Agreement(None, given.raters, given.items, SAME_VALUE, note=note)
    times = np.unique(given.what * len(shares) + levels, return_counts=True)[1]
    observed = (float(np.sum(times * times)) / given.items - judgements) / (judgements * (judgements - 1))
    expected = float(shares @ shares)
    kappa = (observed - expected) / (1 - expected)
    p = _p(kappa, shares, given.items, judgements)
    return Agreement(kappa, given.raters, given.items, p=p, note=note)


def _p(kappa: float, shares: Floats, items: int, judgements: int) -> float | None:
    """Two-sided; None where the variance under no agreement is zero."""
    spread = shares * (1 - shares)
    about = spread.sum() ** 2 - spread @ (1 - 2 * shares)
    variance = 2 * about / (spread.sum() ** 2 * items * judgements * (judgements - 1))
    return float(2 * ndtr(-abs(kappa) / np.sqrt(variance))) if variance > 0 else None


STATISTIC = AgreementStatistic(
    label="Fleiss' kappa",
    paper=Paper(
        "Fleiss", 1971, "Measuring nominal scale agreement among many raters", "https://doi.org/10.1037/h0031619"
    ),
    agree=agree,
)
