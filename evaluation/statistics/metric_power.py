"""How many systems, or sources, until a test tells two metrics apart by their agreement with people?"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.numerics import FEWEST, Floats, Labels, count_distinct, ratio
from evaluation.resampling import Bootstrap
from evaluation.statistics import williams
from evaluation.statistics._base import Statistic
from foundation.lazy_import import lazy_import
from foundation.papers import Paper

special = lazy_import("scipy.special")
POWER = 0.8
MOST = 1_000_000


@dataclass(frozen=True)
class Needed:
    """The number of systems or sources in all; None with the reason where the difference that is seen has none."""

    n: int | None
    undefined: str = ""


@dataclass(frozen=True, kw_only=True)
class MetricPower(Statistic):
    """`systems(x_human, y_human, x_y, alpha) -> Needed`, `sources(bootstrap, x, y, human, groups, alpha) -> Needed`."""

    systems: Callable[..., Needed]
    sources: Callable[..., Needed]


NO_DIFFERENCE = "The two agree with people alike, so no number tells them apart."
TOO_MANY = f"It would take more than {MOST:,}."


def systems(x_human: float, y_human: float, x_y: float, alpha: float = 0.05) -> Needed:
    """How many systems until Williams' test finds a difference of these correlations four times of five.

    Args:
        x_human: The correlation of the first metric with people, over systems.
        y_human: That of the second.
        x_y: That of the two metrics.
        alpha: The level of the two-sided test.

    Returns:
        The least number of systems; the correlations that are seen are taken for the true ones.
    """
    if not np.isfinite(williams_t(x_human, y_human, x_y, FEWEST)):
        return Needed(None, NO_DIFFERENCE)
    low, high = FEWEST - 1, FEWEST
    while not _found(x_human, y_human, x_y, high, alpha):
        low, high = high, high * 2
        if high > MOST:
            return Needed(None, TOO_MANY)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _found(x_human, y_human, x_y, middle, alpha) else (middle, high)
    return Needed(high)


def williams_t(x_human: float, y_human: float, x_y: float, n: int) -> float:
    """The size of Williams' t over n systems; NaN where there is no difference or no test."""
    t = williams.of_correlations(x_human, y_human, x_y, n).statistic
    return np.nan if not t else abs(t)


def _found(x_human: float, y_human: float, x_y: float, n: int, alpha: float) -> bool:
    quantile = float(special.stdtrit(n - 3, 1 - alpha / 2))
    return williams_t(x_human, y_human, x_y, n) >= quantile + float(special.ndtri(POWER))


def sources(
    bootstrap: Bootstrap, x: ArrayLike, y: ArrayLike, human: ArrayLike, groups: Labels, alpha: float = 0.05
) -> Needed:
    """How many sources until a test finds the difference of two metrics' Pearson's r, over outputs, four times of five.

    The standard error of the difference is that of bootstrap samples of the sources, and falls with their root.

    Args:
        bootstrap: Samples of the groups.
        x: (n_points,) the first metric's scores, none of them missing.
        y: (n_points,) the second's.
        human: (n_points,) people's.
        groups: (n_points,) the sources.
        alpha: The level of the two-sided test.

    Returns:
        The number of sources in all; the difference that is seen is taken for the true one.
    """
    columns = bootstrap.columns(groups)
    n = count_distinct(columns)
    if n < FEWEST:
        return Needed(None, f"It needs {FEWEST} sources or more, and there are {n}.")
    first, second, people = (_standardized(values) for values in (x, y, human))
    drawn = [_drawn(bootstrap, columns, scores, people) for scores in (first, second)]
    difference = float(np.mean(first * people) - np.mean(second * people))
    error = float(np.nanstd(drawn[0] - drawn[1]))
    if abs(difference) < 1e-12 or not np.isfinite(difference):
        return Needed(None, NO_DIFFERENCE)
    quantiles = float(special.ndtri(1 - alpha / 2)) + float(special.ndtri(POWER))
    needed = int(np.ceil(n * (quantiles * error / difference) ** 2))
    return Needed(max(needed, FEWEST)) if needed <= MOST else Needed(None, TOO_MANY)


def _standardized(values: ArrayLike) -> Floats:
    given = np.asarray(values, dtype=np.float64)
    spread = given.std()
    return np.asarray((given - given.mean()) / spread) if spread > 0 else np.full(given.shape, np.nan)


def _drawn(bootstrap: Bootstrap, columns: NDArray[np.intp], scores: Floats, people: Floats) -> Floats:
    """r in each sample, (n_samples,)."""
    width = bootstrap.weights.shape[1]
    terms = (np.ones(len(scores)), scores, people, scores * scores, people * people, scores * people)
    n, sum_x, sum_h, square_x, square_h, product = (
        bootstrap.weights @ np.column_stack([np.bincount(columns, term, width) for term in terms])
    ).T
    n = np.where(n > 0, n, np.nan)  # a sample may draw none of the texts that have both scores
    covariance = product - sum_x * sum_h / n
    spreads = (square_x - sum_x**2 / n) * (square_h - sum_h**2 / n)
    return ratio(covariance, spreads)


STATISTIC = MetricPower(
    label="Power to tell two metrics apart",
    paper=Paper(
        "Graham and Baldwin",
        2014,
        "Testing for Significance of Increased Correlation with Human Judgment",
        "https://aclanthology.org/D14-1020/",
    ),
    systems=systems,
    sources=sources,
)
