"""Williams' test: do two metrics' correlations with people differ, given how they correlate with each other?"""

import numpy as np
from numpy.typing import ArrayLike

from evaluation.numerics import FEWEST, Test, all_same
from evaluation.statistics import coefficient_named
from evaluation.statistics._base import CorrelationTest
from foundation.lazy_import import lazy_import
from foundation.papers import Paper

special = lazy_import("scipy.special")

ALIKE = "The two metrics order all points alike, so there is no difference to test."
ROUNDING = 1e-12


def compare(x: ArrayLike, y: ArrayLike, human: ArrayLike, coefficient: str = "pearson") -> Test:
    """Test whether the correlation of one metric with people is stronger than that of another.

    As in the WMT metrics tasks (Graham and Baldwin 2014) strength counts, not sign. The test was made for Pearson's r
    of independent points: for other coefficients, and for outputs of one source, its p is an approximation.

    Args:
        x: (n_points,) the first metric's scores.
        y: (n_points,) the second's.
        human: (n_points,) people's.
        coefficient: pearson, spearman or kendall.

    Returns:
        t and its two-sided p; `effect` is the difference of the absolute correlations.

    Raises:
        ValueError: lengths differ, or the coefficient is unknown.
    """
    point = coefficient_named(coefficient).point
    first, second, third = (np.asarray(values, dtype=np.float64) for values in (x, y, human))
    if first.ndim != 1 or not first.shape == second.shape == third.shape:
        raise ValueError("x, y and human are one-dimensional and of equal length.")
    n = len(first)
    if n < FEWEST:
        return Test(None, None, n, undefined=f"The test needs {FEWEST} points or more, and there are {n}.")
    for name, values in (("the first metric", first), ("the second metric", second), ("people", third)):
        if lacking := int(np.sum(~np.isfinite(values))):
            return Test(None, None, n, undefined=f"{lacking} of the {n} scores of {name} are no numbers.")
        if all_same(values):
            return Test(None, None, n, undefined=f"All scores of {name} are the same.")
    return of_correlations(point(first, third)[0], point(second, third)[0], point(first, second)[0], n)


def of_correlations(x_human: float, y_human: float, x_y: float, n: int) -> Test:
    """As `compare`, from the three correlations over n points (4 or more)."""
    r12, r13 = abs(x_human), abs(y_human)
    r23 = x_y * (-1 if x_human < 0 else 1) * (-1 if y_human < 0 else 1)
    if r23 >= 1 - ROUNDING:
        return Test(None, None, n, undefined=ALIKE)
    left = max(0.0, 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23)
    spread = 2 * left * (n - 1) / (n - 3) + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3
    if spread <= ROUNDING or 1 + r23 <= ROUNDING:
        return Test(None, None, n, effect=r12 - r13, undefined="Nothing is left to chance, so there is no test.")
    t = (r12 - r13) * np.sqrt((n - 1) * (1 + r23) / spread)
    return Test(float(t), float(2 * special.stdtr(n - 3, -abs(t))), n, effect=r12 - r13)


STATISTIC = CorrelationTest(
    label="Williams' test",
    paper=Paper(
        "Williams",
        1959,
        "The comparison of regression variables",
        "https://doi.org/10.1111/j.2517-6161.1959.tb00346.x",
    ),
    effect="difference of the strengths of the two correlations",
    compare=compare,
)
