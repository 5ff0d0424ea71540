"""What a statistic is given and what it answers.

An answer that cannot be had is None with a reason, one sentence, never a NaN or a warning: a table shows it as it
stands.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.statistics._variable import SAME
from foundation.papers import Paper

Floats: TypeAlias = NDArray[np.float64]
Labels: TypeAlias = Sequence[object] | NDArray[np.generic]  # numbers or strings, of one kind
Level = Literal["nominal", "ordinal", "interval", "ratio"]
Direction = Literal["two-sided", "greater", "less"]

FEWEST = 4  # points, and groups of points, that an interval is stated for


@dataclass(frozen=True)
class Agreement:
    """How far raters agree. `raters` and `items` count those that entered: the items with two judgements or more.

    `low` and `high` are the 95% interval and `p` that of its test, where the source of the statistic gives them.
    `note` says in a sentence what was left out, or what the value is a mean of.
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
    """What judgements make of a system, with a 95% interval; `n` are the sentences in which it was judged."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    undefined: str = ""


@dataclass(frozen=True, kw_only=True)
class Statistic:
    """An entry of this folder: its name for people, and its source."""

    label: str
    paper: Paper


@dataclass(frozen=True, kw_only=True)
class AgreementStatistic(Statistic):
    """`agree(raters, items, values, level) -> Agreement`, over judgements in long form (1-D, of equal length)."""

    agree: Callable[[Labels, Labels, ArrayLike, Level], Agreement]


@dataclass(frozen=True, kw_only=True)
class PairedTest(Statistic):
    """`compare(a, b, groups_a, groups_b, ...) -> Test` of judgements of two systems, `groups` being their sources.

    Only the sources that both have count, each with all that is theirs. Without `groups` the judgements are pairs.
    """

    effect: str
    compare: Callable[..., Test]


@dataclass(frozen=True, kw_only=True)
class SampleTest(Statistic):
    """`compare(x, y, direction="two-sided") -> Test` of two samples that have nothing to do with each other."""

    effect: str
    compare: Callable[..., Test]


@dataclass(frozen=True, kw_only=True)
class CorrelationTest(Statistic):
    """`compare(x, y, human, ...) -> Test`: does metric x agree with people as well as metric y?"""

    effect: str
    compare: Callable[..., Test]


@dataclass(frozen=True, kw_only=True)
class Correction(Statistic):
    """`adjust(p_values) -> list`: the p of one family of tests, corrected; None stays None and counts as no test."""

    adjust: Callable[[Sequence[float | None]], list[float | None]]


@dataclass(frozen=True, kw_only=True)
class Ranking(Statistic):
    """`rank(sentences, judges, systems, places, ...) -> {system: Strength}`, best first.

    A row is one output's place in one judge's order of one sentence, 1 the best, as in `mean_rank`; a best-worst
    judgement has places 1, 2 and 3, and those at 2 were not compared. `unit` says what a strength is.
    """

    unit: str
    rank: Callable[..., Mapping[object, Strength]]


@dataclass(frozen=True, kw_only=True)
class Method(Statistic):
    """An entry with a call of its own, which its file states."""

    call: Callable[..., Any]


def all_same(values: Floats) -> bool:
    """Whether the values are one, but for rounding."""
    high, low = np.max(values), np.min(values)
    return bool(high / 2 - low / 2 <= SAME / 2 * max(abs(high), abs(low)))  # halves: the full span may overflow


def all_same_rows(values: Floats) -> NDArray[np.bool_]:
    """`all_same` of each row, (draws, n) to (draws,)."""
    high, low = values.max(axis=1), values.min(axis=1)
    return np.asarray(high / 2 - low / 2 <= SAME / 2 * np.maximum(np.abs(high), np.abs(low)))


def middle_ranks(values: ArrayLike) -> Floats:
    """Of each value (n,) its place in ascending order, from 1; equal ones share the middle of theirs."""
    _, levels, counts = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[levels])


def settled(values: Floats) -> Floats:
    """Values cut to 12 digits, so that those that are equal but for the rounding of a draw's sums are tied."""
    part, power = np.frexp(values)
    return np.asarray(np.ldexp(np.round(part * 2**40) / 2**40, power))
