"""What a statistic is given and what it answers.

An answer that cannot be had is None with a reason, one sentence, never a NaN or a warning: a table shows it as it
stands.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.statistics._distinct import how_many
from evaluation.statistics._draws import Draws
from evaluation.statistics._projection import NOTE, large
from evaluation.statistics._variable import SAME, Variable
from foundation.papers import Paper

Floats: TypeAlias = NDArray[np.float64]
Labels: TypeAlias = Sequence[object] | NDArray[np.generic]  # numbers or strings, of one kind
Level = Literal["nominal", "ordinal", "interval", "ratio"]
Direction = Literal["two-sided", "greater", "less"]

FEWEST = 4  # points, and groups of points, that an interval is stated for
CONSTANT = "There is no interval: in too many of the bootstrap draws all values are the same."
LACKING = "There is no interval: in too many of the bootstrap draws a point has no value."


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
    method has one. `undefined` says why `p` is None; `statistic` may be known even so.
    """

    __test__: ClassVar[bool] = False  # or pytest takes it for a class of tests

    statistic: float | None
    p: float | None
    n: int
    effect: float | None = None
    undefined: str = ""
    low: float | None = None
    high: float | None = None


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


@dataclass(frozen=True, kw_only=True)
class Coefficient(Statistic):
    """A coefficient of correlation.

    `point(x, y)` gives value and p of finite arrays (n,) that are not constant. `resampled(x, y, columns, weights)`
    gives (draws,) values: in draw d, point i stands weights[d, columns[i]] times; NaN where a draw is constant.
    `across(x, ys, columns, weights)` gives the same of one x with each y, over Variables that share what is worked
    out of them; where `projects`, many points in many groups (`_projection.large`) are projected to first order.
    `rowwise(x, y)` gives (draws,) values of finite x and y (draws, n), where each draw has values of its own; NaN
    where those of x or of y are one. `all_same_rows` and `settled` say what differs by rounding alone.
    """

    point: Callable[[Floats, Floats], tuple[float, float]]
    resampled: Callable[[Floats, Floats, NDArray[np.intp], Floats], Floats]
    across: Callable[[Variable, Sequence[Variable], NDArray[np.intp], Floats], Sequence[Floats]]
    rowwise: Callable[[Floats, Floats], Floats]
    projects: bool = False

    def correlate(
        self, x: ArrayLike, y: ArrayLike, groups: Labels | None = None, draws: int = 1000, seed: int = 0
    ) -> Correlation:
        """The coefficient of x and y (n,), with scipy's p and a percentile bootstrap interval of 95%.

        The bootstrap draws groups with all their points (a source with all its outputs); without `groups` every
        point is its own. p takes the points as independent, which outputs of one source are not: lean on the interval.
        """
        names = np.arange(np.size(x)) if groups is None else groups
        return self.over(Draws(names, draws, seed), x, y, names)

    def over(self, draws: Draws, x: ArrayLike, y: ArrayLike, groups: Labels) -> Correlation:
        """As `correlate`, over draws that are shared. ValueError: lengths differ, or a group is not in the draws."""
        first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        if first.ndim != 1 or not first.shape == second.shape == (len(groups),):
            raise ValueError("x, y and groups are one-dimensional and of equal length.")
        columns = draws.columns(groups) if len(groups) else np.zeros(0, dtype=np.intp)
        return self.against(Variable(first), [Variable(second)], columns, draws)[0]

    def against(
        self, x: Variable, ys: Sequence[Variable], columns: NDArray[np.intp], draws: Draws
    ) -> list[Correlation]:
        """x with each of ys, all (n,), point i being of the group in column `columns[i]` of the draws."""
        n, groups = len(x), how_many(columns)
        why = [_no_value(x.values, y.values) for y in ys]
        known = [y for y, lacking in zip(ys, why, strict=True) if not lacking]
        few = too_few(n, groups)
        drawn = iter([] if few or not known else self.across(x, known, columns, draws.weights))
        note = NOTE if self.projects and large(n, groups) else ""
        found = []
        for y, lacking in zip(ys, why, strict=True):
            if lacking:
                found.append(Correlation(None, None, None, None, n, lacking))
                continue
            value, p = self.point(x.values, y.values)
            known_p = p if n > 2 else None  # any two points lie on a line
            interval = None if few else draws.interval(next(drawn))
            if interval is None:
                found.append(Correlation(value, None, None, known_p, n, few or CONSTANT))
            else:
                found.append(Correlation(value, *interval, known_p, n, note=note))
        return found

    def redrawn(self, x: Floats, y: Floats, drawn_x: Floats, drawn_y: Floats, groups: int) -> Correlation:
        """The coefficient of x and y (n,), its interval from the values (draws, n) that they have in each draw.

        For points that are themselves made of what is drawn, `groups` of it: a system's corpus score and human mean
        over the drawn sources. A draw in which a point has no value (not finite) has none.
        """
        n = len(x)
        if why := _no_value(x, y):
            return Correlation(None, None, None, None, n, why)
        value, p = self.point(x, y)
        known_p = p if n > 2 else None
        if why := too_few(n, groups):
            return Correlation(value, None, None, known_p, n, why)
        whole = np.asarray(np.isfinite(np.hstack((drawn_x, drawn_y))).all(axis=1))
        found = np.full(len(whole), np.nan)
        found[whole] = self.rowwise(drawn_x[whole], drawn_y[whole])
        interval = Draws.interval(found)
        if interval is None:
            why = CONSTANT if Draws.enough(whole) else LACKING
            return Correlation(value, None, None, known_p, n, why)
        return Correlation(value, *interval, known_p, n)


def all_same(values: Floats) -> bool:
    """Whether the values are one, but for rounding."""
    high, low = np.max(values), np.min(values)
    return bool(high / 2 - low / 2 <= SAME / 2 * max(abs(high), abs(low)))  # halves: the full span may overflow


def all_same_rows(values: Floats) -> NDArray[np.bool_]:
    """`all_same` of each row, (draws, n) to (draws,)."""
    high, low = values.max(axis=1), values.min(axis=1)
    return np.asarray(high / 2 - low / 2 <= SAME / 2 * np.maximum(np.abs(high), np.abs(low)))


def settled(values: Floats) -> Floats:
    """Values cut to 12 digits, so that those that are equal but for the rounding of a draw's sums are tied."""
    part, power = np.frexp(values)
    return np.asarray(np.ldexp(np.round(part * 2**40) / 2**40, power))


def _no_value(x: Floats, y: Floats) -> str:
    if len(x) < 2:
        return f"A correlation needs two points or more; there {'is' if len(x) == 1 else 'are'} {len(x)}."
    lacking = int(np.sum(~(np.isfinite(x) & np.isfinite(y))))
    if lacking:
        return f"{lacking} of the {len(x)} points lack{'s' if lacking == 1 else ''} a number."
    for name, values in (("first", x), ("second", y)):
        if all_same(values):
            return f"All {len(x)} values of the {name} variable are the same."
    return ""


def too_few(points: int, groups: int) -> str:
    """Why there is no interval; empty where there are points and groups enough."""
    if points < FEWEST:
        return f"There is no interval: it needs {FEWEST} points or more, and there are {points}."
    if groups < FEWEST:
        return f"There is no interval: it needs {FEWEST} groups of points or more, and there are {groups}."
    return ""
