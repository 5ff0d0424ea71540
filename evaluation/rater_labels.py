"""Labels by several raters in long form, and the answer of a model of raters: chances of labels, and skills."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from evaluation.numerics import Codes, Floats, Labels

MOST_CELLS = 20_000_000  # numbers of a model that are in hand at a time: items by labels, raters by labels squared


@dataclass(frozen=True)
class GivenLabels:
    """`who` labelled `what` as `which`, (n_labels,) each, as places in the sorted lists of the names."""

    who: Codes
    what: Codes
    which: Codes
    raters: NDArray[np.generic]
    items: NDArray[np.generic]
    labels: NDArray[np.generic]

    @classmethod
    def read(cls, raters: Labels, items: Labels, labels: Labels) -> Self:
        """ValueError: lengths differ."""
        if not len(raters) == len(items) == len(labels):
            raise ValueError("raters, items and labels are of equal length.")
        named = [np.unique(np.asarray(one), return_inverse=True) for one in (raters, items, labels)]
        (people, who), (things, what), (names, which) = named
        return cls(who.astype(np.intp), what.astype(np.intp), which.astype(np.intp), people, things, names)

    @property
    def shape(self) -> tuple[int, int, int]:
        """How many raters, items and labels there are."""
        return len(self.raters), len(self.items), len(self.labels)

    def unusable(self) -> str:
        """Why no model can be fitted; empty where one can."""
        raters, items, labels = self.shape
        if not len(self.which):
            return "There are no judgements."
        if labels < 2:
            return "All judgements have the same value, so there is nothing to model."
        if raters < 2:
            return "There is one rater, and a model compares several."
        if len(self.which) == items:
            return "No item was judged by two raters."
        if max(items * labels, raters * labels**2) > MOST_CELLS:
            return "There are too many items, raters and labels for a model."
        return ""

    def shares(self) -> Floats:
        """The share of each label among an item's judgements, (n_items, n_labels)."""
        _, items, labels = self.shape
        counts = np.bincount(self.what * labels + self.which, minlength=items * labels).reshape(items, labels)
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))


@dataclass(frozen=True)
class Labelled:
    """A model's answer.

    `chances` (n_items, n_labels) say how likely each label is the true one; `items` and `labels` are the names of its
    rows and columns. `skills` (n_raters,) are those of `raters`, as the model's entry defines a skill; more is better.
    `undefined` says why there is none of this.
    """

    items: Sequence[object]
    labels: Sequence[object]
    chances: Floats
    raters: Sequence[object]
    skills: Floats
    undefined: str = ""

    @classmethod
    def none(cls, why: str) -> Self:
        return cls([], [], np.empty((0, 0)), [], np.empty(0), why)

    @classmethod
    def of(cls, given: GivenLabels, chances: Floats, skills: Floats) -> Self:
        return cls(given.items.tolist(), given.labels.tolist(), chances, given.raters.tolist(), skills)


def normalized(logs: Floats) -> Floats:
    """Rows of log weights (n, k) as shares that sum to 1."""
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def summed(codes: Codes, rows: Floats, size: int) -> Floats:
    """Rows (n, k) summed by their codes (n,), (size, k)."""
    width = rows.shape[1]
    cells = (codes[:, None] * width + np.arange(width)).ravel()
    return np.asarray(np.bincount(cells, rows.ravel(), size * width).reshape(size, width), dtype=np.float64)
