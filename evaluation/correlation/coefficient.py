"""What a coefficient of correlation is, with its bootstrap interval: the three differ in their arithmetic alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.correlation.bootstrap_values import ResampledValues
from evaluation.correlation.variable import Variable
from evaluation.numerics import FEWEST, Correlation, Floats, Labels, all_same, count_distinct
from evaluation.resampling import NOTE, Bootstrap, is_large

CONSTANT = "There is no interval: in too many of the bootstrap draws all values are the same."
LACKING = "There is no interval: in too many of the bootstrap draws a point has no value."


@dataclass(frozen=True, kw_only=True)
class CorrelationCoefficient:
    """A coefficient of correlation.

    `numerics.rounding` says which values differ by rounding alone, and count as equal.

    Attributes:
        pointed: `pointed(x, y)` gives value and p of Variables that are not constant.
        resampled: `resampled(x, y, columns, weights)` gives the value in each bootstrap sample, (n_samples,): point i
            stands in sample d weights[d, columns[i]] times; NaN where a sample is constant.
        across: `across(x, ys, columns, weights)` gives the same of one x with each y.
        in_rows: `in_rows(x, y)` gives the value in each sample, (n_samples,), where points have other values in each
            (ResampledValues); NaN where those of x or of y are constant.
        by_item: the value at each item after two metrics swapped scores (`evaluation.correlation.item_level`).
        projects: whether many points in many groups are projected to first order
            (`evaluation.resampling`).
    """

    pointed: Callable[[Variable, Variable], tuple[float, float]]
    resampled: Callable[[Floats, Floats, NDArray[np.intp], Floats], Floats]
    across: Callable[[Variable, Sequence[Variable], NDArray[np.intp], Floats], Sequence[Floats]]
    in_rows: Callable[[ResampledValues, ResampledValues], Floats]
    by_item: Callable[[Floats, Floats, Floats, NDArray[np.bool_]], Floats]
    projects: bool = False

    def point(self, x: Floats, y: Floats) -> tuple[float, float]:
        """Value and p of finite arrays (n,) that are not constant."""
        return self.pointed(Variable(x), Variable(y))

    def rowwise(self, x: Floats, y: Floats) -> Floats:
        """Values (n_samples,) of finite arrays (n_samples, n_points), as `in_rows`."""
        return self.in_rows(ResampledValues(x), ResampledValues(y))

    def correlate(
        self, x: ArrayLike, y: ArrayLike, groups: Labels | None = None, draws: int = 1000, seed: int = 0
    ) -> Correlation:
        """The coefficient of x and y (n,), with p and a percentile bootstrap interval of 95%.

        The bootstrap resamples groups with all their points. Where each point is its own group p is scipy's; else it is
        that of the interval (`Bootstrap.p_of_zero`), since scipy's takes points as independent.

        Args:
            x: (n_points,) the first variable.
            y: (n_points,) the second.
            groups: (n_points,) the source of each point; without it every point is its own.
            draws: the number of bootstrap samples.
            seed: of their random numbers.
        """
        names = np.arange(np.size(x)) if groups is None else groups
        return self.over(Bootstrap(names, draws, seed), x, y, names)

    def over(self, bootstrap: Bootstrap, x: ArrayLike, y: ArrayLike, groups: Labels) -> Correlation:
        """As `correlate`, over samples that are shared. ValueError: lengths differ, or a group was not resampled."""
        first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        if first.ndim != 1 or not first.shape == second.shape == (len(groups),):
            raise ValueError("x, y and groups are one-dimensional and of equal length.")
        columns = bootstrap.columns(groups) if len(groups) else np.zeros(0, dtype=np.intp)
        return self.against(Variable(first), [Variable(second)], columns, bootstrap)[0]

    def against(
        self, x: Variable, ys: Sequence[Variable], columns: NDArray[np.intp], bootstrap: Bootstrap
    ) -> list[Correlation]:
        """x with each of ys, all (n_points,), point i being of the group in column `columns[i]` of the samples."""
        n, groups = len(x), count_distinct(columns)
        why = [_no_value(x.values, y.values) for y in ys]
        known = [y for y, lacking in zip(ys, why, strict=True) if not lacking]
        few = _too_few(n, groups)
        drawn = iter([] if few or not known else self.across(x, known, columns, bootstrap.weights))
        note = NOTE if self.projects and is_large(n, groups) else ""
        correlations = []
        for y, lacking in zip(ys, why, strict=True):
            if lacking:
                correlations.append(Correlation(None, None, None, None, n, lacking))
                continue
            value, own_p = self.pointed(x, y)
            p: float | None = own_p
            resampled = None if few else next(drawn)
            interval = None if resampled is None else bootstrap.interval(resampled)
            if groups < n:
                p = None if resampled is None or interval is None else bootstrap.p_of_zero(resampled)
            if interval is None:
                correlations.append(Correlation(value, None, None, p, n, few or CONSTANT))
            else:
                correlations.append(Correlation(value, *interval, p, n, note=note))
        return correlations

    def redrawn(
        self, x: Floats, y: Floats, drawn_x: ResampledValues, drawn_y: ResampledValues, groups: int
    ) -> Correlation:
        """The bootstrap of a correlation whose points are themselves computed from the resampled sources.

        A point is a system; its corpus score and human mean differ between samples. A sample in which a point has no
        finite value has no correlation.

        Args:
            x: (n_points,) the first variable over all sources.
            y: (n_points,) the second.
            drawn_x: the first in each sample, (n_samples, n_points).
            drawn_y: the second in each sample.
            groups: how many sources the points are computed from.
        """
        n = len(x)
        if why := _no_value(x, y):
            return Correlation(None, None, None, None, n, why)
        value, p = self.point(x, y)
        if why := _too_few(n, groups):
            return Correlation(value, None, None, p, n, why)
        whole = drawn_x.whole & drawn_y.whole
        if whole.all():
            resampled = self.in_rows(drawn_x, drawn_y)
        else:
            resampled = np.full(len(whole), np.nan)
            resampled[whole] = self.rowwise(drawn_x.values[whole], drawn_y.values[whole])
        interval = Bootstrap.interval(resampled)
        if interval is None:
            why = CONSTANT if Bootstrap.enough(whole) else LACKING
            return Correlation(value, None, None, p, n, why)
        return Correlation(value, *interval, p, n)


def _no_value(x: Floats, y: Floats) -> str:
    if len(x) < 3:  # any two lie on a line
        return f"A correlation needs three points or more; there {'is' if len(x) == 1 else 'are'} {len(x)}."
    lacking = int(np.sum(~(np.isfinite(x) & np.isfinite(y))))
    if lacking:
        return f"{lacking} of the {len(x)} points lack{'s' if lacking == 1 else ''} a number."
    for name, values in (("first", x), ("second", y)):
        if all_same(values):
            return f"All {len(x)} values of the {name} variable are the same."
    return ""


def _too_few(points: int, groups: int) -> str:
    """Why there is no interval; empty where there are points and groups enough."""
    if points < FEWEST:
        return f"There is no interval: it needs {FEWEST} points or more, and there are {points}."
    if groups < FEWEST:
        return f"There is no interval: it needs {FEWEST} groups of points or more, and there are {groups}."
    return ""
