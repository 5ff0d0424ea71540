"""PERM-BOTH between many pairs of metrics at once, with Pearson's r: each metric is summed once for all pairs.

A swap is linear in the sums that r is made of: a metric's sums in a resample are its own, less those of the outputs
that it gave away, plus the other metric's sums of these outputs. The results equal those of `perm_both.compare`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.numerics import FEWEST, SAME_WITHIN, Floats, Test, all_same, ratio
from evaluation.resampling import ROUNDING, Bootstrap, draw_swaps, pearson_of_sums, standardize

Level = Literal["none", "system"]


@dataclass(frozen=True)
class _Given:
    """Sums over items of a metric's scores, their squares and their products with people's.

    Attributes:
        whole: (3, n_systems) over all items.
        changed: (3, n_systems, n_resamples + 1) over the outputs that are swapped in a resample.
        pooled: the same two summed over systems, (3, 1) and (3, n_resamples + 1).
    """

    whole: Floats
    changed: Floats
    pooled: tuple[Floats, Floats]


@dataclass(frozen=True)
class _Present:
    """Which outputs there are, `mask` (n_systems, n_items), as a `key`; how many, and of how many systems."""

    mask: NDArray[np.bool_]
    key: bytes
    outputs: int
    systems: int

    @classmethod
    def of(cls, mask: NDArray[np.bool_]) -> "_Present":
        return cls(mask, np.packbits(mask).tobytes(), int(mask.sum()), int(mask.any(axis=1).sum()))

    def and_of(self, other: "_Present") -> "_Present":
        """Those that both have: as a rule the same, of all metrics of a report."""
        return self if self.key == other.key else self.of(self.mask & other.mask)


@dataclass(frozen=True)
class _Outputs:
    """The outputs that two metrics and people all scored: `grid` says which of all; `human` are people's scores,
    standardized; `systems` (n_systems, n_samples) and `items` (n_items, n_samples) are as in `resampling.swaps.Swaps`.

    `counts` (n_systems, 1) of the outputs of each system, and people's means of systems as `_about_mean` gives them,
    are worked out once for all pairs of metrics.

    The first sample is one in which nothing changes, so that it gives the correlations themselves.
    """

    mask: NDArray[np.bool_]
    grid: tuple[NDArray[Any], ...]
    human: Floats
    counts: Floats
    means: tuple[Floats, Floats]
    systems: NDArray[np.bool_]
    items: Floats


class MetricPermutations:
    """Comparisons of metrics (n_systems, n_items) against people's scores of the same shape, over the same swaps."""

    def __init__(self, metrics: Mapping[str, Floats], human: Floats, draws: int = 1000, seed: int = 0) -> None:
        self.metrics, self.human = metrics, human
        self.draws, self.seed = draws, seed
        self._here = {name: _Present.of(np.isfinite(scores) & np.isfinite(human)) for name, scores in metrics.items()}
        self._outputs: dict[bytes, _Outputs | str] = {}
        self._sums: dict[tuple[str, bytes], _Given | None] = {}

    def is_of(self, metrics: Mapping[str, Floats], human: Floats, draws: int) -> bool:
        """Whether it was made of these very scores and so many draws, so that its sums hold for them too."""
        same = self.draws == draws and self.metrics.keys() == metrics.keys() and _equal(self.human, human)
        return same and all(_equal(scores, metrics[name]) for name, scores in self.metrics.items())

    def compare(self, first: str, second: str, level: Level) -> Test:
        """The correlation of the first with people less that of the second, as `perm_both.compare` has it.

        `level` is 'none', over all outputs, or 'system', over the systems' means.
        """
        both = self._here[first].and_of(self._here[second])
        n, key = both.outputs if level == "none" else both.systems, both.key
        if key not in self._outputs:
            self._outputs[key] = self._read(both.mask)
        outputs = self._outputs[key]
        if isinstance(outputs, str):
            return Test(None, None, n, undefined=outputs)
        if level == "system" and n < FEWEST:
            return Test(None, None, n, undefined=f"The test needs {FEWEST} systems or more, and there are {n}.")
        x, y = (self._sums_of(name, key, outputs) for name in (first, second))
        if x is None or y is None:
            return Test(None, None, n, undefined=f"All scores of {first if x is None else second} are the same.")
        value = _VALUES[level]
        values = value(x, y, outputs) - value(y, x, outputs)
        return _test(float(values[0]), values[1:], n)

    def _read(self, mask: NDArray[np.bool_]) -> _Outputs | str:
        present = np.ix_(mask.any(axis=1), mask.any(axis=0))
        inner = mask[present]
        if inner.shape[1] < FEWEST:
            return f"The test needs {FEWEST} items or more, and there are {inner.shape[1]}."
        human = np.where(inner, self.human[present], np.nan)
        if all_same(human[inner]):
            return "All scores of people are the same."
        swaps = draw_swaps(inner.shape, self.draws, self.seed)
        systems, items = (
            np.column_stack((np.zeros(flags.shape[1], dtype=bool), flags.T)) for flags in (swaps.systems, swaps.items)
        )
        human = standardize(human)
        counts, means = inner.sum(axis=1)[:, None], _about_mean(np.nanmean(human, axis=1)[:, None])
        return _Outputs(inner, present, human, counts, means, systems, items.astype(np.float64))

    def _sums_of(self, name: str, key: bytes, outputs: _Outputs) -> _Given | None:
        """Sums of a metric's scores, of their squares and of their products with people's; None if all are equal."""
        if (name, key) not in self._sums:
            self._sums[name, key] = self._summed(
                np.where(outputs.mask, self.metrics[name][outputs.grid], np.nan), outputs
            )
        return self._sums[name, key]

    @staticmethod
    def _summed(scores: Floats, outputs: _Outputs) -> _Given | None:
        if all_same(scores[outputs.mask]):
            return None
        standardized = standardize(scores)
        parts = np.array(
            [np.nan_to_num(part) for part in (standardized, standardized * standardized, standardized * outputs.human)]
        )
        rows = parts.reshape(-1, parts.shape[2]) @ outputs.items  # one product: NumPy would make three small ones
        whole, moved = parts.sum(axis=2), rows.reshape(*parts.shape[:2], -1)
        changed = np.where(outputs.systems, whole[:, :, None] - moved, moved)
        return _Given(whole, changed, (whole.sum(axis=1)[:, None], changed.sum(axis=1)))


