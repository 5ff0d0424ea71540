"""A mean of judgements with a 95% interval that knows which judgements are of one source."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evaluation.numerics.arrays import Labels
from evaluation.numerics.results import Mean
from evaluation.statistics._base import Statistic
from foundation.lazy_import import lazy_import
from foundation.papers import Paper

special = lazy_import("scipy.special")


@dataclass(frozen=True, kw_only=True)
class MeanStatistic(Statistic):
    """`mean(values, groups=None) -> Mean`."""

    mean: Callable[..., Mean]


def mean_interval(values: ArrayLike, groups: Labels | None = None) -> Mean:
    """The mean of judgements with the t interval of the cluster-robust variance over sources.

    With G sources and r_g the sum of a source's judgements less the mean, the variance is G/(G-1) sum(r_g^2) / n^2,
    with G - 1 degrees of freedom. With one judgement a source this is the textbook's t interval. A bootstrap over
    sources tends to the same for many sources, is too narrow for few, and needs a seed. The interval may pass the ends
    of the scale, and has no width where all judgements are the same.

    Args:
        values: (n_judgements,) the judgements.
        groups: (n_judgements,) the source of each; without them each is its own.

    Raises:
        ValueError: lengths differ.
    """
    scores = np.asarray(values, dtype=np.float64)
    n = len(scores)
    if scores.ndim != 1 or (groups is not None and len(groups) != n):
        raise ValueError("values and groups are one-dimensional and of equal length.")
    if n == 0:
        return Mean(None, None, None, 0, "There are no judgements.")
    if lacking := int(np.sum(~np.isfinite(scores))):
        return Mean(None, None, None, n, f"{lacking} of the {n} judgements lack{'s' if lacking == 1 else ''} a number.")
    mean = float(np.mean(scores))
    if n == 1:
        return Mean(mean, None, None, 1, "There is no interval: there is one judgement.")
    sources = np.arange(n) if groups is None else np.unique(np.asarray(groups), return_inverse=True)[1]
    sums = np.bincount(sources, scores - mean)
    count = len(sums)
    if count == 1:
        return Mean(mean, None, None, n, "There is no interval: all judgements are of one source.")
    error = float(np.sqrt(count / (count - 1) * np.sum(sums * sums)) / n)
    reach = float(special.stdtrit(count - 1, 0.975)) * error
    return Mean(mean, mean - reach, mean + reach, n)


STATISTIC = MeanStatistic(
    label="Mean with a cluster-robust 95% interval",
    paper=Paper(
        "Cameron and Miller",
        2015,
        "A practitioner's guide to cluster-robust inference",
        "https://doi.org/10.3368/jhr.50.2.317",
    ),
    mean=mean_interval,
)
