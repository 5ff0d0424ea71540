"""PERM-BOTH: do two metrics agree with people unequally well, were their scores to change places at random?"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.statistics._base import FEWEST, CorrelationTest, Floats, Test, all_same
from evaluation.statistics._by_item import by_item
from evaluation.statistics._draws import Draws
from evaluation.statistics._variable import Variable
from evaluation.statistics.kendall import STATISTIC as KENDALL
from evaluation.statistics.pearson import STATISTIC as PEARSON
from evaluation.statistics.spearman import STATISTIC as SPEARMAN
from foundation.papers import Paper
from foundation.seeds import generator

Averaging = Literal["item", "system", "none"]

COEFFICIENTS = {"pearson": PEARSON, "spearman": SPEARMAN, "kendall": KENDALL}
CELLS = 2_000_000  # draws or ways, times items, in hand at a time
ROUNDING = 1e-12  # a drawn difference that is short of the true one by less is as large


@dataclass(frozen=True)
class _Scores:
    """Standardized scores (systems, items), NaN in all three where one of them is missing."""

    x: Floats
    y: Floats
    human: Floats


@dataclass(frozen=True)
class _Places:
    """In draw d system i changes places where `systems[d, i]`, item j where `items[d, j]`; an output where one does."""

    systems: NDArray[np.bool_]
    items: NDArray[np.bool_]


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

    x, y and human are (systems, items); an output that lacks one of the three (NaN) does not enter. `averaging` is
    the correlation compared: 'item', over systems at each item, averaged over the items that have one; 'system', of
    the systems' means; 'none', over all outputs. Scores are standardized, then in each draw the metrics change places
    on the outputs of random systems and, independently, on those of random items: an output hit by both stays. p is
    two-sided, with one added above and below, so it is never 0. `n` counts items, systems or outputs.
    ValueError: shapes differ, or the averaging or the coefficient is unknown.
    """
    if averaging not in _DIFFERENCES or coefficient not in COEFFICIENTS:
        raise ValueError(f"There is no averaging '{averaging}' or no coefficient '{coefficient}'.")
    first, second, third = (np.array(one, dtype=np.float64) for one in (x, y, human))
    if first.ndim != 2 or not first.shape == second.shape == third.shape:
        raise ValueError("x, y and human are two-dimensional, systems by items, and of equal shape.")
    scores = _complete(first, second, third)
    n = {"item": scores.x.shape[1], "system": len(scores.x), "none": int(np.sum(~np.isnan(scores.x)))}[averaging]
    if why := _unusable(scores, averaging):
        return Test(None, None, n, undefined=why)
    difference = _DIFFERENCES[averaging]
    scores = _Scores(*(_standardized(one) for one in (scores.x, scores.y, scores.human)))
    still = _Places(*(np.zeros((1, size), dtype=bool) for size in scores.x.shape))
    observed = float(difference(scores, still, coefficient)[0])
    if not np.isfinite(observed):
        return Test(None, None, n, undefined=_NONE_TO_COMPARE)
    drawn = difference(scores, _places(scores.x.shape, draws, seed), coefficient)
    known = drawn[np.isfinite(drawn)]
    if not Draws.enough(np.isfinite(drawn)):
        return Test(observed, None, n, undefined="In too many of the draws a correlation has no value.")
    as_large = int(np.sum(np.abs(known) >= abs(observed) - ROUNDING))
    return Test(observed, (as_large + 1) / (len(known) + 1), n)


_NONE_TO_COMPARE = "There is no correlation to compare: the values that it is taken over are all the same."


def _complete(x: Floats, y: Floats, human: Floats) -> _Scores:
    """Without the outputs that lack one of the three, and without systems and items that have no output."""
    lacking = ~(np.isfinite(x) & np.isfinite(y) & np.isfinite(human))
    for one in (x, y, human):
        one[lacking] = np.nan
    kept = np.ix_(~lacking.all(axis=1), ~lacking.all(axis=0))
    return _Scores(x[kept], y[kept], human[kept])


