"""BOOT-BOTH: the interval of a metric's correlation with people when systems and sources are both resampled."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.correlation import ResampledValues
from evaluation.numerics import FEWEST, Floats, Labels, count_distinct, ratio
from evaluation.resampling import Bootstrap
from evaluation.statistics._base import Statistic
from evaluation.statistics.pearson import in_rows
from foundation.papers import Paper
from foundation.seeds import generator
from foundation.translation import translatable

Averaging = Literal["system", "none"]
Bounds: TypeAlias = tuple[float, float] | None
SMALL = 1e-5  # a variance that is less than this part of the squares is rounding
FEW = translatable("There is no interval: it needs {fewest} systems or more, and there are {systems}.")
CONSTANT = translatable("There is no interval: in too many of the draws all values are the same.")


@dataclass(frozen=True)
class Interval:
    """`low` and `high` bound 95% of the samples; `undefined` says why there is none."""

    low: float | None
    high: float | None
    undefined: str = ""


@dataclass(frozen=True, kw_only=True)
class BootBoth(Statistic):
    """`interval(x, human, ...) -> Interval`; `of_means` and `Pooled` give the same over samples that are shared."""

    interval: Callable[..., Interval]


def interval(
    x: ArrayLike, human: ArrayLike, averaging: Averaging = "system", groups: Labels | None = None, draws: int = 1000,
    seed: int = 0,
) -> Interval:  # fmt: skip
    """The percentile interval of Pearson's r of a metric with people, when systems and sources are both resampled.

    Each sample draws as many systems as there are and as many sources, both with replacement. An interval that
    resamples sources alone holds for these systems; this one for others like them, and is wider.

    Args:
        x: (n_systems, n_items) the metric's scores. NaN marks an output without one.
        human: people's, of the same shape.
        averaging: 'system' for r of the systems' means, 'none' for r of all outputs.
        groups: (n_items,) the items' sources. Without them each item is its own.
        draws: the number of samples.
        seed: of their random numbers.

    Raises:
        ValueError: shapes differ, or the averaging is unknown.
    """
    first, second = np.array(x, dtype=np.float64), np.array(human, dtype=np.float64)
    if first.ndim != 2 or first.shape != second.shape:
        raise ValueError("x and human are two-dimensional, systems by items, and of equal shape.")
    names: Labels = np.arange(first.shape[1]) if groups is None else groups
    pooled = Pooled({"x": first}, second, names, Bootstrap(names, draws, seed))
    if averaging == "none":
        return pooled.interval("x")
    if averaging != "system":
        raise ValueError(f"There is no averaging '{averaging}'.")
    return of_means(*pooled.means("x"), seed)


def of_means(x: Floats, human: Floats, seed: int = 0) -> Interval:
    """The interval from the systems' values in each sample of sources, both (n_samples, n_systems), NaN if missing."""
    systems = x.shape[1]
    if systems < FEWEST:
        return Interval(None, None, FEW.format(fewest=FEWEST, systems=systems))
    places = drawn_systems(systems, len(x), seed)
    x, human = (np.take_along_axis(values, places, axis=1) for values in (x, human))
    whole = np.logical_and.reduce(np.isfinite(x) & np.isfinite(human), axis=1)
    resampled = np.full(len(whole), np.nan)
    resampled[whole] = in_rows(ResampledValues(x[whole]), ResampledValues(human[whole]))
    return _bounded(Bootstrap.interval(resampled))


@lru_cache(maxsize=2)
def drawn_systems(systems: int, draws: int, seed: int) -> NDArray[np.intp]:
    """(n_samples, n_systems): the systems that each sample holds, as often as drawn."""
    places = generator(seed, "boot_both", systems).integers(0, systems, (draws, systems)).astype(np.intp)
    places.flags.writeable = False  # kept for the next metric
    return places


