"""People and a metric in one estimate: people's judgements of some sources, a metric's scores of many more (PPI++)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evaluation.numerics import Floats, all_same
from evaluation.statistics._base import Statistic
from foundation.lazy_import import lazy_import
from foundation.papers import Paper

special = lazy_import("scipy.special")

FEWEST = 10  # sources that people judged, and sources that the metric alone scored
FOLDS = 5


@dataclass(frozen=True)
class Powered:
    """A mean over sources, with its 95% interval: of people and the metric together, and of people `alone`.

    `n` sources were judged, and the metric scored `others` besides. `weight` is the metric's part, 0 or more. `error`
    and `alone_error` are standard errors. `undefined` says why the metric is not used; the numbers are then those of
    people alone.
    """

    value: float | None
    low: float | None
    high: float | None
    error: float | None
    alone: float | None
    alone_low: float | None
    alone_high: float | None
    alone_error: float | None
    weight: float
    n: int
    others: int
    undefined: str = ""

    @property
    def saved(self) -> float:
        """The share of judgements that the metric saves: people alone would need so many more for this interval."""
        if not self.alone_error or self.error is None:
            return 0.0
        return max(0.0, 1 - (self.error / self.alone_error) ** 2)


@dataclass(frozen=True, kw_only=True)
class PredictionPowered(Statistic):
    """`mean(values, scores, others, folds) -> Powered`, and what a metric would save in a study of another size."""

    mean: Callable[..., Powered]
    saving: Callable[[ArrayLike, ArrayLike, int, int], float | None]


def mean(values: ArrayLike, scores: ArrayLike, others: ArrayLike, folds: int = FOLDS) -> Powered:
    """The mean of people's values over all sources, by PPI++ with the weight that makes its variance least.

    A difference of two systems is the mean of the differences by source, of people and of the metric; a win rate is
    that of wins, 1, 0.5 or 0. The weight for a part of the sources is estimated on the others (cross-fitting), so that
    no source chooses its own. Where the metric would not make the interval narrower, it is not used.

    Args:
        values: (n,) people's mean of each judged source.
        scores: (n,) the metric's scores of the same.
        others: (m,) the metric's scores of sources that nobody judged.
        folds: how many parts; with 0 one weight is estimated on all sources, as in the paper.

    Raises:
        ValueError: lengths differ.
    """
    people, here, there = (np.asarray(given, dtype=np.float64) for given in (values, scores, others))
    if people.shape != here.shape or people.ndim != 1:
        raise ValueError("values and scores are one-dimensional and of equal length.")
    n, m = len(people), len(there)
    if not np.isfinite(people).all():
        return _alone(people, m, "A value is not a number.")
    if min(n, m) < FEWEST:
        return _alone(people, m, f"It needs {FEWEST} judged sources and {FEWEST} others; there are {n} and {m}.")
    if not (np.isfinite(here).all() and np.isfinite(there).all()):
        return _alone(people, m, "A score is not a number.")
    if all_same(np.concatenate((here, there))) or all_same(people):
        return _alone(people, m, "The metric or people give all sources one value.")
    weights = np.empty(n)
    parts = [np.arange(at, n, folds) for at in range(folds)] if folds else [np.empty(0, dtype=np.intp)]
    for part in parts:
        chosen = np.setdiff1d(np.arange(n), part)
        weights[part if folds else chosen] = weight(people[chosen], here[chosen], there)
    rest = people - weights * here
    part_of_metric = float(weights.mean())
    error = float(np.sqrt(part_of_metric**2 * there.var(ddof=1) / m + rest.var(ddof=1) / n))
    alone = _alone(people, m, "")
    if alone.alone_error is None or error >= alone.alone_error:
        return _alone(people, m, "The metric would not make the interval narrower.")
    value = float(rest.mean() + part_of_metric * there.mean())
    reach = float(special.stdtrit(n - 1, 0.975)) * error
    return Powered(
        value, value - reach, value + reach, error, alone.alone, alone.alone_low, alone.alone_high, alone.alone_error,
        part_of_metric, n, m,
    )  # fmt: skip


def weight(values: Floats, scores: Floats, others: Floats) -> float:
    """The part of the metric that makes the variance least, 0 or more: (n,), (n,) and (m,) values.

    The paper's program cuts it at 1, since its predictions are on the scale of the values; a metric's need not be.
    """
    covariance = float(np.mean((values - values.mean()) * (scores - scores.mean())))
    spread = float(np.var(np.concatenate((scores, others)), ddof=1))
    return max(0.0, covariance / ((1 + len(values) / len(others)) * spread)) if spread > 0 else 0.0


def saving(values: ArrayLike, scores: ArrayLike, n: int, others: int) -> float | None:
    """The share of judgements that a metric saves in a study of `n` judged sources and `others` that it alone scores.

    Args:
        values: (k,) people's values in a pilot.
        scores: (k,) the metric's scores of the same sources.

    Returns:
        From 0, by the correlation in the pilot; None where the pilot has fewer than 10 sources or one value.
    """
    people, metric = np.asarray(values, dtype=np.float64), np.asarray(scores, dtype=np.float64)
    if len(people) < FEWEST or all_same(people) or all_same(metric) or not n:
        return None
    shared = max(0.0, float(np.corrcoef(people, metric)[0, 1]))
    return shared**2 * others / (n + others)


def _alone(people: Floats, others: int, why: str) -> Powered:
    n = len(people)
    if not n or not np.isfinite(people).all():
        return Powered(None, None, None, None, None, None, None, None, 0.0, n, others, why or "There are no values.")
    value = float(people.mean())
    if n < 2:
        return Powered(value, None, None, None, value, None, None, None, 0.0, n, others, why)
    error = float(people.std(ddof=1) / np.sqrt(n))
    reach = float(special.stdtrit(n - 1, 0.975)) * error
    numbers = value, value - reach, value + reach, error
    return Powered(*numbers, *numbers, 0.0, n, others, why)


STATISTIC = PredictionPowered(
    label="Prediction-powered mean",
    paper=Paper(
        "Angelopoulos, Duchi and Zrnic",
        2023,
        "PPI++: Efficient Prediction-Powered Inference",
        "https://arxiv.org/abs/2311.01453",
    ),
    mean=mean,
    saving=saving,
)
