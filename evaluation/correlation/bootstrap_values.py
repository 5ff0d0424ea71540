"""Values that differ between bootstrap samples, with what the coefficients ask of them, each computed once."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from evaluation.numerics import Floats, all_same_rows, without_rounding


class ResampledValues:
    """Values (n_samples, n_points); what is computed of them is for finite ones."""

    def __init__(self, values: Floats) -> None:
        self.values = values

    @cached_property
    def whole(self) -> NDArray[np.bool_]:
        """The samples in which every point has a value, (n_samples,)."""
        return np.asarray(np.isfinite(self.values).all(axis=1))

    @cached_property
    def settled(self) -> Floats:
        """Values that are equal but for the rounding of a sample's sums are tied."""
        return without_rounding(self.values)

    @cached_property
    def centred(self) -> Floats:
        """Each row about its mean, within -1 and 1."""
        centred = self.values - self.values.mean(axis=1, keepdims=True)
        largest = np.abs(centred).max(axis=1, keepdims=True)
        return np.asarray(centred / np.where(largest > 0, largest, 1))

    @cached_property
    def square(self) -> Floats:
        """The sum of the squares of each centred row, (n_samples,), 0 where all values are one."""
        squares = np.einsum("dn,dn->d", self.centred, self.centred)
        return np.where(all_same_rows(self.values), 0.0, squares)

    @cached_property
    def ranks(self) -> Floats:
        """The middle ranks of each row about their mean."""
        from scipy.stats import rankdata  # here, for scipy stays out of those who only list names

        return np.asarray(rankdata(self.settled, axis=1) - (self.values.shape[1] + 1) / 2)

    @cached_property
    def rank_square(self) -> Floats:
        """The sum of the squares of each row's ranks, (n_samples,)."""
        return np.asarray(np.einsum("dn,dn->d", self.ranks, self.ranks))
