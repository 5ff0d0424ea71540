"""PERM-BOTH: does one metric agree with people better than another? Tested by swapping their scores at random."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from evaluation.correlation import Variable
from evaluation.numerics import FEWEST, Floats, Test, all_same
from evaluation.resampling import ROUNDING, Bootstrap, Swaps, draw_swaps, pearson_of_sums, standardize, swapped_sums
from evaluation.statistics import coefficient_named
from evaluation.statistics._base import CorrelationTest
from evaluation.statistics.kendall import tau
from foundation.papers import Paper

Averaging = Literal["item", "system", "none"]

CELLS = 2_000_000  # correlations in hand at a time: resamples times items
NO_CORRELATION = "There is no correlation to compare: the values that it is taken over are all the same."


@dataclass(frozen=True)
class _Scores:
    """Scores (n_systems, n_items) of two metrics and of people, NaN in all three where one of them is missing."""

    x: Floats
    y: Floats
    human: Floats


def compare(
    x: ArrayLike,
    y: ArrayLike,
    human: ArrayLike,
    averaging: Averaging = "item",
    coefficient: str = "kendall",
    draws: int = 1000,
    seed: int = 0,
) -> Test:
    """The correlation of metric x with people less that of metric y, and how often chance makes it as large.

    Scores are standardized. In each resample the metrics swap scores on the outputs of random systems and,
    independently, on those of random items; an output hit by both keeps its scores. p is two-sided, with one added
    above and below, so it is never 0.

    Args:
        x: The first metric's scores, (n_systems, n_items). An output that lacks one of the three (NaN) does not enter.
        y: The second metric's scores. They have the same shape.
        human: People's scores. They have the same shape.
        averaging: The correlation compared. By 'item' it is over systems at each item, averaged over the items that
            have one. By 'system' it is of the systems' means. By 'none' it is over all outputs.
        coefficient: The coefficient: pearson, spearman or kendall.
        draws: the number of resamples.
        seed: of their random numbers.

    Returns:
        `statistic` is the difference of the correlations; `n` counts items, systems or outputs, as `averaging` says.

    Raises:
        ValueError: shapes differ, or the averaging or the coefficient is unknown.
    """
    if averaging not in _DIFFERENCES:
        raise ValueError(f"There is no averaging '{averaging}'.")
    coefficient_named(coefficient)
    first, second, third = (np.array(scores, dtype=np.float64) for scores in (x, y, human))
    if first.ndim != 2 or not first.shape == second.shape == third.shape:
        raise ValueError("x, y and human are two-dimensional, systems by items, and of equal shape.")
    scores = _complete(first, second, third)
    n = {"item": scores.x.shape[1], "system": len(scores.x), "none": int(np.sum(~np.isnan(scores.x)))}[averaging]
    if why := _unusable(scores, averaging):
        return Test(None, None, n, undefined=why)
    difference = _DIFFERENCES[averaging]
    scores = _Scores(*(standardize(values) for values in (scores.x, scores.y, scores.human)))
    no_swaps = Swaps(*(np.zeros((1, size), dtype=bool) for size in scores.x.shape))
    observed = float(difference(scores, no_swaps, coefficient)[0])
    if not np.isfinite(observed):
        return Test(None, None, n, undefined=NO_CORRELATION)
    resampled = difference(scores, draw_swaps(scores.x.shape, draws, seed), coefficient)
    defined = resampled[np.isfinite(resampled)]
    if not Bootstrap.enough(np.isfinite(resampled)):
        return Test(observed, None, n, undefined="In too many of the draws a correlation has no value.")
    as_large = int(np.sum(np.abs(defined) >= abs(observed) - ROUNDING))
    return Test(observed, (as_large + 1) / (len(defined) + 1), n)


def _complete(x: Floats, y: Floats, human: Floats) -> _Scores:
    """Without the outputs that lack one of the three, and without systems and items that have no output."""
    lacking = ~(np.isfinite(x) & np.isfinite(y) & np.isfinite(human))
    for scores in (x, y, human):
        scores[lacking] = np.nan
    scored = np.ix_(~lacking.all(axis=1), ~lacking.all(axis=0))
    return _Scores(x[scored], y[scored], human[scored])


def _unusable(scores: _Scores, averaging: Averaging) -> str:
    n_systems, n_items = scores.x.shape
    if n_items < FEWEST:
        return f"The test needs {FEWEST} items or more, and there {'is' if n_items == 1 else 'are'} {n_items}."
    fewest = FEWEST if averaging == "system" else 2 if averaging == "item" else 1
    if n_systems < fewest:
        return f"The test needs {fewest} systems or more, and there {'is' if n_systems == 1 else 'are'} {n_systems}."
    for name, values in (("the first metric", scores.x), ("the second metric", scores.y), ("people", scores.human)):
        if all_same(values[~np.isnan(values)]):
            return f"All scores of {name} are the same."
    return ""


def _by_item(scores: _Scores, swaps: Swaps, coefficient: str) -> Floats:
    """The difference of the correlations averaged over items, in each resample, (n_resamples,).

    Where an item is hit too, its systems swap the other way round: the two metrics trade their correlations there. So
    correlations are asked for at each different choice of systems and its opposite only, whatever items are hit.
    """
    choices, place = np.unique(np.vstack((swaps.systems, ~swaps.systems)), axis=0, return_inverse=True)
    own, opposite = np.split(place.ravel(), 2)
    sums, counts = np.zeros((2, 2, len(own)))
    by_item = coefficient_named(coefficient).by_item
    for part in _slices(scores.x.shape[1], max(len(choices), len(own))):
        correlations = by_item(scores.x[:, part], scores.y[:, part], scores.human[:, part], choices)
        defined = ~np.isnan(correlations)
        for total, values in ((sums, np.where(defined, correlations, 0.0)), (counts, defined.astype(np.float64))):
            whole = values.sum(axis=1)
            traded = np.einsum("di,di->d", swaps.items[:, part], values[opposite] - values[own])
            total += whole[own] + traded, whole[opposite] - traded
    means = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
    return np.asarray(means[0] - means[1])


def _slices(n_items: int, n_rows: int) -> Iterator[slice]:
    step = max(1, CELLS // n_rows)
    return (slice(start, start + step) for start in range(0, n_items, step))


def _by_system(scores: _Scores, swaps: Swaps, coefficient: str) -> Floats:
    """The difference of the correlations of the systems' means, in each resample, (n_resamples,)."""
    n_outputs = np.sum(~np.isnan(scores.x), axis=1)
    first, second = (sums / n_outputs for sums in swapped_sums(swaps, scores.x, scores.y))
    human = np.broadcast_to(np.nanmean(scores.human, axis=1), first.shape)
    rowwise = coefficient_named(coefficient).rowwise
    return np.asarray(rowwise(first, human) - rowwise(second, human))


