"""The correlations of every metric with every criterion, over the same bootstrap samples."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.correlation.coefficient import CorrelationCoefficient
from evaluation.correlation.variable import Variable
from evaluation.numerics import Correlation, Floats, Labels
from evaluation.resampling import Bootstrap


def correlate_all(
    metrics: Mapping[str, ArrayLike],
    criteria: Mapping[str, ArrayLike],
    groups: Labels,
    coefficients: Mapping[str, CorrelationCoefficient],
    bootstrap: Bootstrap,
) -> dict[tuple[str, str, str], Correlation]:
    """Correlate every metric with every criterion.

    What a variable's order gives is computed once for all pairs that are over the same points.

    Args:
        metrics: scores by name, (n_points,) each. NaN marks a point without a score: a pair is taken over the points
            that have both, and its `n` says how many.
        criteria: people's scores by name, (n_points,) each.
        groups: (n_points,) the source of each point.
        coefficients: by name.
        bootstrap: the samples of the sources, the same for every pair and coefficient.

    Returns:
        A Correlation by (metric, criterion, coefficient).
    """
    xs, ys = (
        {name: np.asarray(value, dtype=np.float64) for name, value in given.items()} for given in (metrics, criteria)
    )
    columns = bootstrap.columns(groups) if len(groups) else np.zeros(0, dtype=np.intp)
    shared = _Shared(ys)
    correlations: dict[tuple[str, str, str], Correlation] = {}
    for metric, x in xs.items():
        for here, names in _alike({name: ~(np.isnan(x) | np.isnan(y)) for name, y in ys.items()}):
            first, seconds = Variable(x[here]), [shared.of(name, here) for name in names]
            for label, coefficient in coefficients.items():
                every = coefficient.against(first, seconds, columns[here], bootstrap)
                correlations |= {(metric, name, label): value for name, value in zip(names, every, strict=True)}
    return {
        (metric, name, label): correlations[metric, name, label]
        for metric in xs
        for name in ys
        for label in coefficients
    }


class _Shared:
    """The criteria over the points that a pair has; each is kept until it is asked for over other points."""

    def __init__(self, criteria: Mapping[str, Floats]) -> None:
        self.criteria = criteria
        self.variables: dict[str, tuple[bytes, Variable]] = {}

    def of(self, name: str, here: NDArray[np.bool_]) -> Variable:
        points = np.packbits(here).tobytes()
        if name not in self.variables or self.variables[name][0] != points:
            self.variables[name] = points, Variable(self.criteria[name][here])
        return self.variables[name][1]


def _alike(present: Mapping[str, NDArray[np.bool_]]) -> list[tuple[NDArray[np.bool_], list[str]]]:
    """Names by the points they have."""
    by_points: dict[bytes, tuple[NDArray[np.bool_], list[str]]] = {}
    for name, here in present.items():
        by_points.setdefault(np.packbits(here).tobytes(), (here, []))[1].append(name)
    return list(by_points.values())
