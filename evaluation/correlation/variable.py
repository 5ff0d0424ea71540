"""A variable of a correlation, with what the coefficients ask of it again and again, each computed once."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from evaluation.numerics import SAME_WITHIN, Codes, Floats, without_rounding


class Variable:
    """Finite values (n_points,) and their order."""

    def __init__(self, values: Floats) -> None:
        self.values = values
        self.concordance: dict[Variable, Codes] = {}
        """With other variables: for each point the signs of all pairs, summed (`_concordance`)."""

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def levels(self) -> Codes:
        """Each point's place among the distinct values, from 0; values that differ by rounding alone are one."""
        return np.unique(without_rounding(self.values), return_inverse=True)[1].astype(np.intp)

    @cached_property
    def ordered(self) -> Floats:
        """What rank coefficients take for the values: the places, (n,)."""
        return self.levels.astype(np.float64)

    @cached_property
    def counts(self) -> Codes:
        """How many points stand at each level."""
        return np.bincount(self.levels)

    @cached_property
    def leads(self) -> Floats:
        """How many points lie below each, less how many lie above: twice the middle rank about its mean, (n,)."""
        upto = np.cumsum(self.counts)
        return (2 * upto - self.counts - len(self)).astype(np.float64)[self.levels]

    @cached_property
    def scaled(self) -> Floats:
        """About the median and within -1 and 1, so that neither an offset nor an outlier costs digits."""
        halves = self.values / 2  # the largest floats' difference is no float
        centred = halves - np.median(halves)
        return np.asarray(centred / np.max(np.abs(centred)))

    @cached_property
    def direction(self) -> Floats:
        """About the mean and of length 1: the product of two is their r."""
        centred = self.scaled - self.scaled.mean()
        return np.asarray(centred / np.linalg.norm(centred))

    @cached_property
    def lower(self) -> NDArray[np.bool_]:
        """The lower half of the points, and no point where the step to the upper half may be rounding, (n,)."""
        middle = np.median(self.values)
        below = self.values < middle if np.min(self.values) < middle else self.values <= middle
        if below.all():
            return np.zeros(len(self), dtype=bool)
        step = np.min(self.values[~below]) / 2 - np.max(self.values[below]) / 2
        return below if step > SAME_WITHIN / 2 * np.max(np.abs(self.values)) else np.zeros(len(self), dtype=bool)

    def sums_above(self, parts: Floats) -> Floats:
        """For each point the parts (n,) of the points above it, less those of the points below it, (n,)."""
        totals = np.bincount(self.levels, parts)
        upto = np.cumsum(totals)
        return np.asarray((upto[-1] - 2 * upto + totals)[self.levels])
