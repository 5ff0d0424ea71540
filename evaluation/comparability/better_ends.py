"""Criteria and metrics of a snapshot, each with its better end: those with poles once for each direction of a study.

The better end of a measure with poles is the style of the direction (`foundation.polarity`). A study with both
directions so has "formality (informal to formal)" over the units of the one and "formality (formal to informal)" over
those of the other, each with its own better end. A measure without poles is about all units together, where all
systems have outputs, scores or judgements in the same directions. Where they do not, every measure stands once for
each direction: a number over both would be of another task for each system.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.imported_metrics import metric_of
from evaluation.metric_contract import Scores
from evaluation.snapshot import CriterionJudgements, DirectedMetric, StudySnapshot
from foundation.polarity import Poles, better_end

DIRECTIONS_DIFFER = (
    "Systems have outputs in different directions, so there is no score over all of them: it would be of another task "
    "for each system."
)
WHOLE_ALONE = "The score of these texts is kept for all of them together, and for no part by itself."


def by_direction(snapshot: StudySnapshot) -> StudySnapshot:
    """The snapshot with every measure that has poles by direction, where better ends differ; all have their end."""
    held, apart = held_directions(snapshot), outputs_differ(snapshot)
    judgements = {
        variant: {
            directed.name: directed
            for measure in by_criterion.values()
            for directed in _judged(snapshot, measure, held, apart)
        }
        for variant, by_criterion in snapshot.judgements.items()
    }
    directed = {
        key: measure for name in snapshot.scores for key, measure in _measured(snapshot, name, held, apart).items()
    }
    return replace(
        snapshot,
        judgements=judgements,
        measured=directed,
        scores={key: _scores(snapshot, measure) for key, measure in directed.items()},
        baselines={name: _foils(snapshot, by_criterion, directed) for name, by_criterion in snapshot.baselines.items()},
    )


def outputs_differ(snapshot: StudySnapshot) -> bool:
    """Whether some system has outputs in a direction in which another has none."""
    there = (
        np.array([text is not None for text in row.outputs], dtype=bool)
        for row in snapshot.systems
        if row.role == "system"
    )
    return _differ({frozenset(np.unique(snapshot.units.direction[mask]).tolist()) for mask in there})


def _differ(directions: Iterable[frozenset[int]]) -> bool:
    """Whether sets of directions differ; a system with nothing has none, and is no reason."""
    return len({of for of in directions if of}) > 1


def held_directions(snapshot: StudySnapshot) -> list[int]:
    """The places of the directions in which some system has an output; those of units in a study without outputs."""
    written = np.zeros(len(snapshot.units.ids), dtype=bool)
    for row in snapshot.systems:
        written |= np.array([text is not None for text in row.outputs], dtype=bool)
    used = snapshot.units.direction[written] if written.any() else snapshot.units.direction
    return [int(place) for place in np.unique(used)]


def measured(snapshot: StudySnapshot, key: str) -> DirectedMetric:
    """The metric and direction of a key of the snapshot's scores, and its better end there."""
    if key in snapshot.measured:
        return snapshot.measured[key]
    metric = metric_in(snapshot, key.partition(" (")[0])
    if metric.poles is None:
        return DirectedMetric(key, metric.higher_is_better)
    ends = set(_ends(snapshot, metric.poles, metric.higher_is_better, held_directions(snapshot)).values())
    return DirectedMetric(key, ends.pop() if len(ends) == 1 else None)


def end_of(snapshot: StudySnapshot, metric: str) -> bool | None:
    """The better end of a metric over all directions, chosen or not.

    Args:
        snapshot: The study.
        metric: The metric's name.

    Returns:
        Whether high is good; None where neither end is, or directions differ.
    """
    ends = {
        metric_scores.better for key in snapshot.scores if (metric_scores := measured(snapshot, key)).name == metric
    }
    return (
        measured(replace(snapshot, measured={}), metric).better if not ends else ends.pop() if len(ends) < 2 else None
    )


def better_in(snapshot: StudySnapshot, measure: CriterionJudgements | str, direction: int | None = None) -> bool | None:
    """The better end of a criterion or a metric.

    Args:
        snapshot: The study.
        measure: The criterion, or a key of the snapshot's scores.
        direction: The place of the direction; None for all of them.

    Returns:
        Whether high is good; None where neither end is, or directions differ.
    """
    measured_as = measured(snapshot, measure) if isinstance(measure, str) else measure
    poles = metric_of(measured_as.name).poles if isinstance(measured_as, DirectedMetric) else measured_as.poles
    place = measured_as.direction if direction is None else direction
    if poles is None or place is None:
        return measured_as.better
    return better_end(poles, snapshot.units.directions[place][1], snapshot.meant)


def of_metric(snapshot: StudySnapshot, metric: str, direction: int | None = None) -> str | None:
    """The key of a metric's scores that hold a direction.

    Args:
        snapshot: The study.
        metric: The metric's name.
        direction: The place of the direction; None for all of them.

    Returns:
        The key; None where the metric was not chosen, or has no scores over all directions.
    """
    if metric in snapshot.scores:
        return metric
    keys = [key for key in snapshot.scores if measured(snapshot, key).name == metric]
    return next((key for key in keys if direction is not None and measured(snapshot, key).direction == direction), None)


def has_metric(snapshot: StudySnapshot, metric: str) -> bool:
    """Whether the study chose a metric, by direction or not."""
    return metric in snapshot.scores or any(measured(snapshot, key).name == metric for key in snapshot.scores)


