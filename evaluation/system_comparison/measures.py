"""What each measure gave two systems: by unit, and over all units that it gave both of them something for."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.aggregation.system_sums import Mask, judgement_sums, method, score_sums
from evaluation.comparability.better_ends import better_in
from evaluation.resampling.sufficient_statistics import SufficientStatistics
from evaluation.snapshot.arrays import Floats
from evaluation.snapshot.judgements import RANK, CriterionJudgements
from evaluation.snapshot.study import StudySnapshot
from evaluation.table_parts.aspects import metric_label

EQUAL = 1e-9  # two values that are no further apart are one


@dataclass(frozen=True)
class Measure:
    """A criterion or metric of two systems, `first` and `second`.

    `values` are theirs by unit, (n,) each, NaN where there is none; `shared` (n,) are the units that count for both,
    `alone` how many more units each has, and `sums` what the number of each is made of, over the shared ones. Of
    `better` True says that high is good, False that low is, None that neither end is.
    """

    key: str
    label: str
    judged: bool
    better: bool | None
    values: tuple[Floats, Floats]
    shared: Mask
    alone: tuple[int, int]
    sums: tuple[SufficientStatistics, SufficientStatistics]

    @property
    def difference(self) -> Floats:
        """The first's value less the second's, (n,); NaN where one has none."""
        apart = self.values[0] - self.values[1]
        return np.where(np.abs(apart) <= EQUAL, 0.0, apart)

    @property
    def shared_count(self) -> int:
        return int(self.shared.sum())

    @property
    def numbers(self) -> tuple[float, float]:
        """Both systems' numbers over the shared units."""
        first, second = (float(sums.value_of(sums.rows.sum(axis=0))) for sums in self.sums)
        return first, second

    @property
    def of_sentences(self) -> bool:
        """Whether it gives each output a value, and not only all of them together."""
        return bool(np.isfinite(self.difference).any())


def measures_of(snapshot: StudySnapshot, first: int, second: int, where: Mask) -> list[Measure]:
    """The measures that gave both systems something over the same units, criteria first.

    Args:
        snapshot: The study.
        first: The place of the one system.
        second: The place of the other.
        where: bool (n,), the units that are meant.

    Returns:
        The measures; one that lacks something of either system is left out.
    """
    judged = [
        _judged(snapshot, judgements, (first, second), where)
        for judgements in snapshot.judgements[snapshot.variant].values()
    ]
    scored = [_scored(snapshot, key, (first, second), where) for key in snapshot.scores]
    return [measure for measure in [*judged, *scored] if measure is not None]


def left_out(snapshot: StudySnapshot, measures: Sequence[Measure]) -> list[str]:
    """The labels of the measures by which the two are not compared."""
    there = {measure.key for measure in measures}
    every = [
        (_criterion_key(one.name), one.label) for one in snapshot.judgements[snapshot.variant].values()
    ] + [(_metric_key(key), metric_label(snapshot, key)) for key in snapshot.scores]  # fmt: skip
    return [label for key, label in every if key not in there]


def _criterion_key(name: str) -> str:
    return f"criterion:{name}"


def _metric_key(name: str) -> str:
    return f"metric:{name}"


def _judged(
    snapshot: StudySnapshot, judged: CriterionJudgements, places: tuple[int, int], where: Mask
) -> Measure | None:
    values = tuple(_means(snapshot, judged, place, where) for place in places)
    shared = np.isfinite(values[0]) & np.isfinite(values[1])
    sums = judgement_sums(snapshot, judged, shared if judged.name != RANK else _homes(snapshot, shared))
    return _measure(
        _criterion_key(judged.name), judged.label, True, better_in(snapshot, judged), values, shared,
        (sums[places[0]], sums[places[1]]),
    )  # fmt: skip


def _means(snapshot: StudySnapshot, judged: CriterionJudgements, place: int, where: Mask) -> Floats:
    """The mean of what was said of each output of a system, (n,); of ranks the mean place among all systems."""
    units = len(snapshot.units.ids)
    means = np.full(units, np.nan)
    if judged.name == RANK:
        homes = snapshot.units.home[judged.unit]
        ranks = method("mean_rank").by_sentence(homes, judged.rater, judged.system, judged.value)
        sources, values = ranks.get(place, (np.empty(0, dtype=np.intp), np.empty(0)))
        means[np.asarray(sources, dtype=np.intp)] = values
    else:
        here = judged.system == place
        counts = np.bincount(judged.unit[here], minlength=units)
        sums = np.bincount(judged.unit[here], judged.value[here], units)
        np.divide(sums, counts, out=means, where=counts > 0)
    return np.where(where, means, np.nan)


def _homes(snapshot: StudySnapshot, shared: Mask) -> Mask:
    """All units of the sources that are shared: a ranking stands at the first of them."""
    return np.asarray(shared[snapshot.units.home], dtype=bool)


def _scored(snapshot: StudySnapshot, key: str, places: tuple[int, int], where: Mask) -> Measure | None:
    scores = [snapshot.scores[key][place] for place in places]
    if any(scored is None or scored.corpus is None for scored in scores):
        return None
    there = [scored.there & where for scored in scores if scored is not None]
    shared = there[0] & there[1]
    values = tuple(np.where(where, scored.sentences, np.nan) for scored in scores if scored is not None)
    sums = score_sums(snapshot, key, shared)
    return _measure(
        _metric_key(key), metric_label(snapshot, key), False, better_in(snapshot, key), values, shared,
        (sums[places[0]], sums[places[1]]), there,
    )  # fmt: skip


def _measure(
    key: str, label: str, judged: bool, better: bool | None, values: tuple[Floats, ...], shared: Mask,
    sums: tuple[SufficientStatistics | None, SufficientStatistics | None], there: Sequence[Mask] | None = None,
) -> Measure | None:  # fmt: skip
    if not shared.any() or sums[0] is None or sums[1] is None:
        return None
    has = there or [np.isfinite(of) for of in values]
    alone = int((has[0] & ~shared).sum()), int((has[1] & ~shared).sum())
    return Measure(key, label, judged, better, (values[0], values[1]), shared, alone, (sums[0], sums[1]))
