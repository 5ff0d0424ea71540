"""The figures of the statistics, on made judgements: agreement, a test of two metrics, a report's correlations."""

from collections.abc import Callable
from functools import partial

import numpy as np

from evaluation.correlation import correlate_all
from evaluation.resampling import Bootstrap
from evaluation.statistics import STATISTICS, Coefficient, of_kind
from tools.bench.clock import Took, timed

RATINGS, VALUES, RATERS = 100_000, 101, 5
SYSTEMS, SENTENCES, METRICS, CRITERIA, DRAWS = 10, 2_000, 20, 4, 1_000
PERMUTED = (5, 1_000)  # systems and items


def judging() -> dict[str, Took]:
    """Each figure by its words; imports at the first use are not in them."""
    of_kind(Coefficient)["kendall"].correlate(np.arange(9), np.arange(9) % 4, draws=9)
    kinds = {f"{VALUES} values": 0.0, "all values different": 1.0}
    return {
        **{
            f"alpha of {RATINGS:,} ratings, {words}, the slowest level": _slowest_level(_ratings(spread))
            for words, spread in kinds.items()
        },
        f"PERM-BOTH by item, {PERMUTED[0]} systems, {PERMUTED[1]:,} items, {DRAWS:,} draws": timed(_permuted()),
        f"correlations of {METRICS} metrics, {CRITERIA} criteria, {SYSTEMS * SENTENCES:,} outputs, {DRAWS:,} draws": (
            timed(_correlated())
        ),
    }


def _slowest_level(ratings: tuple[np.ndarray, np.ndarray, np.ndarray]) -> Took:
    agree = STATISTICS["krippendorff_alpha"].agree
    levels = ("nominal", "ordinal", "interval", "ratio")
    return max(timed(partial(agree, *ratings, level)) for level in levels)


def _ratings(spread: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Raters, items and places on a slider, `spread` of a point apart."""
    numbers = np.random.default_rng(1)
    items = np.repeat(np.arange(RATINGS // RATERS), RATERS)
    quality = numbers.integers(0, VALUES, RATINGS // RATERS)[items]
    values = np.clip(quality + numbers.integers(-9, 10, RATINGS), 0, VALUES - 1) + spread * numbers.random(RATINGS)
    return np.tile(np.arange(RATERS), RATINGS // RATERS), items, values


def _permuted() -> Callable[[], object]:
    numbers = np.random.default_rng(1)
    quality = numbers.normal(size=PERMUTED)
    first, second = (quality + numbers.normal(size=PERMUTED) for _ in range(2))
    human = np.clip(np.round(quality + 3), 1, 5)
    return lambda: STATISTICS["perm_both"].compare(first, second, human, "item", "kendall", draws=DRAWS)


def _correlated() -> Callable[[], object]:
    """With the making of the draws."""
    numbers = np.random.default_rng(1)
    count = SYSTEMS * SENTENCES
    groups = np.tile(np.arange(SENTENCES), SYSTEMS)
    quality = numbers.normal(size=count)
    metrics = {f"metric {place}": quality + numbers.normal(size=count) * (place + 1) for place in range(METRICS)}
    criteria = {f"criterion {place}": np.round(quality + numbers.normal(size=count), 1) for place in range(CRITERIA)}
    return lambda: correlate_all(metrics, criteria, groups, of_kind(Coefficient), Bootstrap(groups, DRAWS, 1))
