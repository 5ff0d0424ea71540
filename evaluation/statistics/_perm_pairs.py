"""PERM-BOTH of many metrics against one: what each metric brings to a draw is summed once for all comparisons.

The change of places is linear in the sums that a correlation is made of, so a comparison's draws are sums of numbers
that each metric has of itself. The answers are those of `perm_both.compare`, with Pearson's coefficient.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics._base import Floats, Test
from evaluation.statistics._draws import Draws
from evaluation.statistics.pearson import STATISTIC as PEARSON
from evaluation.statistics.perm_both import (
    ROUNDING,
    _complete,
    _Places,
    _places,
    _Scores,
    _standardized,
    _unusable,
)

Level = Literal["none", "system"]


@dataclass(frozen=True)
class _Moved:
    """Sums over items of a system's numbers (systems,), and over the items that change places, (draws, systems)."""

    whole: Floats
    moved: Floats


class Pairs:
    """Comparisons of metrics (systems, items) against the same judgements (systems, items), over the same draws."""

    def __init__(self, metrics: Mapping[str, Floats], human: Floats, draws: int = 1000, seed: int = 0) -> None:
        self.metrics, self.human = metrics, human
        self.draws, self.seed = draws, seed
        self._known: dict[tuple[str, bytes], Sequence[_Moved]] = {}
        self._drawn: dict[tuple[int, int], tuple[_Places, Floats]] = {}

    def compare(self, first: str, second: str, level: Level) -> Test:
        """The correlation of the first with people less that of the second, as `perm_both.compare` has it.

        `level` is 'none', over all outputs, or 'system', over the systems' means.
        """
        here = np.isfinite(self.metrics[first]) & np.isfinite(self.metrics[second]) & np.isfinite(self.human)
        scores = _complete(*(np.array(one) for one in (self.metrics[first], self.metrics[second], self.human)))
        n = int(here.sum()) if level == "none" else len(scores.x)
        if why := _unusable(scores, level):
            return Test(None, None, n, undefined=why)
        scores = _Scores(*(_standardized(one) for one in (scores.x, scores.y, scores.human)))
        places, items = self._places(scores.x.shape)
        mask = np.packbits(here).tobytes()
        human = scores.human
        sides = [self._sums(name, mask, one, human, items) for name, one in ((first, scores.x), (second, scores.y))]
        values = self._pooled(sides, places, human) if level == "none" else self._means(sides, places, human)
        observed, known = float(values[0]), values[1:][np.isfinite(values[1:])]
        if not np.isfinite(observed):
            return Test(None, None, n, undefined="There is no correlation to compare: the values are all the same.")
        if not Draws.enough(np.isfinite(values[1:])):
            return Test(observed, None, n, undefined="In too many of the draws a correlation has no value.")
        as_large = int(np.sum(np.abs(known) >= abs(observed) - ROUNDING))
        return Test(observed, (as_large + 1) / (len(known) + 1), n)

    def _places(self, shape: tuple[int, ...]) -> tuple[_Places, Floats]:
        """The draws of a shape, before them one in which nothing changes."""
        systems, items = shape
        if (systems, items) not in self._drawn:
            drawn = _places((systems, items), self.draws, self.seed)
            both = [np.vstack((np.zeros((1, one.shape[1]), dtype=bool), one)) for one in (drawn.systems, drawn.items)]
            self._drawn[systems, items] = (_Places(*both), both[1].astype(np.float64))
        return self._drawn[systems, items]

    def _sums(self, name: str, mask: bytes, one: Floats, human: Floats, items: Floats) -> Sequence[_Moved]:
        """Of a metric's scores, their squares and their products with people's."""
        if (name, mask) not in self._known:
            parts = [np.nan_to_num(part) for part in (one, one * one, one * human)]
            moved = np.split(items @ np.vstack(parts).T, len(parts), axis=1)
            self._known[name, mask] = [
                _Moved(part.sum(axis=1), change) for part, change in zip(parts, moved, strict=True)
            ]
        return self._known[name, mask]

    @staticmethod
    def _pooled(sides: Sequence[Sequence[_Moved]], places: _Places, human: Floats) -> Floats:
        n = int(np.sum(~np.isnan(human)))
        changed = [_changed(x, y, places) for x, y in zip(*sides, strict=True)]
        sums = [[side.sum(axis=1) for side in both] for both in changed]
        first, second = (
            product / np.sqrt(n * (square - whole * whole / n)) for whole, square, product in zip(*sums, strict=True)
        )
        return np.asarray(first - second)

    @staticmethod
    def _means(sides: Sequence[Sequence[_Moved]], places: _Places, human: Floats) -> Floats:
        there = np.sum(~np.isnan(human), axis=1)
        first, second = (sums / there for sums in _changed(sides[0][0], sides[1][0], places))
        means = np.broadcast_to(np.nanmean(human, axis=1), first.shape)
        return np.asarray(PEARSON.rowwise(first, means) - PEARSON.rowwise(second, means))


def _changed(x: _Moved, y: _Moved, places: _Places) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The sums of each system's x, and of its y, after the change: (draws, systems) both."""
    moved = y.moved - x.moved
    first = np.where(places.systems, y.whole - moved, x.whole + moved)
    return first, x.whole + y.whole - first
