"""Fleiss' kappa: agreement of many raters on categories beyond chance, each item judged equally often by whomever."""

import numpy as np
from numpy.typing import ArrayLike

from evaluation.interrater_agreement import MOST_LEVELS, NO_TWO, SAME_VALUE, TOO_MANY, Judgements
from evaluation.numerics import Agreement, Codes, Floats, Labels, Level, label_codes
from evaluation.resampling import percentile_interval, resample_items
from evaluation.statistics._base import AgreementStatistic
from foundation.lazy_import import lazy_import
from foundation.papers import Paper

special = lazy_import("scipy.special")


def agree(raters: Labels, items: Labels, values: ArrayLike, level: Level) -> Agreement:
    """Kappa over the items with the most usual number of judgements; `note` says how many others are left out.

    Any two different values disagree equally, whatever the level. The interval comes from 1,000 bootstrap samples of
    items, from 10 items on; p is that of z against no agreement (Fleiss, Nee and Landis 1979).

    Args:
        raters: (n_judgements,) who judged.
        items: (n_judgements,) what was judged.
        values: (n_judgements,) the values.
        level: the level of measurement.

    Raises:
        ValueError: as `Judgements.read`.
    """
    given = Judgements.read(raters, items, values, level)
    if why := given.unusable("kappa"):
        return Agreement(None, 0, 0, why)
    if not given.paired().items:
        return Agreement(None, 0, 0, NO_TWO)
    given, note = given.evenly()
    levels, judgements = label_codes(given.scores), int(given.judged[0])
    shares = np.bincount(levels) / len(levels)
    if len(shares) == 1:
        return Agreement(None, given.raters, given.items, SAME_VALUE, note=note)
    times = np.unique(given.what * len(shares) + levels, return_counts=True)[1]
    observed = (float(np.sum(times * times)) / given.items - judgements) / (judgements * (judgements - 1))
    expected = float(shares @ shares)
    kappa = (observed - expected) / (1 - expected)
    p = _p(kappa, shares, given.items, judgements)
    interval, _ = percentile_interval(given.items, lambda: _drawn(given, levels, judgements))
    low, high = interval or (None, None)
    return Agreement(kappa, given.raters, given.items, low=low, high=high, p=p, note=note)


def _drawn(given: Judgements, levels: Codes, judgements: int) -> Floats | str:
    """Kappa in each sample of items, NaN where all judgements of a sample are the same."""
    width = int(levels.max()) + 1
    if width > MOST_LEVELS:
        return TOO_MANY
    drawn = resample_items(given.what, levels)
    what, seen = given.what[drawn.at], levels[drawn.at]
    _, first, times = np.unique(what * width + seen, return_index=True, return_counts=True)
    squares = np.zeros(len(what))
    squares[first] = times * times
    totals = drawn.sums(np.ones(len(what)), seen, width)
    items = totals.sum(axis=1) / judgements
    observed = (drawn.sums(squares)[:, 0] / items - judgements) / (judgements * (judgements - 1))
    expected = np.sum((totals / totals.sum(axis=1, keepdims=True)) ** 2, axis=1)
    apart = np.where(expected < 1 - 1e-12, 1 - expected, np.nan)
    return np.asarray((observed - expected) / apart)


def _p(kappa: float, shares: Floats, items: int, judgements: int) -> float | None:
    """Two-sided; None where the variance under no agreement is zero."""
    spread = shares * (1 - shares)
    about = spread.sum() ** 2 - spread @ (1 - 2 * shares)
    variance = 2 * about / (spread.sum() ** 2 * items * judgements * (judgements - 1))
    return float(2 * special.ndtr(-abs(kappa) / np.sqrt(variance))) if variance > 0 else None


STATISTIC = AgreementStatistic(
    label="Fleiss' kappa",
    paper=Paper(
        "Fleiss", 1971, "Measuring nominal scale agreement among many raters", "https://doi.org/10.1037/h0031619"
    ),
    agree=agree,
    levels=frozenset({"nominal", "ordinal"}),
)
