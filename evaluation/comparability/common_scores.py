"""The outputs that all metrics of one ranking scored: only over the same outputs can metrics be compared."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.snapshot import StudySnapshot

Mask = NDArray[np.bool_]
FEWEST = 3  # points that a correlation needs
LEAST = 0.9  # the share that a metric has scored of the systems' outputs of which it scored any
LEFT_OUT = "It is left out of the ranking: of the {points} that the other metrics scored it scored {n}."


@dataclass(frozen=True)
class CommonScores:
    """The metrics that are ranked, the outputs (n_systems, n_units) that all of them scored, and why others are not.

    `narrowest` is the metric that scored the fewest, where not all scored the same.
    """

    metrics: Sequence[str]
    mask: Mask
    left_out: Mapping[str, str]
    narrowest: str = ""


def competing(snapshot: StudySnapshot) -> Mask:
    """The systems that a ranking of metrics rests on, (n_systems,): people's own only where they were asked for."""
    rows = snapshot.systems
    return np.array([row.role == "system" and (snapshot.human_systems or not row.is_human) for row in rows], dtype=bool)


def common_outputs(scored: Mapping[str, Mask]) -> CommonScores:
    """The outputs that all metrics scored.

    A metric is left out that would leave too few for a correlation, or that scored less than nine tenths of the outputs
    of its systems: all others would be compared over its few.
    """
    return _common(scored, "outputs", lambda mask: int(mask.sum()))


def common_systems(scored: Mapping[str, Mask]) -> CommonScores:
    """The same with systems as points: those that have some such output."""
    return _common(scored, "systems", lambda mask: int(mask.any(axis=1).sum()))


def _common(scored: Mapping[str, Mask], points: str, count: Callable[[Mask], int]) -> CommonScores:
    """Metrics with the most scores come first, so that as many as possible are compared over as much as possible."""
    order = sorted(scored, key=lambda name: -int(scored[name].sum()))
    taken: Mask | None = None
    common: list[str] = []
    left_out: dict[str, str] = {}
    for name in order:
        both = scored[name] if taken is None else taken & scored[name]
        if taken is not None and count(both) < min(FEWEST, count(taken)):
            left_out[name] = LEFT_OUT.format(points=points, n=count(both))
            continue
        if taken is not None and both.sum() < LEAST * taken[both.any(axis=1)].sum():
            left_out[name] = LEFT_OUT.format(points="outputs", n=int(both.sum()))
            continue
        taken = both
        common.append(name)
    mask = taken if taken is not None else np.zeros((0, 0), dtype=bool)
    alike = all(int(scored[name].sum()) == int(scored[common[0]].sum()) for name in common) if common else True
    return CommonScores([name for name in scored if name in common], mask, left_out, "" if alike else common[-1])
