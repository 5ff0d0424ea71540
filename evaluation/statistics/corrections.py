"""Corrections of p-values for many tests: Benjamini and Hochberg (1995), Holm (1979)."""

from functools import partial

import numpy as np

from evaluation.numerics import Floats
from evaluation.significance import adjust_family
from evaluation.statistics._base import Correction
from foundation.papers import Paper


def step_up(p: Floats) -> Floats:
    """Benjamini and Hochberg's correction of sorted p (m,): the i-th times m / i, none above the one after it.

    The share of false claims among the claims made is below alpha on average.
    """
    scaled = p * len(p) / np.arange(1, len(p) + 1)
    return np.minimum(1, np.minimum.accumulate(scaled[::-1])[::-1])


def step_down(p: Floats) -> Floats:
    """Holm's correction of sorted p (m,): the i-th, from 0, times m - i, none below the one before it.

    The chance of one false claim or more in the whole family stays below alpha.
    """
    return np.minimum(1, np.maximum.accumulate(p * np.arange(len(p), 0, -1)))


ENTRIES = {
    "benjamini_hochberg": Correction(
        label="Benjamini-Hochberg",
        paper=Paper(
            "Benjamini and Hochberg",
            1995,
            "Controlling the false discovery rate: a practical and powerful approach to multiple testing",
            "https://doi.org/10.1111/j.2517-6161.1995.tb02031.x",
        ),
        adjust=partial(adjust_family, adjusted=step_up),
    ),
    "holm": Correction(
        label="Holm",
        paper=Paper(
            "Holm",
            1979,
            "A simple sequentially rejective multiple test procedure",
            "https://www.jstor.org/stable/4615733",
        ),
        adjust=partial(adjust_family, adjusted=step_down),
    ),
}