def _equal(first: Floats, second: Floats) -> bool:
    return first is second or np.array_equal(first, second, equal_nan=True)


def _pooled(first: _Given, second: _Given, outputs: _Outputs) -> Floats:
    """The correlation of one metric in each sample, over all outputs."""
    n = int(outputs.mask.sum())
    return pearson_of_sums(n, *(first.pooled[0] - first.pooled[1] + second.pooled[1]))


def _means(first: _Given, second: _Given, outputs: _Outputs) -> Floats:
    """The same over the means of systems; NaN in a draw that makes them all one, but for rounding."""
    means = (first.whole[0][:, None] - first.changed[0] + second.changed[0]) / outputs.counts
    apart, square = _about_mean(means)
    human, human_square = outputs.means
    return ratio(human[:, 0] @ apart, square * human_square)


def _about_mean(means: Floats) -> tuple[Floats, Floats]:
    """Means (n_systems, n_samples) less their mean, and the sum of the squares, 0 where that is rounding."""
    apart = means - means.mean(axis=0)
    square, size = (np.einsum("sd,sd->d", values, values) for values in (apart, means))
    return apart, np.where(square <= SAME_WITHIN**2 * size, 0.0, square)


_VALUES: Mapping[Level, Callable[[_Given, _Given, _Outputs], Floats]] = {"none": _pooled, "system": _means}


def _test(observed: float, drawn: Floats, n: int) -> Test:
    finite = np.isfinite(drawn)
    if not np.isfinite(observed):
        return Test(None, None, n, undefined="There is no correlation to compare: the values are all the same.")
    if not Bootstrap.enough(finite):
        return Test(observed, None, n, undefined="In too many of the draws a correlation has no value.")
    as_large = np.count_nonzero(np.abs(drawn[finite]) >= abs(observed) - ROUNDING)
    return Test(observed, (as_large + 1) / (np.count_nonzero(finite) + 1), n)
