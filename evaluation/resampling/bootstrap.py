"""The cluster bootstrap: samples of whole groups (sources), shared by every metric and coefficient of one report.

Its interval is the percentile interval of Efron (1979). Groups are resampled, not points, because outputs of one source
are alike (Field and Welsh 2007, 'Bootstrapping clustered data'). Sources that were judged and sources that were not are
two strata: each is resampled within itself, since how many sources people judge is fixed by design.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.numerics.arrays import Floats, Labels
from evaluation.numerics.quantiles import quantiles
from foundation.seeds import generator

ENDS = (0.025, 0.975)  # of a 95% interval
DEFINED = 0.9  # the share of the samples that must have a value for an interval to be stated
BATCH = 64  # samples in hand at a time of the second stratum, which may have many groups


class Bootstrap:
    """Bootstrap samples of groups: each takes as many groups as there are, with replacement.

    Equal sets of group names and equal seeds give equal samples, whatever the order of the points.

    Attributes:
        names: (n_groups,) the groups, sorted.
        weights: (n_samples, n_groups) how often a sample holds a group.
        beside: (n_beside,) the groups of the second stratum, resampled among themselves; only `sums` counts them.
        seed: of the random numbers.
    """

    def __init__(self, groups: Labels, draws: int = 1000, seed: int = 0, beside: Labels = ()) -> None:
        self.names: NDArray[np.generic] = np.unique(np.asarray(groups))
        self.beside: NDArray[np.generic] = np.setdiff1d(np.asarray(beside, dtype=self.names.dtype), self.names)
        self.seed = seed
        count = len(self.names)
        self.weights: Floats = _weights(generator(seed, "bootstrap", count), draws, count)

    def columns(self, groups: Labels) -> NDArray[np.intp]:
        """The column of each point's group in `weights`.

        Args:
            groups: (n_points,) names of groups.

        Returns:
            (n_points,) places among `names`.

        Raises:
            ValueError: a group is not among the resampled ones.
        """
        wanted = np.asarray(groups)
        places = np.minimum(np.searchsorted(self.names, wanted), len(self.names) - 1)
        if not np.array_equal(self.names[places], wanted):
            raise ValueError("A point's group is not among the groups that were drawn.")
        return places.astype(np.intp)

    def sums(self, parts: Sequence[tuple[Labels, Floats]]) -> list[Floats]:
        """Sums of rows in each sample, each row counted as often as its group was drawn.

        Args:
            parts: pairs of the groups (n_rows,) of some rows, and the rows (n_rows, n_sums).

        Returns:
            The sums of each part, (n_samples, n_sums).

        Raises:
            ValueError: a row's group is in neither stratum.
        """
        widths = [rows.shape[1] for _, rows in parts]
        sums = self.weights @ np.hstack([_by_group(self.names, self.beside, *part) for part in parts])
        if len(self.beside):
            rest = np.hstack([_by_group(self.beside, self.names, *part) for part in parts])
            if rest.any():  # what people judged alone has no rows there
                for chosen, weights in self._batches():
                    sums[chosen] += weights @ rest
        return np.split(sums, np.cumsum(widths)[:-1], axis=1)

    def _batches(self) -> Iterator[tuple[slice, Floats]]:
        """The weights of the second stratum, some samples at a time, the same at every call."""
        n_resamples, count = len(self.weights), len(self.beside)
        numbers = generator(self.seed, "bootstrap", "beside", count)
        for start in range(0, n_resamples, BATCH):
            chosen = slice(start, min(start + BATCH, n_resamples))
            yield chosen, _weights(numbers, chosen.stop - start, count)

    @staticmethod
    def interval(values: NDArray[np.float64]) -> tuple[float, float] | None:
        """The 2.5th and 97.5th percentile of values (n_samples,) without NaN; None where fewer than 90% have one."""
        finite = np.isfinite(values)
        if not Bootstrap.enough(finite):
            return None
        low, high = quantiles(values[finite], ENDS)
        return low, high

    @staticmethod
    def p_of_zero(values: NDArray[np.float64]) -> float:
        """The two-sided p of zero by the percentile interval of values (n_samples,), some of them finite.

        Twice the smaller share of the samples on one side of zero, those at zero on both, with one added above and
        below: below 0.05 only where the interval does not hold zero.
        """
        finite = values[np.isfinite(values)]
        fewer = min(int(np.sum(finite <= 0)), int(np.sum(finite >= 0)))
        return min(1.0, 2 * (fewer + 1) / (len(finite) + 1))

    @staticmethod
    def enough(defined: NDArray[np.bool_]) -> bool:
        """Whether at least one sample, and 90% of all, have a value; `defined` is (n_samples,)."""
        return bool(defined.any() and defined.mean() >= DEFINED)


def _weights(numbers: np.random.Generator, n_resamples: int, count: int) -> Floats:
    """(n_resamples, count): how often each of `count` groups is drawn, `count` at a time with replacement."""
    taken = numbers.integers(0, max(count, 1), size=(n_resamples, count))
    flat = taken + count * np.arange(n_resamples)[:, None]
    return np.bincount(flat.ravel(), minlength=n_resamples * count).reshape(n_resamples, count).astype(np.float64)


def _by_group(names: NDArray[np.generic], others: NDArray[np.generic], groups: Labels, rows: Floats) -> Floats:
    """Rows (n, k) summed within each of the groups `names`; those of `others` are left out."""
    given = np.asarray(groups)
    here = np.isin(given, names)
    if not np.isin(given[~here], others).all():
        raise ValueError("A row's group is not among the groups that were drawn.")
    places = np.searchsorted(names, given[here])
    order = np.argsort(places, kind="stable")
    present, starts = np.unique(places[order], return_index=True)
    summed = np.zeros((len(names), rows.shape[1]))
    summed[present] = np.add.reduceat(rows[here][order], starts, axis=0)
    return summed
