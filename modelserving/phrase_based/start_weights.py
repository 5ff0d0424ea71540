"""Weights that tuning may start from, beside those of the model so far."""

from collections.abc import Iterator

import numpy as np

from modelserving.phrase_based.phrase_table import FEATURES, Floats

STARTS = (
    {"language model": 2.0},
    {"words": 0.0},
    {"p(s|t)": 0.0, "lex(s|t)": 0.0},
    {"p(s|t)": 0.0, "lex(s|t)": 0.0, "language model": 2.0},
)
"""Times as high that weights are where tuning may start, beside the usual ones: freer ways to rewrite."""


def scaled_weights(weights: Floats) -> Iterator[Floats]:
    """The weights (15,), scaled by each row of STARTS."""
    for factors in STARTS:
        yield np.asarray(weights * np.array([factors.get(feature, 1.0) for feature in FEATURES]))
