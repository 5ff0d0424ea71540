"""A mean of judgements with a 95% interval that knows which judgements are of one source, and which of one rater."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.numerics import Labels, Mean, label_codes
from evaluation.statistics._base import Statistic
from foundation.lazy_import import lazy_import
from foundation.papers import Paper
from foundation.translation import translatable

special = lazy_import("scipy.special")


@dataclass(frozen=True, kw_only=True)
class MeanStatistic(Statistic):
    """`mean(values, groups=None, raters=None, units=None, weights=None) -> Mean`."""

    mean: Callable[..., Mean]


def mean_interval(
    values: ArrayLike,
    groups: Labels | None = None,
    raters: Labels | None = None,
    units: Labels | None = None,
    weights: ArrayLike | None = None,
) -> Mean:
    """The mean of judgements with the t interval of a variance that is robust to clusters of sources and of raters.

    The judgements of one source are alike, and so are those of one rater, since some raters are severe. With w the
    weight of a judgement and r its distance from the mean, the variance over one kind of cluster is G/(G-1) times the
    sum over its G clusters of (sum of w r)^2. Both kinds together have the variance over sources, plus that over
    raters, less that over the judgements themselves (Cameron, Gelbach and Miller 2011), and never less than that over
    sources. The degrees of freedom are Satterthwaite's for the first two. docs/statistics.md says how often such
    intervals cover the mean over all raters and sources that there might be.

    With one judgement a source and no raters this is the textbook's t interval. The interval may pass the ends of the
    scale, and has no width where all judgements are the same.

    Args:
        values: (n_judgements,) the judgements.
        groups: (n_judgements,) the source of each; without them each is its own.
        raters: (n_judgements,) who gave each. Without them, or with a single one, the interval says nothing of raters
            who are not there.
        units: (n_judgements,) what each is of: the mean is over units of the mean in each. Without them it is over
            judgements.
        weights: (n_judgements,) for how many units the unit of each stands, where some were drawn with a smaller
            chance; those of 0 do not count.

    Raises:
        ValueError: lengths differ.
    """
    scores = np.asarray(values, dtype=np.float64)
    if weights is not None:
        given = np.asarray(weights, dtype=np.float64)
        kept = given > 0
        groups, raters, units = (
            None if column is None else np.asarray(column)[kept] for column in (groups, raters, units)
        )
        scores, weights = scores[kept], given[kept]
    n = len(scores)
    if scores.ndim != 1 or any(labels is not None and len(labels) != n for labels in (groups, raters, units)):
        raise ValueError("values, groups, raters and units are one-dimensional and of equal length.")
    if n == 0:
        return Mean(None, None, None, 0, translatable("There are no judgements."))
    if lacking := int(np.sum(~np.isfinite(scores))):
        return Mean(None, None, None, n, f"{lacking} of the {n} judgements lack{'s' if lacking == 1 else ''} a number.")
    of = np.arange(n) if units is None else label_codes(units)
    counts = np.bincount(of)
    stands = np.ones(len(counts)) if weights is None else np.bincount(of, np.asarray(weights)) / counts
    mean = float(np.sum(stands * np.bincount(of, scores) / counts) / stands.sum())
    if n == 1:
        return Mean(mean, None, None, 1, translatable("There is no interval: there is one judgement."))
    moved = (scores - mean) * stands[of] / (stands.sum() * counts[of])
    of_sources, sources = _variance(moved if groups is None else np.bincount(label_codes(groups), moved))
    if sources == 1:
        return Mean(mean, None, None, n, translatable("There is no interval: all judgements are of one source."))
    variance, degrees = of_sources, float(sources - 1)
    if raters is not None and (people_codes := label_codes(raters)).max() > 0:
        of_raters, people = _variance(np.bincount(people_codes, moved))
        of_judgements, _ = _variance(moved)
        variance = max(of_sources + of_raters - of_judgements, of_sources)
        shares = of_sources**2 / (sources - 1) + of_raters**2 / (people - 1)
        degrees = variance**2 / shares if shares > 0 else degrees
    reach = float(special.stdtrit(max(degrees, 1.0), 0.975)) * float(np.sqrt(variance))
    return Mean(mean, mean - reach, mean + reach, n)


def _variance(sums: NDArray[Any]) -> tuple[float, int]:
    """The variance of the mean over one kind of cluster, of the sums in each, and how many clusters there are."""
    count = len(sums)
    return (float(count / (count - 1) * np.sum(sums * sums)) if count > 1 else 0.0), count


STATISTIC = MeanStatistic(
    label="Mean with a cluster-robust 95% interval",
    paper=Paper(
        "Cameron, Gelbach and Miller",
        2011,
        "Robust inference with multiway clustering",
        "https://doi.org/10.1198/jbes.2010.07136",
    ),
    mean=mean_interval,
)
