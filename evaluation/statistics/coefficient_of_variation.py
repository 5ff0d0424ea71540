"""CV*: how far the results of a study and its repetitions lie apart, as a share of their mean, for few repetitions."""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, lgamma, sqrt

import numpy as np
from numpy.typing import ArrayLike

from evaluation.statistics._base import Statistic
from foundation.papers import Paper


@dataclass(frozen=True)
class Variation:
    """CV* in percent over `n` results; `undefined` says why there is none."""

    value: float | None
    n: int
    undefined: str = ""


@dataclass(frozen=True, kw_only=True)
class VariationStatistic(Statistic):
    """`of(values, lowest=0.0) -> Variation`."""

    of: Callable[..., Variation]


def of(values: ArrayLike, lowest: float = 0.0) -> Variation:
    """The standard deviation, unbiased for normal values, over the mean, in percent and corrected for few values.

    Args:
        values: (n,) the results of the repetitions, such as a system's mean on one criterion.
        lowest: the least value of the scale, from which results are measured.
    """
    results = np.asarray(values, dtype=np.float64) - lowest
    n = len(results)
    if n < 2:
        return Variation(None, n, "It needs two results or more.")
    if not np.isfinite(results).all():
        return Variation(None, n, "A result is not a number.")
    mean = float(results.mean())
    if mean <= 0:
        return Variation(None, n, "The mean is at the low end of the scale.")
    c4 = sqrt(2 / (n - 1)) * exp(lgamma(n / 2) - lgamma((n - 1) / 2))
    return Variation(float(results.std(ddof=1)) / c4 / mean * (1 + 1 / (4 * n)) * 100, n)


STATISTIC = VariationStatistic(
    label="CV*",
    paper=Paper(
        "Belz, Popović and Mille",
        2022,
        "Quantified Reproducibility Assessment of NLP Results",
        "https://aclanthology.org/2022.acl-long.2/",
    ),
    of=of,
)
