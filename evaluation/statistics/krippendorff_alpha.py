"""Krippendorff's alpha: agreement of raters beyond chance, by the level of measurement; gaps are allowed."""

import numpy as np
from numpy.typing import ArrayLike

from evaluation.interrater_agreement import NO_TWO, SAME_VALUE, Judgements, bootstrap_alphas, distance, spread
from evaluation.numerics import Agreement, Codes, Floats, Labels, Level, label_codes
from evaluation.resampling import percentile_interval
from evaluation.statistics._base import AgreementStatistic
from foundation.papers import Paper

MANY = 200  # judgements of an item beyond which its pairs are not written out


def agree(raters: Labels, items: Labels, values: ArrayLike, level: Level) -> Agreement:
    """Alpha of judgements in long form.

    Items with one judgement say nothing about agreement and do not enter. Every level is computed from sums over
    judgements, never from a table of values, so time and memory grow with n alone. The interval comes from 1,000
    bootstrap samples of items (`resampling.item_bootstrap`).

    Args:
        raters: (n_judgements,) who judged.
        items: (n_judgements,) what was judged.
        values: (n_judgements,) the values; a rater judges an item once.
        level: the level of measurement, which decides how far two values are apart.

    Raises:
        ValueError: lengths differ, or the level is unknown.
    """
    given = Judgements.read(raters, items, values, level)
    if why := given.unusable("alpha") or _below_zero(given.scores, level):
        return Agreement(None, 0, 0, why)
    given = given.paired()
    counts = given.raters, given.items
    if not given.items:
        return Agreement(None, *counts, NO_TWO)
    observed, expected = _DISAGREEMENT[level](given.scores, given.what)
    if expected == 0:
        return Agreement(None, *counts, SAME_VALUE)
    interval, why = percentile_interval(given.items, lambda: bootstrap_alphas(given, level))
    low, high = interval or (None, None)
    return Agreement(float(1 - observed / expected), *counts, low=low, high=high, note=why)


def _below_zero(scores: Floats, level: Level) -> str:
    return "The ratio level needs values of zero or more." if level == "ratio" and np.any(scores < 0) else ""


def _nominal(scores: Floats, items: Codes) -> tuple[float, float]:
    """Disagreement observed and expected, both times the number of judgements, as in all four levels."""
    levels = label_codes(scores)
    judged = np.bincount(items)
    cells, times = np.unique(items * (levels.max() + 1) + levels, return_counts=True)
    owner = cells // (levels.max() + 1)
    alike = np.bincount(owner, times * (times - 1.0))
    observed = np.sum((judged * (judged - 1) - alike) / (judged - 1))
    n, totals = len(scores), np.bincount(levels)
    return float(observed), float((n * n - np.sum(totals * totals)) / (n - 1))


def _interval(scores: Floats, items: Codes) -> tuple[float, float]:
    """The squared distances of all pairs of m values sum to m times their squared distances from the mean."""
    judged = np.bincount(items)
    apart = scores - (np.bincount(items, scores) / judged)[items]
    observed = 2 * np.sum(np.bincount(items, apart * apart) * judged / (judged - 1))
    n, about = len(scores), scores - scores.mean()
    if np.ptp(scores) == 0:
        return 0.0, 0.0
    return float(observed), float(2 * n * np.sum(about * about) / (n - 1))


def _ordinal(scores: Floats, items: Codes) -> tuple[float, float]:
    """The ordinal distance of two values is the distance of their middle ranks among all judgements."""
    levels = label_codes(scores)
    totals = np.bincount(levels)
    return _interval((np.cumsum(totals) - totals / 2)[levels], items)


def _ratio(scores: Floats, items: Codes) -> tuple[float, float]:
    """The distances of the pairs within items, and of all pairs."""
    judged = np.bincount(items)
    order = np.argsort(items, kind="stable")
    scores, items = scores[order], items[order]
    many = judged > MANY
    observed = _neighbours(scores[~many[items]], items[~many[items]], judged)
    ends = np.cumsum(judged)
    for item in np.flatnonzero(many):
        observed += spread(scores[ends[item] - judged[item] : ends[item]]) / (judged[item] - 1)
    return float(observed), spread(scores) / (len(scores) - 1)


def _neighbours(scores: Floats, items: Codes, judged: Codes) -> float:
    """Sorted by item, judgements of one item stand one place apart, two places, and so on."""
    disagreement, places, lag = 0.0, np.arange(len(items)), 0
    while len(places):
        lag += 1
        places = places[places + lag < len(items)]
        places = places[items[places + lag] == items[places]]
        disagreement += 2 * float(np.sum(distance(scores[places], scores[places + lag]) / (judged[items[places]] - 1)))
    return disagreement


_DISAGREEMENT = {"nominal": _nominal, "ordinal": _ordinal, "interval": _interval, "ratio": _ratio}

STATISTIC = AgreementStatistic(
    label="Krippendorff's alpha",
    paper=Paper(
        "Krippendorff",
        2011,
        "Computing Krippendorff's alpha-reliability",
        "https://repository.upenn.edu/handle/20.500.14332/2089",
    ),
    agree=agree,
    levels=frozenset({"nominal", "ordinal", "interval", "ratio"}),
    always=True,
)
