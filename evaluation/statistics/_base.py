"""The contract of an entry of this folder, by kind: agreement, coefficient, test, correction, ranking."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from evaluation.correlation import CorrelationCoefficient
from evaluation.numerics import Agreement, Labels, Level, Strength, Test
from evaluation.rater_labels import Labelled
from foundation.papers import Paper


@dataclass(frozen=True, kw_only=True)
class Statistic:
    """An entry of this folder: its name for people, and its source."""

    label: str
    paper: Paper


@dataclass(frozen=True, kw_only=True)
class AgreementStatistic(Statistic):
    """A measure of how far raters agree. A report states it wherever its `levels` and `crossed` allow.

    Attributes:
        agree: `agree(raters, items, values, level) -> Agreement`. The judgements are in long form, (n_judgements,)
            each.
        levels: The levels of measurement of a criterion for which a report states it.
        crossed: Whether every rater must have judged every item. Else a report does not state it.
        always: Whether a report states it for every criterion, ranks among them, even where it has no value.
    """

    agree: Callable[[Labels, Labels, ArrayLike, Level], Agreement]
    levels: frozenset[Level]
    crossed: bool = False
    always: bool = False


@dataclass(frozen=True, kw_only=True)
class PairedTest(Statistic):
    """`compare(a, b, groups_a, groups_b, ...) -> Test` of judgements of two systems, `groups` being their sources.

    Only the sources that both have count, each with all that is theirs. Without `groups` the judgements are pairs.
    """

    effect: str
    compare: Callable[..., Test]


@dataclass(frozen=True, kw_only=True)
class ResamplingTest(PairedTest):
    """A paired test by resampling.

    `compare_many(comparisons, draws, seed) -> list[Test]` takes pairs of SufficientStatistics, so corpus scores too.
    """

    compare_many: Callable[..., list[Test]]


@dataclass(frozen=True, kw_only=True)
class SampleTest(Statistic):
    """`compare(x, y, direction="two-sided") -> Test` of two samples that have nothing to do with each other."""

    effect: str
    compare: Callable[..., Test]


@dataclass(frozen=True, kw_only=True)
class Coefficient(CorrelationCoefficient, Statistic):
    """A coefficient of correlation as an entry; `CorrelationCoefficient` has its methods."""


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
class LabelModel(Statistic):
    """`infer(raters, items, labels) -> Labelled`: the true labels behind those of several raters, in long form.

    `skill` says what a rater's skill is.
    """

    skill: str
    infer: Callable[[Labels, Labels, Labels], Labelled]


@dataclass(frozen=True, kw_only=True)
class Method(Statistic):
    """An entry with a call of its own, which its file states."""

    call: Callable[..., Any]