def fit_together(snapshot: StudySnapshot, key: str, judged: CriterionJudgements) -> bool:
    """Whether a metric may be ranked with others against a criterion: it covers all units that the criterion does."""
    return measured(snapshot, key).direction in (None, judged.direction)


def metric_in(snapshot: StudySnapshot, name: str) -> Any:
    """The metric of a name as the snapshot knows it: an imported one with its better end and version."""
    return snapshot.imported.get(name) or metric_of(name)


def metric_named(key: str) -> Any:
    """The metric of a key, such as "formality (formal to informal)"."""
    return metric_of(key.partition(" (")[0])


def label_of_metric(key: str) -> str:
    """The metric's label, with the direction that the key is of."""
    name, _, direction = key.partition(" (")
    return str(metric_of(name).label) + (f" ({direction}" if direction else "")


def _ends(snapshot: StudySnapshot, poles: Poles | None, usual: bool | None, held: list[int]) -> dict[int, bool | None]:
    return {
        direction: better_end(poles, snapshot.units.directions[direction][1], snapshot.meant, usual)
        for direction in held
    }


def _named(snapshot: StudySnapshot, name: str, direction: int) -> str:
    return f"{name} ({' to '.join(snapshot.units.directions[direction])})"


def _judged(
    snapshot: StudySnapshot, judged: CriterionJudgements, held: list[int], apart: bool
) -> list[CriterionJudgements]:
    ends = _ends(snapshot, judged.poles, judged.better, held)
    directions, competes = snapshot.units.direction[judged.unit], _competes(snapshot)[judged.system]
    of_systems = defaultdict(set)
    for system, place in np.unique(np.column_stack((judged.system, directions))[competes], axis=0).tolist():
        of_systems[system].add(place)
    split = len(held) > 1 and (apart or _differ(map(frozenset, of_systems.values())))
    if split:
        ends = {place: better for place, better in ends.items() if (directions == place).any()}
    if not ends or (not split and len(set(ends.values())) < 2):
        return [judged if judged.poles is None else replace(judged, better=next(iter(ends.values()), None))]
    parts = []
    for place, better in ends.items():
        here = snapshot.units.direction[judged.unit] == place
        changed: dict[str, Any] = {
            name: getattr(judged, name)[here] for name in ("unit", "system", "rater", "value", "text")
        }
        changed |= {"name": _named(snapshot, judged.name, place), "label": _named(snapshot, judged.label, place)}
        parts.append(replace(judged, **changed, better=better, criterion=judged.own_name, direction=place))
    return parts


def _competes(snapshot: StudySnapshot) -> NDArray[np.bool_]:
    return np.array([row.role == "system" for row in snapshot.systems], dtype=bool)


def _measured(snapshot: StudySnapshot, name: str, held: list[int], apart: bool) -> dict[str, DirectedMetric]:
    metric = metric_in(snapshot, name)
    ends = _ends(snapshot, metric.poles, metric.higher_is_better, held)
    scored_in = [
        frozenset(np.unique(snapshot.units.direction[scored.there]).tolist())
        for scored, competes in zip(snapshot.scores[name], _competes(snapshot), strict=True)
        if competes and scored is not None and scored.corpus is not None
    ]
    split = len(held) > 1 and (apart or _differ(scored_in))
    if split:
        ends = {place: better for place, better in ends.items() if any(place in of for of in scored_in)}
    if not ends or (not split and len(set(ends.values())) < 2):
        return {name: DirectedMetric(name, next(iter(ends.values()), metric.higher_is_better))}
    return {_named(snapshot, name, place): DirectedMetric(name, better, place) for place, better in ends.items()}


def _scores(snapshot: StudySnapshot, measure: DirectedMetric) -> list[Scores | None]:
    columns = list(snapshot.scores[measure.name])
    if measure.direction is None:
        return columns
    here = snapshot.units.direction == measure.direction
    return [None if scored is None else narrowed(scored, here) for scored in columns]


def _foils(
    snapshot: StudySnapshot, scores: Mapping[str, Scores], measures: Mapping[str, DirectedMetric]
) -> dict[str, Scores]:
    here = {measure.direction: snapshot.units.direction == measure.direction for measure in measures.values()}
    by_key = {
        key: scores[measure.name]
        if measure.direction is None
        else narrowed(scores[measure.name], here[measure.direction])
        for key, measure in measures.items()
        if measure.name in scores
    }
    return {key: measure for key, measure in by_key.items() if measure is not None}


def narrowed(scored: Scores, where: Any) -> Scores | None:
    """The scores over some of the units.

    Args:
        scored: The scores of a system, by unit (n,).
        where: bool (n,), the units.

    Returns:
        The scores with the corpus score computed over these; None where none of them was scored.
    """
    if scored.corpus is None:
        return scored
    if not scored.sufficient_statistics.shape[-1] or len(scored.sufficient_statistics) != len(where):
        return replace(scored, corpus=None, undefined=WHOLE_ALONE, details={})
    present = scored.there & where
    if not present.any():
        return None
    if (present == scored.there).all():
        return scored
    corpus = float(scored.corpus_of(scored.sufficient_statistics[present].sum(axis=0)))
    return replace(
        scored,
        corpus=corpus if np.isfinite(corpus) else None,
        undefined=scored.undefined if np.isfinite(corpus) else "None of these sentences has a score.",
        details={},
        sentences=np.where(present, scored.sentences, np.nan),
        sufficient_statistics=np.where(present[:, None], scored.sufficient_statistics, 0.0),
        there=present,
    )
