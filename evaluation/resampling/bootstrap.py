"""Bootstrap draws of whole groups, shared by every metric and coefficient of one report.

The percentile interval of Efron (1979); groups are drawn, not points, because outputs of one source are alike
(Field and Welsh 2007, 'Bootstrapping clustered data'). Labels that are not judged are drawn beside those that are, each
kind as often as there are of it, since how many were given to people is not left to chance.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.numerics.arrays import Floats, Labels
from foundation.seeds import generator

DEFINED = 0.9  # the part of the draws that must have a value for an interval to be stated
BATCH = 64  # draws at a time of the groups beside, which may be many


class Bootstrap:
    """`weights[d, g]`: how often draw d holds group `names[g]`; each draw takes as many groups as there are.

    `beside` names further groups, drawn among themselves and as often as there are of them; only `sums` counts them.
    Equal sets of group names and equal seeds give equal draws, whatever the order of the points.
    """

    def __init__(self, groups: Labels, draws: int = 1000, seed: int = 0, beside: Labels = ()) -> None:
        self.names: NDArray[np.generic] = np.unique(np.asarray(groups))
        self.beside: NDArray[np.generic] = np.setdiff1d(np.asarray(beside, dtype=self.names.dtype), self.names)
        self.seed = seed
        count = len(self.names)
        self.weights: Floats = _weights(generator(seed, "bootstrap", count), draws, count)

    def columns(self, groups: Labels) -> NDArray[np.intp]:
        """The column of each point's group in `weights`. ValueError: a group that is not among the draws."""
        wanted = np.asarray(groups)
        places = np.minimum(np.searchsorted(self.names, wanted), len(self.names) - 1)
        if not np.array_equal(self.names[places], wanted):
            raise ValueError("A point's group is not among the groups that were drawn.")
        return places.astype(np.intp)

    def sums(self, parts: Sequence[tuple[Labels, Floats]]) -> list[Floats]:
        """In each draw the sum of each part's rows, as often as their groups are drawn: (draws, k) for rows (n, k).

        A part is the groups (n,) of its rows, and the rows. ValueError: a group that is nowhere among the draws.
        """
        widths = [rows.shape[1] for _, rows in parts]
        found = self.weights @ np.hstack([_by_group(self.names, self.beside, *part) for part in parts])
        if len(self.beside):
            rest = np.hstack([_by_group(self.beside, self.names, *part) for part in parts])
            for chosen, weights in self._batches():
                found[chosen] += weights @ rest
        return np.split(found, np.cumsum(widths)[:-1], axis=1)

    def _batches(self) -> Iterator[tuple[slice, Floats]]:
        """The weights of the groups beside, some draws at a time, the same at every call."""
        draws, count = len(self.weights), len(self.beside)
        numbers = generator(self.seed, "bootstrap", "beside", count)
        for start in range(0, draws, BATCH):
            chosen = slice(start, min(start + BATCH, draws))
            yield chosen, _weights(numbers, chosen.stop - start, count)

    @staticmethod
    def interval(values: NDArray[np.float64]) -> tuple[float, float] | None:
        """The 2.5th and 97.5th percentile of the draws that have a value; None where under 9 in 10 have one."""
        finite = np.isfinite(values)
        if not Bootstrap.enough(finite):
            return None
        low, high = np.percentile(values[finite], [2.5, 97.5])
        return float(low), float(high)

    @staticmethod
    def enough(defined: NDArray[np.bool_]) -> bool:
        """Whether at least one draw, and 9 in 10 of all, have a value."""
        return bool(defined.any() and defined.mean() >= DEFINED)


def _weights(numbers: np.random.Generator, draws: int, count: int) -> Floats:
    """(draws, count): how often each of `count` groups is taken when `count` are."""
    taken = numbers.integers(0, max(count, 1), size=(draws, count))
    flat = taken + count * np.arange(draws)[:, None]
    return np.bincount(flat.ravel(), minlength=draws * count).reshape(draws, count).astype(np.float64)


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