def _unusable(scores: _Scores, averaging: Averaging) -> str:
    systems, items = scores.x.shape
    if items < FEWEST:
        return f"The test needs {FEWEST} items or more, and there {'is' if items == 1 else 'are'} {items}."
    fewest = FEWEST if averaging == "system" else 2 if averaging == "item" else 1
    if systems < fewest:
        return f"The test needs {fewest} systems or more, and there {'is' if systems == 1 else 'are'} {systems}."
    for name, one in (("the first metric", scores.x), ("the second metric", scores.y), ("people", scores.human)):
        if all_same(one[~np.isnan(one)]):
            return f"All scores of {name} are the same."
    return ""


def _standardized(values: Floats) -> Floats:
    return np.asarray((values - np.nanmean(values)) / np.nanstd(values))


def _places(shape: tuple[int, ...], draws: int, seed: int) -> _Places:
    numbers = generator(seed, "perm_both", *shape)
    return _Places(*(numbers.integers(0, 2, (draws, size), dtype=np.uint8).astype(np.bool_) for size in shape))


def _by_item(scores: _Scores, places: _Places, coefficient: str) -> Floats:
    """With a draw's systems changed, an item changing places only trades its two correlations."""
    ways, which = np.unique(np.vstack((places.systems, ~places.systems)), axis=0, return_inverse=True)
    own, other = np.split(which.ravel(), 2)
    sums, counts = np.zeros((2, 2, len(own)))
    for part in _slices(scores.x.shape[1], max(len(ways), len(own))):
        found = by_item(coefficient, scores.x[:, part], scores.y[:, part], scores.human[:, part], ways)
        there = ~np.isnan(found)
        for total, values in ((sums, np.where(there, found, 0.0)), (counts, there.astype(np.float64))):
            whole = values.sum(axis=1)
            traded = np.einsum("di,di->d", places.items[:, part], values[other] - values[own])
            total += whole[own] + traded, whole[other] - traded
    means = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
    return np.asarray(means[0] - means[1])


def _slices(items: int, rows: int) -> Iterator[slice]:
    step = max(1, CELLS // rows)
    return (slice(start, start + step) for start in range(0, items, step))


def _by_system(scores: _Scores, places: _Places, coefficient: str) -> Floats:
    there = np.sum(~np.isnan(scores.x), axis=1)
    first, second = (sums / there for sums in _changed(places, scores.x, scores.y))
    human = np.broadcast_to(np.nanmean(scores.human, axis=1), first.shape)
    rowwise = COEFFICIENTS[coefficient].rowwise
    return np.asarray(rowwise(first, human) - rowwise(second, human))


def _changed(places: _Places, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """The sums over items of each system's x, and of its y, after the change: (draws, systems) both."""
    x, y = np.nan_to_num(x), np.nan_to_num(y)
    moved = places.items.astype(np.float64) @ (y - x).T
    whole_x, whole_y = x.sum(axis=1), y.sum(axis=1)
    first = np.where(places.systems, whole_y - moved, whole_x + moved)
    return first, whole_x + whole_y - first


def _pooled(scores: _Scores, places: _Places, coefficient: str) -> Floats:
    if coefficient == "pearson":
        return _pooled_pearson(scores, places)
    here = ~np.isnan(scores.x)
    x, y, human = scores.x[here], scores.y[here], Variable(scores.human[here])
    value = _tau if coefficient == "kendall" else _rho
    found = np.empty(len(places.items))
    for draw, (systems, items) in enumerate(zip(places.systems, places.items, strict=True)):
        swapped = (systems[:, None] ^ items)[here]
        first, second = Variable(np.where(swapped, y, x)), Variable(np.where(swapped, x, y))
        found[draw] = value(first, human) - value(second, human)
    return found


def _tau(one: Variable, human: Variable) -> float:
    return np.nan if all_same(one.values) else KENDALL.pointed(one, human)[0]


def _rho(one: Variable, human: Variable) -> float:
    square = (one.leads @ one.leads) * (human.leads @ human.leads)
    return float(one.leads @ human.leads / np.sqrt(square)) if square > 0 else np.nan


def _pooled_pearson(scores: _Scores, places: _Places) -> Floats:
    """The scores are standardized together, so sums of squares lose no digits."""
    x, y, human = scores.x, scores.y, scores.human
    n = np.sum(~np.isnan(x))
    parts = ((x, y), (x * x, y * y), (x * human, y * human))
    sums = [[side.sum(axis=1) for side in _changed(places, *part)] for part in parts]
    first, second = (
        product / np.sqrt(n * (square - whole * whole / n)) for whole, square, product in zip(*sums, strict=True)
    )
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