def _pooled(scores: _Scores, swaps: Swaps, coefficient: str) -> Floats:
    """The difference of the correlations over all outputs, in each resample, (n_resamples,)."""
    if coefficient == "pearson":
        return _pooled_pearson(scores, swaps)
    scored = ~np.isnan(scores.x)
    x, y, human = scores.x[scored], scores.y[scored], Variable(scores.human[scored])
    value = _tau if coefficient == "kendall" else _rho
    differences = np.empty(len(swaps.items))
    for resample, (systems, items) in enumerate(zip(swaps.systems, swaps.items, strict=True)):
        swapped = (systems[:, None] ^ items)[scored]
        first, second = Variable(np.where(swapped, y, x)), Variable(np.where(swapped, x, y))
        differences[resample] = value(first, human) - value(second, human)
    return differences


def _tau(metric: Variable, human: Variable) -> float:
    return np.nan if all_same(metric.values) else tau(metric, human)


def _rho(metric: Variable, human: Variable) -> float:
    square = (metric.leads @ metric.leads) * (human.leads @ human.leads)
    return float(metric.leads @ human.leads / np.sqrt(square)) if square > 0 else np.nan


def _pooled_pearson(scores: _Scores, swaps: Swaps) -> Floats:
    """The scores are standardized together, so sums of squares lose no digits."""
    x, y, human = scores.x, scores.y, scores.human
    n = int(np.sum(~np.isnan(x)))
    terms = ((x, y), (x * x, y * y), (x * human, y * human))
    sums = [[side.sum(axis=1) for side in swapped_sums(swaps, *term)] for term in terms]
    first, second = (pearson_of_sums(n, *of_metric) for of_metric in zip(*sums, strict=True))
    return np.asarray(first - second)


_DIFFERENCES = {"item": _by_item, "system": _by_system, "none": _pooled}

STATISTIC = CorrelationTest(
    label="PERM-BOTH",
    paper=Paper(
        "Deutsch, Dror and Roth",
        2021,
        "A Statistical Analysis of Summarization Evaluation Metrics Using Resampling Methods",
        "https://doi.org/10.1162/tacl_a_00417",
    ),
    effect="difference of the two correlations",
    compare=compare,
)
