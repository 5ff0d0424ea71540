"""Benjamini and Hochberg's step-up correction: of the claims made, the false are below alpha on average."""

from collections.abc import Sequence

import numpy as np

from evaluation.significance import adjust_family
from evaluation.statistics._base import Correction
from foundation.papers import Paper


def adjust(p_values: Sequence[float | None]) -> list[float | None]:
    """The corrected p of one family, in the order given; None stays None. ValueError: a p outside 0 to 1."""
    return adjust_family(p_values, _adjusted)


def _adjusted(p: np.ndarray[tuple[int], np.dtype[np.float64]]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Of sorted p (m,): the i-th by m / i, none above the one after it."""
    scaled = p * len(p) / np.arange(1, len(p) + 1)
    return np.minimum(1, np.minimum.accumulate(scaled[::-1])[::-1])


STATISTIC = Correction(
    label="Benjamini-Hochberg",
    paper=Paper(
        "Benjamini and Hochberg",
        1995,
        "Controlling the false discovery rate: a practical and powerful approach to multiple testing",
        "https://doi.org/10.1111/j.2517-6161.1995.tb02031.x",
    ),
    adjust=adjust,
)
