"""The bootstrap of items with all their judgements, for the intervals of coefficients of agreement.

The percentile interval over items drawn with replacement (Zapf, Castell, Morawietz and Karch 2016, 'Measuring
inter-rater reliability for nominal data'). Of three raters on five points it held the truth in 90% of trials with 20
items, 92% to 96% with 50 and 92% to 97% with 100. Krippendorff's own bootstrap draws pairs of values as if they were
independent, which those of one item are not.

Alpha and Fleiss' kappa are made of sums over items, and items with the same multiset of values contribute the same. So
kinds of items are resampled (a multinomial), not items: a hundred thousand judgements on a scale are some tens of
kinds. Where there are more than `PARTS` kinds, items are put into so many random blocks, and blocks are resampled:
their sums vary as much.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from evaluation.numerics.arrays import Codes, Floats
from evaluation.resampling.bootstrap import Bootstrap
from foundation.seeds import generator

FEWEST = 10  # items that an interval is stated for
DRAWS = 1000
PARTS = 1000
Interval: TypeAlias = tuple[float, float] | None
NONE_STATED = "There is no interval: it needs {fewest} items or more that were judged twice, and there are {items}."


@dataclass(frozen=True)
class ItemResamples:
    """Bootstrap samples of units: kinds of items, or blocks of items.

    Of the items of one kind only the first is looked at, so n_kept may be far fewer than all judgements.

    Attributes:
        at: (n_kept,) the places of the judgements that are looked at, among all judgements.
        unit: (n_kept,) the unit that each of them belongs to.
        weights: (n_samples, n_units) how often a sample holds a unit.
    """

    at: Codes
    unit: Codes
    weights: Floats

    def sums(self, values: Floats, columns: Codes | None = None, width: int = 1) -> Floats:
        """Sums of values (n_kept,) by sample, (n_samples, width); `columns` (n_kept,) names the column of each."""
        place = self.unit * width + (0 if columns is None else columns)
        units = self.weights.shape[1]
        return np.asarray(self.weights @ np.bincount(place, values, units * width).reshape(units, width))


def resample_items(items: Codes, marks: Codes, seed: int = 0) -> ItemResamples:
    """Bootstrap samples of items.

    Args:
        items: (n_judgements,) the item of each judgement, from 0.
        marks: (n_judgements,) codes of the values, from 0: items with the same multiset of marks are of one kind.
        seed: of the random numbers.
    """
    count = int(items.max()) + 1
    names = generator(seed, "kinds").integers(0, 2**63, int(marks.max()) + 1, dtype=np.uint64)
    order = np.argsort(items, kind="stable")
    starts = np.flatnonzero(np.diff(items[order], prepend=-1))
    kinds, first, kind, times = np.unique(
        np.add.reduceat(names[marks[order]], starts), return_index=True, return_inverse=True, return_counts=True
    )
    if len(kinds) <= PARTS:
        weights = _kinds_drawn(count, times.tobytes(), seed)
        chosen = np.zeros(count, dtype=bool)
        chosen[first] = True
        chosen_judgements = np.flatnonzero(chosen[items])
        return ItemResamples(chosen_judgements, kind[items[chosen_judgements]].astype(np.intp), weights)
    part = generator(seed, "items", count).permutation(count) % PARTS
    return ItemResamples(np.arange(len(items)), part[items].astype(np.intp), _blocks_drawn(seed))


@lru_cache(maxsize=1)
def _kinds_drawn(count: int, times: bytes, seed: int) -> Floats:
    """How often each sample holds each kind: kept for the next coefficient of the same judgements."""
    shares = np.frombuffer(times, dtype=np.intp) / count
    weights = generator(seed, "items", count).multinomial(count, shares, DRAWS).astype(np.float64)
    weights.flags.writeable = False
    return weights


@lru_cache(maxsize=1)
def _blocks_drawn(seed: int) -> Floats:
    """How often each sample holds each block: the same whatever is in the blocks."""
    weights = Bootstrap(np.arange(PARTS), DRAWS, seed).weights
    weights.flags.writeable = False
    return weights


def percentile_interval(items: int, values: Callable[[], NDArray[np.float64] | str]) -> tuple[Interval, str]:
    """The 95% interval of a coefficient over samples of items.

    Args:
        items: how many items were judged twice or more.
        values: gives the coefficient in each sample, (n_samples,), or a sentence why it cannot.

    Returns:
        The interval or None, and why there is none.
    """
    if items < FEWEST:
        return None, NONE_STATED.format(fewest=FEWEST, items=items)
    resampled = values()
    if isinstance(resampled, str):
        return None, resampled
    interval = Bootstrap.interval(resampled)
    return interval, "" if interval else "There is no interval: in too many of the draws all values are the same."
