"""The results that statistics answer with.

A value that cannot be had is None with a reason, one sentence, never a NaN or a warning: a table shows it as it
stands.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

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
