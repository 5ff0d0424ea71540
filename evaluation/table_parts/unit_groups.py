"""Units in groups of similar size, and the numbers of systems over each group."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from evaluation.aggregation import Mask, estimates, score_sums
from evaluation.comparability.better_ends import measured
from evaluation.comparability.joint_scores import joint_sums, judged_on_all, why_undefined
from evaluation.metric_contract import Floats
from evaluation.resampling import SufficientStatistics
from evaluation.snapshot import CriterionJudgements, JointScore, StudySnapshot
from evaluation.table_parts.aspects import metric_label
from evaluation.table_parts.columns import means_in

BINS = 5  # as many as MSD's Figure 4 and GYAFC's Figure 3 have, or nearly
MOST_SECTIONS = 10
Row = dict[str, str | float | None]


@dataclass(frozen=True)
class Group:
    """Some units of a study, as a label names them: from `low` to below `high`, or of one section."""

    label: str
    where: Mask
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Measure:
    """A criterion, a joint score of several, or a metric."""

    label: str
    judged: CriterionJudgements | None = None
    joint: JointScore | None = None
    metric: str = ""
    direction: int | None = None

    def used(self, snapshot: StudySnapshot) -> Mask:
        """The units that it has values of."""
        units = np.zeros(len(snapshot.units.ids), dtype=bool)
        if self.judged is not None:
            units[self.judged.unit] = True
            return units
        if self.joint is not None:
            return np.asarray(judged_on_all(snapshot, self.joint).any(axis=0), dtype=bool)
        for scored in snapshot.scores[self.metric]:
            if scored is not None:
                units |= scored.there
        return units

    def over(self, snapshot: StudySnapshot, where: Mask) -> dict[int, Row]:
        """Each system's number over these units, with interval and n."""
        if self.judged is not None:
            means = means_in(snapshot, self.judged, where)
            return {
                place: {"value": mean.mean, "low": mean.low, "high": mean.high, "n": mean.n}
                for place, mean in means.items()
            }
        if self.joint is not None:
            column = joint_sums(snapshot, self.joint, where)
        else:
            column = score_sums(snapshot, self.metric, where)
        sums = {place: statistics for place, statistics in enumerate(column) if statistics is not None}
        return {
            place: {"value": number.value, "low": number.low, "high": number.high, "n": self._count(sums[place])}
            for place, number in zip(sums, estimates(list(sums.values())), strict=True)
            if np.isfinite(number.value)
        }

    def _count(self, statistics: SufficientStatistics) -> int:
        """The rows that a number is of; a joint score has several of a source."""
        return len(statistics.rows if self.joint is None else np.unique(statistics.groups))


Grouping = Callable[[Mask], list[Group]]


def bins_of(values: Floats, used: Mask, many: int = BINS) -> list[Group]:
    """Groups of similar size of the used units by whole numbers; equal numbers stay together, so they may be fewer."""
    inside = used & np.isfinite(values)
    if not inside.any():
        return []
    edges = _edges(values[inside], many)
    return [
        Group(_span(low, high), inside & (values >= low) & (values < high), low, high) for low, high in pairwise(edges)
    ]


def _edges(values: Floats, many: int) -> list[float]:
    """The least number of each group, nearest to equal parts and none under half of one; then what is above them."""
    distinct, counts = np.unique(values, return_counts=True)
    below = np.concatenate(([0], np.cumsum(counts)))  # as many values are less than each of the numbers
    part = len(values) / many
    chosen = [0]
    for cut in sorted({int(np.abs(below - part * place).argmin()) for place in range(1, many)}):
        if min(below[cut] - below[chosen[-1]], len(values) - below[cut]) >= part / 2:
            chosen.append(cut)
    return [*distinct[chosen].tolist(), float(distinct[-1]) + 1]


def sections_of(snapshot: StudySnapshot, used: Mask) -> list[Group]:
    """The sections that most of the used units stood in, the largest first."""
    names = np.array(snapshot.units.sections, dtype=object)
    largest = Counter(name for name in names[used].tolist() if name).most_common(MOST_SECTIONS)
    return [Group(name, used & (names == name)) for name, _ in largest]


def measures_of(snapshot: StudySnapshot) -> list[Measure]:
    """Every joint score that is defined, every criterion and every metric of a study."""
    judged = snapshot.judgements[snapshot.variant].values()
    return [
        *[Measure(joint.name, joint=joint) for joint in snapshot.joint if not why_undefined(snapshot, joint)],
        *[Measure(judgements.label, judged=judgements, direction=judgements.direction) for judgements in judged],
        *[
            Measure(metric_label(snapshot, name), metric=name, direction=measured(snapshot, name).direction)
            for name in snapshot.scores
        ],
    ]


def _span(low: float, high: float) -> str:
    return f"{low:g}" if high - low <= 1 else f"{low:g}–{high - 1:g}"
