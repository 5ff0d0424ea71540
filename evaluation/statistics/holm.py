"""Holm's step-down correction: the chance of one false claim or more in the whole family stays below alpha."""

from collections.abc import Sequence

import numpy as np

from evaluation.significance import adjust_family
from evaluation.statistics._base import Correction
from foundation.papers import Paper


def adjust(p_values: Sequence[float | None]) -> list[float | None]:
    """The corrected p of one family, in the order given; None stays None. ValueError: a p outside 0 to 1."""
    return adjust_family(p_values, _adjusted)


def _adjusted(p: np.ndarray[tuple[int], np.dtype[np.float64]]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Of sorted p (m,): the i-th by m - i, none below the one before it."""
    return np.minimum(1, np.maximum.accumulate(p * np.arange(len(p), 0, -1)))


STATISTIC = Correction(
    label="Holm",
    paper=Paper(
        "Holm", 1979, "A simple sequentially rejective multiple test procedure", "https://www.jstor.org/stable/4615733"
    ),
    adjust=adjust,
)
