"""Values by which pairs of outputs are sorted and shown: of two systems' outputs alone, without the study around them.

A metric's are the stored arrays of the two systems. The means of people's judgements take all judgements of a study to
compute, so they are kept in the cache under the key of all that a report is made from (`report_freshness`).
"""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import orjson
from django.core.cache import cache
from django.db import connection
from numpy.typing import NDArray

from corpora.models import Study
from evaluation.comparability.better_ends import better_in
from evaluation.imported_metrics import metric_of
from evaluation.metric_contract import Floats
from evaluation.models import MetricScore
from evaluation.report_freshness import report_key
from evaluation.snapshot import StudySnapshot
from evaluation.snapshot_builder.scores import imported_metrics_of
from foundation.polarity import better_end

EQUAL = 1e-9  # two values that are no further apart are one
KEPT_FOR = 24 * 3600  # seconds; another key comes with each change
LARGEST = 16 << 20  # bytes of a study's judgements that are kept
Rated = list[tuple[int, float]]  # (the rater's number, value)


@dataclass(frozen=True)
class PairValues:
    """A measure's values of two systems, `first` and `second`, (n,) each in the order of the units that were asked for;
    NaN where there is none. `better` is True where high is good, False where low is, None where neither end is."""

    key: str
    first: Floats
    second: Floats
    better: bool | None = None

    @property
    def difference(self) -> Floats:
        apart = self.first - self.second
        return np.where(np.abs(apart) <= EQUAL, 0.0, apart)


# Metrics: the stored scores of the two systems.


def metric_values(
    study: Study, key: str, systems: tuple[int, int], ids: Sequence[int], directions: Sequence[int]
) -> PairValues | None:
    """The values of a metric.

    Args:
        study: The study.
        key: The metric, with its direction in brackets where it has one.
        systems: The keys of the two systems.
        ids: The first sentence of each unit.
        directions: The place of each unit's direction.

    Returns:
        The values; None where one of the two has no scores by it.
    """
    name, _, of_direction = key.partition(" (")
    stored = {one.system_id: one for one in MetricScore.objects.filter(system__in=systems, metric=name)}
    if len(stored) < 2:
        return None
    known = [dict(zip(stored[pk].sentence_ids, stored[pk].sentences, strict=True)) for pk in systems]
    first, second = (np.array([of.get(pk, np.nan) for pk in ids], dtype=np.float64) for of in known)
    styles = [(one.source_style, one.target_style) for one in study.directions.all()]
    held = np.array([not of_direction or f"{' to '.join(styles[place])})" == of_direction for place in directions])
    targets = {styles[place][1] for place, here in zip(directions, held.tolist(), strict=True) if here}
    return PairValues(
        f"metric:{key}", np.where(held, first, np.nan), np.where(held, second, np.nan),
        _end(study, imported_metrics_of(study).get(name) or metric_of(name), targets),
    )  # fmt: skip


def _end(study: Study, metric: Any, targets: set[str]) -> bool | None:
    if metric.poles is None:
        return bool(metric.higher_is_better) if metric.higher_is_better is not None else None
    ends = {better_end(metric.poles, target, study.poles, metric.higher_is_better) for target in targets}
    return ends.pop() if len(ends) == 1 else None


OF_UNITS = """
SELECT m.metric, m.system_id, scored.id, scored.value
  FROM evaluation_metricscore m CROSS JOIN LATERAL unnest(m.sentence_ids, m.sentences) AS scored(id, value)
 WHERE m.system_id = ANY(%s) AND m.metric = ANY(%s) AND scored.id = ANY(%s) AND scored.value <> 'NaN'
"""


@dataclass(frozen=True)
class PairScore:
    """A measure's values of both outputs of a pair; for judgements also each rater's value of either.

    `better` is 0 or 1 where one of the two is the better one, else None. `keys` are those that the measure has here:
    its own, and that with the direction, which it has where better ends differ between directions.
    """

    label: str
    values: tuple[float | None, float | None]
    better: int | None
    judgements: tuple[Rated, Rated] = ((), ())  # type: ignore[assignment]
    keys: tuple[str, ...] = ()


def better_of(values: tuple[float | None, float | None], end: bool | None) -> int | None:
    """The place of the better one of two values, None where there is none."""
    first, second = values
    if first is None or second is None or end is None or abs(first - second) <= EQUAL:
        return None
    return 0 if (first > second) == end else 1


def metric_scores(
    study: Study, systems: tuple[int, int], styles: Mapping[int, tuple[str, str]]
) -> dict[int, list[PairScore]]:
    """The scores of some pairs by all metrics of the study.

    Args:
        study: The study.
        systems: The keys of the two systems.
        styles: The first sentence of each pair's unit, with the styles of its direction, source and target.

    Returns:
        By the first sentence, a score for each metric with a value of either output, in the order of the study.
    """
    metrics: dict[str, Any] = {one.metric: metric_of(one.metric) for one in study.metric_choices.all()}
    metrics |= imported_metrics_of(study)
    found: dict[tuple[str, int], dict[int, float]] = {}
    with connection.cursor() as cursor:
        cursor.execute(OF_UNITS, [list(systems), list(metrics), list(styles)])
        for metric, system, unit, value in cursor:
            found.setdefault((metric, unit), {})[system] = value
    scores: dict[int, list[PairScore]] = {unit: [] for unit in styles}
    for (name, metric), unit in product(metrics.items(), styles):
        if of := found.get((name, unit)):
            values = of.get(systems[0]), of.get(systems[1])
            better = better_of(values, _end(study, metric, {styles[unit][1]}))
            keys = f"metric:{name}", f"metric:{name} ({' to '.join(styles[unit])})"
            scores[unit].append(PairScore(str(metric.label), values, better, keys=keys))
    return scores


