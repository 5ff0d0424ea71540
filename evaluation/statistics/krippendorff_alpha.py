"""Krippendorff's alpha: agreement of raters beyond chance, by the level of measurement; gaps are allowed."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.statistics._base import Agreement, AgreementStatistic, Floats, Labels, Level
from evaluation.statistics._ratios import distance, spread
from foundation.papers import Paper

Codes = NDArray[np.intp]
MANY = 200  # judgements of an item beyond which its pairs are not written out


def agree(raters: Labels, items: Labels, values: ArrayLike, level: Level) -> Agreement:
    """Alpha of judgements in long form: who judged, what, and the value, each (n,).

    Items with one judgement say nothing about agreement and do not enter. Every level
    is sums over judgements, and never a table of values, so time and memory grow with n alone.
    ValueError: lengths differ, or the level is unknown.
    """
    if level not in _DISAGREEMENT:
        raise ValueError(f"There is no level of measurement '{level}'.")
    scores = np.asarray(values, dtype=np.float64)
    if scores.ndim != 1 or not len(raters) == len(items) == len(scores):
        raise ValueError("raters, items and values are one-dimensional and of equal length.")
    who, what = _codes(raters), _codes(items)
    if why := _unusable(who, what, scores, level):
        return Agreement(None, 0, 0, why)
    enters = np.bincount(what)[what] > 1 if len(what) else np.zeros(0, dtype=bool)
    counts = len(np.unique(who[enters])), len(np.unique(what[enters]))
    if not counts[1]:
        return Agreement(None, *counts, "No item was judged by two raters.")
    observed, expected = _DISAGREEMENT[level](scores[enters], _codes(what[enters]))
    if expected == 0:
        return Agreement(None, *counts, "All judgements have the same value, so there is nothing to agree on.")
    return Agreement(float(1 - observed / expected), *counts)


def _codes(labels: Labels) -> Codes:
    return np.unique(np.asarray(labels), return_inverse=True)[1].astype(np.intp)


def _unusable(who: Codes, what: Codes, scores: Floats, level: Level) -> str:
    if lacking := int(np.sum(~np.isfinite(scores))):
        return f"{lacking} of the {len(scores)} judgements lack{'s' if lacking == 1 else ''} a number."
    if len(np.unique(np.column_stack((who, what)), axis=0)) < len(who):
        return "A rater judged one item twice; alpha takes one judgement of a rater and item."
    if level == "ratio" and np.any(scores < 0):
        return "The ratio level needs values of zero or more."
    return ""


def _nominal(scores: Floats, items: Codes) -> tuple[float, float]:
    """Disagreement observed and expected, both times the number of judgements, as in all four levels."""
    levels = _codes(scores)
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
    levels = _codes(scores)
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
    found, at, lag = 0.0, np.arange(len(items)), 0
    while len(at):
        lag += 1
        at = at[at + lag < len(items)]
        at = at[items[at + lag] == items[at]]
        found += 2 * float(np.sum(distance(scores[at], scores[at + lag]) / (judged[items[at]] - 1)))
    return found


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
)