class Pooled:
    """Pearson's r over all outputs of metrics (n_systems, n_items) with people's scores, systems and sources drawn.

    r is made of six sums over outputs; each metric's are summed by system and draw once, and then over the systems of
    the draw. `sums` keeps those that do not hang on people, by the outputs that are there and the metric's name.
    """

    def __init__(
        self, metrics: Mapping[str, Floats], human: Floats, groups: Labels, bootstrap: Bootstrap,
        sums: dict[tuple[bytes, str], list[Floats]] | None = None,
    ) -> None:  # fmt: skip
        self.metrics, self.human, self.bootstrap = metrics, human, bootstrap
        self.columns = bootstrap.columns(groups)
        self.weights = bootstrap.weights.astype(np.float32)  # half the time, and six digits of r
        self._cache = {} if sums is None else sums
        self._people: dict[bytes, list[Floats]] = {}
        self._alone = count_distinct(self.columns) == len(self.columns)
        count = len(human)
        places = drawn_systems(max(count, 1), len(bootstrap.weights), bootstrap.seed)
        flat = places + max(count, 1) * np.arange(len(places))[:, None]
        self.times = np.bincount(flat.ravel(), minlength=places.size).reshape(places.shape).astype(np.float64)

    def interval(self, name: str) -> Interval:
        """The interval over the outputs that the metric and people both scored; every system counts."""
        if len(self.human) < FEWEST:
            return Interval(None, None, FEW.format(fewest=FEWEST, systems=len(self.human)))
        here, x, human = self._scaled(name)
        key = np.packbits(here).tobytes()
        if (key, name) not in self._cache:
            self._cache[key, name] = self._own(here, x)
        if key not in self._people:
            self._people[key] = self._own(here, human)
        n, su, suu = self._cache[key, name]
        _, sv, svv = self._people[key]
        (suv,) = (self._over(column) for column in self._sums([x * human]))
        square_u, square_v = n * suu - su * su, n * svv - sv * sv
        small = (square_u <= SMALL * n * suu) | (square_v <= SMALL * n * svv)
        resampled = ratio(n * suv - su * sv, np.where(small, 0.0, square_u * square_v))
        return _bounded(Bootstrap.interval(resampled))

    def means(self, name: str) -> tuple[Floats, Floats]:
        """The systems' means of the metric and of people in each sample of sources, (n_samples, n_systems) both."""
        here, x, human = self._scaled(name)
        n, su, sv = self._sums([here.astype(np.float64), x, human])
        nothing = np.full_like(n, np.nan)
        top, bottom = (np.divide(column, n, out=nothing.copy(), where=n > 0) for column in (su, sv))
        return top, bottom

    def _scaled(self, name: str) -> tuple[NDArray[np.bool_], Floats, Floats]:
        """Which outputs both scored, and both scores about their mean, zero elsewhere."""
        here = np.isfinite(self.metrics[name]) & np.isfinite(self.human)
        return here, _about_mean(self.metrics[name], here), _about_mean(self.human, here)

    def _own(self, here: NDArray[np.bool_], values: Floats) -> list[Floats]:
        """How many outputs, their sum and that of their squares, over the systems of each sample, (n_samples,) each."""
        return [self._over(column) for column in self._sums([here.astype(np.float64), values, values * values])]

    def _sums(self, parts: Sequence[Floats]) -> list[Floats]:
        """Values (n_systems, n_items) summed by system in each bootstrap sample of sources, (n_samples, n_systems)."""
        stacked = np.vstack(parts)
        by_group = np.zeros((self.weights.shape[1], len(stacked)))
        if self._alone:
            by_group[self.columns] = stacked.T
        else:
            np.add.at(by_group, self.columns, stacked.T)
        return np.split((self.weights @ by_group.astype(np.float32)).astype(np.float64), len(parts), axis=1)

    def _over(self, sums: Floats) -> Floats:
        """Summed over the systems of each sample, (n_samples,)."""
        return np.asarray(np.einsum("ds,ds->d", self.times, sums))


def _about_mean(values: Floats, here: NDArray[np.bool_]) -> Floats:
    if not here.any():
        return np.zeros(values.shape)
    about = np.where(here, values, 0.0) - np.where(here, values[here].mean(), 0.0)
    largest = float(np.abs(about).max())
    return np.asarray(about / largest) if largest > 0 else about


def _bounded(bounds: Bounds) -> Interval:
    return Interval(None, None, CONSTANT) if bounds is None else Interval(*bounds)


STATISTIC = BootBoth(
    label="BOOT-BOTH",
    paper=Paper(
        "Deutsch, Dror and Roth",
        2021,
        "A Statistical Analysis of Summarization Evaluation Metrics Using Resampling Methods",
        "https://doi.org/10.1162/tacl_a_00417",
    ),
    interval=interval,
)