# Judgements: the means of each system's outputs, and each rater's value.


@dataclass(frozen=True)
class CriterionValues:
    """The judgements on a criterion: `means` (systems, units), NaN where there is none.

    `unit` and `system` are the places of what each judgement is about, `rater` is the rater's number from 0.
    """

    key: str
    label: str
    better: bool | None
    means: Floats
    unit: NDArray[np.int64]
    system: NDArray[np.int64]
    rater: NDArray[np.int64]
    value: Floats


@dataclass(frozen=True)
class StudyJudgements:
    """The judgements that lead in a study's report, laid over its units (`ids` are their first sentences)."""

    ids: Sequence[int]
    systems: Sequence[str]
    criteria: Mapping[str, CriterionValues]

    def values(self, key: str, names: tuple[str, str], ids: Sequence[int]) -> PairValues | None:
        """The values of two systems on a criterion; None where nobody judged both."""
        criterion = self.criteria.get(key)
        if criterion is None or not set(names) <= set(self.systems):
            return None
        place = {pk: at for at, pk in enumerate(self.ids)}
        at = np.array([place.get(pk, -1) for pk in ids], dtype=np.intp)
        first, second = (
            np.where(at >= 0, criterion.means[self.systems.index(name)][at], np.nan) if len(self.ids) else
            np.full(len(ids), np.nan) for name in names
        )  # fmt: skip
        return PairValues(criterion.key, first, second, criterion.better)

    def scores(self, names: tuple[str, str], pk: int) -> list[PairScore]:
        """People's values of a pair, by its unit's first sentence; raters are numbers, since a report names nobody."""
        if pk not in self.ids or not set(names) <= set(self.systems):
            return []
        unit, places = self.ids.index(pk), [self.systems.index(name) for name in names]
        scores = []
        for one in self.criteria.values():
            rows = np.flatnonzero(one.unit == unit)
            means = [one.means[place, unit] for place in places]
            first, second = (None if np.isnan(mean) else float(mean) for mean in means)
            given = [
                [(int(one.rater[row]) + 1, float(one.value[row])) for row in rows if one.system[row] == place]
                for place in places
            ]
            if first is not None or second is not None:
                better = better_of((first, second), one.better)
                scores.append(PairScore(one.label, (first, second), better, (given[0], given[1]), (one.key,)))
        return scores


Means = Callable[[StudySnapshot, Any, int], Floats]


def study_judgements(study: Study, split: str, snapshot: Callable[[], StudySnapshot], means: Means) -> StudyJudgements:
    """The judgements of a study, from the cache where nothing changed since.

    Args:
        study: The study.
        split: The split that is meant, as it was asked for.
        snapshot: Makes the snapshot of that split, where it is needed.
        means: The mean judgement of each output of a system.
    """
    key = f"judged:{study.pk}:{split}:{report_key(study)}"
    kept = cache.get(key)
    if kept is not None:
        return _unpacked(kept)
    made = _judgements_in(snapshot(), means)
    packed = _packed(made)
    if len(packed) <= LARGEST:
        cache.set(key, packed, KEPT_FOR)
    return made


def _judgements_in(snapshot: StudySnapshot, means: Means) -> StudyJudgements:
    rows = [place for place, row in enumerate(snapshot.systems) if row.role == "system"]
    criteria = {}
    for judged in snapshot.judgements[snapshot.variant].values():
        of_systems = np.array([means(snapshot, judged, place) for place in rows]).reshape(len(rows), -1)
        unit, system, rater = (np.asarray(part, dtype=np.int64) for part in (judged.unit, judged.system, judged.rater))
        key, end, value = f"criterion:{judged.name}", better_in(snapshot, judged), np.asarray(judged.value, float)
        criteria[key] = CriterionValues(key, judged.label, end, of_systems, unit, system, rater, value)
    return StudyJudgements(snapshot.units.ids, [snapshot.systems[place].name for place in rows], criteria)


ARRAYS = ("means", "unit", "system", "rater", "value")


def _packed(made: StudyJudgements) -> bytes:
    told = [[one.key, one.label, one.better] for one in made.criteria.values()]
    head = orjson.dumps({"ids": list(made.ids), "systems": list(made.systems), "criteria": told})
    arrays = {f"{name}{at}": getattr(one, name) for at, one in enumerate(made.criteria.values()) for name in ARRAYS}
    file = io.BytesIO()
    np.savez(file, head=np.frombuffer(head, dtype=np.uint8), **arrays)
    return file.getvalue()


def _unpacked(packed: bytes) -> StudyJudgements:
    with np.load(io.BytesIO(packed), allow_pickle=False) as file:
        head = orjson.loads(file["head"].tobytes())
        criteria = {
            key: CriterionValues(key, label, better, *(file[f"{name}{at}"] for name in ARRAYS))
            for at, (key, label, better) in enumerate(head["criteria"])
        }
    return StudyJudgements(head["ids"], head["systems"], criteria)
