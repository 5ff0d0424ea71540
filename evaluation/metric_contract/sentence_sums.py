"""Sums over sentences, and scores of such sums."""

import math

import numpy as np

from evaluation.metric_contract.scores import Floats


def ratio_of(top: Floats, bottom: Floats) -> Floats:
    """top / bottom; NaN where bottom is 0."""
    ratio: Floats = np.divide(top, bottom, out=np.full(np.shape(top), np.nan), where=np.asarray(bottom != 0))
    return ratio


def exact_sums(rows: Floats) -> Floats:
    """The sum of each column of (n, k), the same in whatever order the rows stand."""
    return np.array([math.fsum(column) for column in rows.T], dtype=np.float64)


def mean_statistics(sentences: Floats) -> Floats:
    """(n, 2): the score, and 1 to count it; 0 and 0 where there is none."""
    scored = ~np.isnan(sentences)
    return np.column_stack((np.where(scored, sentences, 0.0), scored.astype(np.float64)))
