"""Approximate randomization: the difference of two systems against random swaps of their outputs (Noreen 1989)."""

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from evaluation.numerics import Floats, Test
from evaluation.significance import ResampledDifference, compare, compare_many, p_of
from evaluation.statistics._base import ResamplingTest
from foundation.papers import Paper
from foundation.seeds import generator
from foundation.translation import translatable

BATCH = 1024  # draws whose coins are in hand as numbers at a time
KEPT = 4_000_000  # coins that are kept as numbers, 32 MB; more are kept as bytes
MOST_KEPT = 200_000_000  # coins that are kept at all, 200 MB


def _test(resampled: ResampledDifference) -> Test:
    """Riezler and Maxwell's test for corpus scores.

    In each resample the two systems swap all outputs and judgements of a source with an even chance, source by source.
    p is two-sided. It is the share of the resamples whose difference is as far from zero as the observed one. One is
    added above and below.

    `effect` is Rosenthal's r, -1 to 1: the difference over the root mean square of the resampled differences and over
    the root of the number of sources. For pairs of numbers it tends to t / sqrt(t^2 + n - 1) of the paired t test.
    """
    p = p_of(resampled.resamples, resampled.difference, resampled.rounding)
    return Test(resampled.difference, p, resampled.sources, _effect(resampled))


def _effect(resampled: ResampledDifference) -> float:
    spread = float(np.sqrt(np.mean(resampled.resamples**2) * resampled.sources))
    return float(np.clip(resampled.difference / spread, -1, 1)) if spread > 0 else 0.0


def _swapped_sums(pairs: Sequence[tuple[Floats, Floats]], draws: int, seed: int) -> Iterator[tuple[Floats, Floats]]:
    """A swap adds the difference of the two systems' sums: each system's sums are resampled once for all its pairs."""
    sources = len(pairs[0][0])
    distinct = {id(sums): sums for both in pairs for sums in both}
    stacked = np.hstack(list(distinct.values()))
    drawn = np.vstack([part @ stacked for part in _batches(draws, sources, seed)])
    widths = [sums.shape[1] for sums in distinct.values()]
    heads = dict(zip(distinct, np.split(drawn, np.cumsum(widths)[:-1], axis=1), strict=True))
    for a, b in pairs:
        moved = heads[id(b)] - heads[id(a)]
        yield a.sum(axis=0) + moved, b.sum(axis=0) - moved


def _batches(draws: int, sources: int, seed: int) -> Iterator[Floats]:
    """The coins (n_batch, n_sources), a batch of draws at a time; too many to keep are drawn anew."""
    starts = range(0, draws, BATCH)
    if draws * sources <= MOST_KEPT:
        coins = _coins(draws, sources, seed)
        yield from (coins[start : start + BATCH].astype(np.float64, copy=False) for start in starts)
        return
    drawing = generator(seed, "swap", sources)
    for start in starts:
        size = min(BATCH, draws - start), sources
        yield drawing.integers(0, 2, size=size, dtype=np.int8).astype(np.float64)


@lru_cache(maxsize=1)
def _coins(draws: int, sources: int, seed: int) -> NDArray[np.int8] | Floats:
    """(n_resamples, n_sources) of 0 and 1; cached, since all boards of a report take the same ones."""
    coins = generator(seed, "swap", sources).integers(0, 2, size=(draws, sources), dtype=np.int8)
    return coins.astype(np.float64) if coins.size <= KEPT else coins


STATISTIC = ResamplingTest(
    label="Approximate randomization",
    paper=Paper(
        "Riezler and Maxwell",
        2005,
        "On some pitfalls in automatic evaluation and significance testing for MT",
        "https://aclanthology.org/W05-0908/",
    ),
    effect=translatable("Rosenthal's r"),
    compare=partial(compare, _swapped_sums, _test),
    compare_many=partial(compare_many, _swapped_sums, _test),
)
