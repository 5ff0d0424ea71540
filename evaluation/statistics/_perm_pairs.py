"""PERM-BOTH of many metrics against one: what each metric brings to a draw is summed once for all comparisons.

The change of places is linear in the sums that a correlation is made of, so a comparison's draws are sums of numbers
that each metric has of itself. The answers are those of `perm_both.compare`, with Pearson's coefficient.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics._base import FEWEST, Floats, Test, all_same
from evaluation.statistics._draws import Draws
from evaluation.statistics.pearson import STATISTIC as PEARSON
from evaluation.statistics.perm_both import ROUNDING, _Places, _places, _standardized

Level = Literal["none", "system"]


@dataclass(frozen=True)
class _Moved:
    """Sums over items of a system's numbers (systems,), and over the items that change places, (draws, systems).

    The draws of a system lie side by side: what is summed over a handful of systems is then summed in long rows.
    """

    whole: Floats
    moved: Floats


@dataclass(frozen=True)
class _Outputs:
    """The outputs that two metrics and people all scored: `kept` of all, people's scores standardized, and the draws.

    Before the draws stands one in which nothing changes, so that it gives the correlations themselves.
    """

    mask: NDArray[np.bool_]
    kept: tuple[NDArray[Any], ...]
    human: Floats
    places: _Places
    items: Floats


class Pairs:
    """Comparisons of metrics (systems, items) against the same judgements (systems, items), over the same draws."""

    def __init__(self, metrics: Mapping[str, Floats], human: Floats, draws: int = 1000, seed: int = 0) -> None:
        self.metrics, self.human = metrics, human
        self.draws, self.seed = draws, seed
        self._here = {name: np.isfinite(one) & np.isfinite(human) for name, one in metrics.items()}
        self._outputs: dict[bytes, _Outputs | str] = {}
        self._sums: dict[tuple[str, bytes], Sequence[_Moved] | None] = {}

    def compare(self, first: str, second: str, level: Level) -> Test:
        """The correlation of the first with people less that of the second, as `perm_both.compare` has it.

        `level` is 'none', over all outputs, or 'system', over the systems' means.
        """
        mask = self._here[first] & self._here[second]
        n = int(mask.sum()) if level == "none" else int(mask.any(axis=1).sum())
        key = np.packbits(mask).tobytes()
        if key not in self._outputs:
            self._outputs[key] = self._read(mask)
        outputs = self._outputs[key]
        if isinstance(outputs, str):
            return Test(None, None, n, undefined=outputs)
        if level == "system" and n < FEWEST:
            return Test(None, None, n, undefined=f"The test needs {FEWEST} systems or more, and there are {n}.")
        sides = [self._sums_of(name, key, outputs) for name in (first, second)]
        for name, one in zip((first, second), sides, strict=True):
            if one is None:
                return Test(None, None, n, undefined=f"All scores of {name} are the same.")
        values = _DIFFERENCES[level]([one for one in sides if one is not None], outputs)
        return _test(float(values[0]), values[1:], n)

    def _read(self, mask: NDArray[np.bool_]) -> _Outputs | str:
        kept = np.ix_(mask.any(axis=1), mask.any(axis=0))
        inner = mask[kept]
        if inner.shape[1] < FEWEST:
            return f"The test needs {FEWEST} items or more, and there are {inner.shape[1]}."
        human = np.where(inner, self.human[kept], np.nan)
        if all_same(human[inner]):
            return "All scores of people are the same."
        drawn = _places(inner.shape, self.draws, self.seed)
        systems, items = (
            np.vstack((np.zeros((1, one.shape[1]), dtype=bool), one)) for one in (drawn.systems, drawn.items)
        )
        places = _Places(np.asfortranarray(systems), items)
        return _Outputs(inner, kept, _standardized(human), places, items.astype(np.float64))

    def _sums_of(self, name: str, key: bytes, outputs: _Outputs) -> Sequence[_Moved] | None:
        """Of a metric's scores, their squares and their products with people's; None where they are all the same."""
        if (name, key) not in self._sums:
            self._sums[name, key] = self._summed(
                np.where(outputs.mask, self.metrics[name][outputs.kept], np.nan), outputs
            )
        return self._sums[name, key]

    @staticmethod
    def _summed(scores: Floats, outputs: _Outputs) -> Sequence[_Moved] | None:
        if all_same(scores[outputs.mask]):
            return None
        one = _standardized(scores)
        parts = [np.nan_to_num(part) for part in (one, one * one, one * outputs.human)]
        moved = np.split((np.vstack(parts) @ outputs.items.T).T, len(parts), axis=1)
        return [_Moved(part.sum(axis=1), change) for part, change in zip(parts, moved, strict=True)]


def _pooled(sides: Sequence[Sequence[_Moved]], outputs: _Outputs) -> Floats:
    n = int(outputs.mask.sum())
    changed = [_changed(x, y, outputs.places) for x, y in zip(*sides, strict=True)]
    sums = [[side.sum(axis=1) for side in both] for both in changed]
    first, second = (
        product / np.sqrt(n * (square - whole * whole / n)) for whole, square, product in zip(*sums, strict=True)
    )
    return np.asarray(first - second)


def _means(sides: Sequence[Sequence[_Moved]], outputs: _Outputs) -> Floats:
    there = outputs.mask.sum(axis=1)
    first, second = (sums / there for sums in _changed(sides[0][0], sides[1][0], outputs.places))
    means = np.broadcast_to(np.nanmean(outputs.human, axis=1), first.shape)
    return np.asarray(PEARSON.rowwise(first, means) - PEARSON.rowwise(second, means))


_DIFFERENCES: Mapping[Level, Callable[[Sequence[Sequence[_Moved]], _Outputs], Floats]] = {
    "none": _pooled, "system": _means,
}  # fmt: skip


def _test(observed: float, drawn: Floats, n: int) -> Test:
    known = drawn[np.isfinite(drawn)]
    if not np.isfinite(observed):
        return Test(None, None, n, undefined="There is no correlation to compare: the values are all the same.")
    if not Draws.enough(np.isfinite(drawn)):
        return Test(observed, None, n, undefined="In too many of the draws a correlation has no value.")
    as_large = int(np.sum(np.abs(known) >= abs(observed) - ROUNDING))
    return Test(observed, (as_large + 1) / (len(known) + 1), n)


def _changed(x: _Moved, y: _Moved, places: _Places) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The sums of each system's x, and of its y, after the change: (draws, systems) both."""
    moved = y.moved - x.moved
    first = np.where(places.systems, y.whole - moved, x.whole + moved)
    return first, x.whole + y.whole - first
