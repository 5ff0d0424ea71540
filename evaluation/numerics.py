"""Array types, codes of labels, ranks, quantiles, rounding, and the results that statistics answer with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

# The types of arrays that statistics take and give.

Floats: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.intp]
"""Labels as whole numbers from 0."""
Labels: TypeAlias = Sequence[object] | NDArray[np.generic]
"""Numbers or strings, of one kind."""

# The different ones of many numbers, by sorting: NumPy's `unique` hashes them and takes ten times as long.


def distinct(values: NDArray[Any]) -> NDArray[Any]:
    """The different values of (n,), sorted."""
    ordered = np.sort(values)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


def count_distinct(values: NDArray[Any]) -> int:
    """The number of different values of (n,)."""
    ordered = np.sort(values)
    return 1 + int(np.count_nonzero(ordered[1:] != ordered[:-1])) if len(ordered) else 0


ROOM = 1_000_000  # numbers up to here may have a place each


def label_codes(labels: Labels) -> Codes:
    """The place of each label among the distinct ones."""
    names = np.asarray(labels)
    if names.dtype.kind in "iu" and len(names) and names.min() >= 0 and names.max() < ROOM + 4 * len(names):
        present = np.bincount(names.astype(np.intp)) > 0  # small numbers need no sorting
        return np.asarray((np.cumsum(present) - 1)[names], dtype=np.intp)
    return np.unique(names, return_inverse=True)[1].astype(np.intp)


def quantiles(values: Floats, shares: Sequence[float]) -> list[float]:
    """The same numbers as `numpy.quantile` (linear between two values) of finite values (n,), to the last digit.

    Args:
        values: (n,) finite, one at least.
        shares: from 0 to 1, such as 0.025.
    """
    ordered = np.sort(values)
    return [_between(ordered, (len(ordered) - 1) * share) for share in shares]


def _between(ordered: Floats, place: float) -> float:
    below = int(place)
    part = place - below
    low, high = float(ordered[below]), float(ordered[min(below + 1, len(ordered) - 1)])
    return low + (high - low) * part if part < 0.5 else high - (high - low) * (1 - part)


def mid_ranks(values: ArrayLike) -> Floats:
    """The place of each value (n,) in ascending order, from 1; equal values share the middle of their places."""
    _, levels, counts = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[levels])


def ratio(top: NDArray[np.float64], square: NDArray[np.float64]) -> NDArray[np.float64]:
    """top / sqrt(square), within -1 and 1; NaN where square is not above zero."""
    found = np.full_like(top, np.nan)
    np.divide(top, np.sqrt(np.maximum(square, 0)), out=found, where=square > 0)
    return np.minimum(np.maximum(found, -1), 1)  # twice as quick as clip, of a thousand samples


# The results that statistics answer with.
#
# A value that cannot be had is None with a reason, one sentence, never a NaN or a warning: a table shows it as it
# stands.

Level = Literal["nominal", "ordinal", "interval", "ratio"]
Direction = Literal["two-sided", "greater", "less"]

FEWEST = 4  # points, and groups of points, that an interval is stated for


@dataclass(frozen=True)
class Agreement:
    """The agreement of raters. `raters` and `items` count those that entered: the items with two judgements or more.

    `low` and `high` are the 95% interval and `p` that of its test, where the source of the statistic gives them. `note`
    names in a sentence the items left out, or the values of which this is the mean.
    """

    value: float | None
    raters: int
    items: int
    undefined: str = ""
    low: float | None = None
    high: float | None = None
    p: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Correlation:
    """A coefficient over `n` points with its p and 95% interval.

    `undefined` says why `value` is None, or, where there is a value, why `low` and `high` are. `note` says in a
    sentence where the interval is that of a projection.
    """

    value: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int
    undefined: str = ""
    note: str = ""


@dataclass(frozen=True)
class Mean:
    """A mean of `n` judgements with its 95% interval; `undefined` says why the mean or its interval is None."""

    mean: float | None
    low: float | None
    high: float | None
    n: int
    undefined: str = ""


@dataclass(frozen=True)
class Test:
    """A test over `n` points: of a difference (the first's less the second's) or of a relation.

    `effect` is the size that the entry's `effect` names; `low` and `high` are a 95% interval of `statistic` where the
    method has one. `undefined` says why `p` is None; `statistic` may be known even so. `note` says what weakens p.
    """

    __test__: ClassVar[bool] = False  # or pytest takes it for a class of tests

    statistic: float | None
    p: float | None
    n: int
    effect: float | None = None
    undefined: str = ""
    low: float | None = None
    high: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Strength:
    """A system's value by judgements, with a 95% interval; `n` counts the sentences in which it was judged."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    undefined: str = ""


Z = 1.959963984540054  # of 95%


def wilson(share: float, n: int) -> tuple[float, float]:
    """The ends of Wilson's 95% interval (1927) of a share of n."""
    middle, spread = share + Z * Z / (2 * n), Z * np.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    return tuple(float((middle + side * spread) / (1 + Z * Z / n)) for side in (-1, 1))  # type: ignore[return-value]


# Which values differ by the rounding of floating-point sums alone.

SAME_WITHIN = 1e-12  # values that differ by less than this part of their size differ by rounding alone


def all_same(values: Floats) -> bool:
    """Whether the values are one, but for rounding."""
    high, low = np.max(values), np.min(values)
    return bool(high / 2 - low / 2 <= SAME_WITHIN / 2 * max(abs(high), abs(low)))  # halves: the full span may overflow


def all_same_rows(values: Floats) -> NDArray[np.bool_]:
    """`all_same` of each row, (draws, n) to (draws,)."""
    high, low = values.max(axis=1), values.min(axis=1)
    return np.asarray(high / 2 - low / 2 <= SAME_WITHIN / 2 * np.maximum(np.abs(high), np.abs(low)))


def without_rounding(values: Floats) -> Floats:
    """Values cut to 12 digits, so that those that are equal but for the rounding of a draw's sums are tied."""
    part, power = np.frexp(values)
    with np.errstate(over="ignore"):
        cut = np.ldexp(np.round(part * 2**40) / 2**40, power)
    return np.where(np.isinf(cut), values, cut)  # the largest float has none above it


def difference_without_rounding(first: Floats, second: Floats) -> Floats:
    """first - second, cut where the digits of the largest of all end: a difference by rounding alone is zero."""
    largest = max((float(np.max(np.abs(values))) for values in (first, second) if len(values)), default=0.0)
    step = np.ldexp(1.0, int(np.frexp(largest)[1]) - 40)
    return np.asarray(np.round((first - second) / step) * step)
