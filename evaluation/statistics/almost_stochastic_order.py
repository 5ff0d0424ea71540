"""Almost stochastic order: is one model's distribution of scores over seeds above another's?"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evaluation.numerics import Floats, all_same
from evaluation.statistics._base import Statistic
from foundation.lazy_import import lazy_import
from foundation.papers import Paper
from foundation.seeds import generator

special = lazy_import("scipy.special")
FEWEST_SEEDS = 3
STEP = 0.005  # of the integral over quantiles, as in the authors' program


@dataclass(frozen=True)
class StochasticOrder:
    """`epsilon` bounds from above how far the first is from being above the second everywhere: 0 it is, below 0.5 it
    is rather above than below, 1 it is below everywhere. `violation` measures these scores alone."""

    epsilon: float | None
    violation: float | None
    n: tuple[int, int]
    undefined: str = ""


@dataclass(frozen=True, kw_only=True)
class OrderStatistic(Statistic):
    """`compare(a, b, alpha=0.05, draws=1000, seed=0) -> StochasticOrder`."""

    compare: Callable[..., StochasticOrder]


def compare(a: ArrayLike, b: ArrayLike, alpha: float = 0.05, draws: int = 1000, seed: int = 0) -> StochasticOrder:
    """The upper bound of the violation ratio of a above b, at 1 - alpha.

    Args:
        a: (n_seeds,) the first model's scores, one a seed. High values are good.
        b: the second's.
        alpha: one less the level of the bound. For k comparisons at once divide it by k.
        draws: the bootstrap samples of each side.
        seed: of their random numbers.
    """
    first, second = (np.sort(np.asarray(values, dtype=np.float64)) for values in (a, b))
    n = len(first), len(second)
    if min(n) < FEWEST_SEEDS:
        why = f"It needs {FEWEST_SEEDS} seeds or more of each model, and there are {n[0]} and {n[1]}."
        return StochasticOrder(None, None, n, why)
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        return StochasticOrder(None, None, n, "A score is not a number.")
    if all_same(np.concatenate((first, second))):
        return StochasticOrder(None, None, n, "All scores are the same.")
    violation = float(violation_ratios(first[None], second[None])[0])
    random = generator(seed, "stochastic order", *n)
    drawn = violation_ratios(*(np.sort(random.choice(side, (draws, len(side))), axis=1) for side in (first, second)))
    bound = violation - float(np.std(drawn - violation)) * float(special.ndtri(alpha))
    return StochasticOrder(float(np.clip(bound, 0, 1)), violation, n)


def violation_ratios(first: Floats, second: Floats) -> Floats:
    """The share of the squared Wasserstein distance where the first lies below (Del Barrio et al. 2018).

    Args:
        first: (n_samples, n) sorted scores.
        second: (n_samples, m) sorted scores.

    Returns:
        (n_samples,), 0.5 where both have the same quantiles.
    """
    places = np.arange(STEP, 1, STEP)
    f, g = (
        side[:, np.clip(np.ceil(side.shape[1] * places).astype(int) - 1, 0, side.shape[1] - 1)]
        for side in (first, second)
    )
    squares = (g - f) ** 2
    whole = squares.sum(axis=1)
    below = np.where(f < g, squares, 0.0)[:, 1:].sum(axis=1)  # without the first place, as in the authors' program
    return np.asarray(np.divide(below, whole, out=np.full(len(whole), 0.5), where=whole > 0))


STATISTIC = OrderStatistic(
    label="Almost stochastic order",
    paper=Paper(
        "Dror, Shlomov and Reichart",
        2019,
        "Deep Dominance - How to Properly Compare Deep Neural Models",
        "https://aclanthology.org/P19-1266/",
    ),
    compare=compare,
)
