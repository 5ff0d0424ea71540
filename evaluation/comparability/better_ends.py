"""Criteria and metrics of a record, each with its better end: those with poles once for each direction of a study.

The better end of a measure with poles is the style of the direction (`foundation.polarity`). A study with both
directions so has "formality (informal to formal)" over the units of the one and "formality (formal to informal)" over
those of the other, each with its own better end; a measure without poles is about all units together.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from evaluation.metrics import METRICS
from evaluation.snapshot.judgements import CriterionJudgements
from evaluation.snapshot.study import StudySnapshot
from evaluation.snapshot.systems import DirectedMetric, ScoredOutputs
from foundation.polarity import Poles, better_end

WHOLE_ALONE = "Of these texts the score of all together is kept, and of no part of them by itself."
Ends = Mapping[int, bool | None]


def by_direction(record: StudySnapshot) -> StudySnapshot:
    """The record with every measure that has poles by direction, where better ends differ; all have their end."""
    held = held_directions(record)
    judgements = {
        variant: {made.name: made for one in found.values() for made in _judged(record, one, held)}
        for variant, found in record.judgements.items()
    }
    made = {key: one for name in record.scores for key, one in _measured(record, name, held).items()}
    return replace(
        record,
        judgements=judgements,
        measured=made,
        scores={key: _scores(record, one) for key, one in made.items()},
        foils={name: _foils(record, found, made) for name, found in record.foils.items()},
    )


def held_directions(record: StudySnapshot) -> list[int]:
    """The places of the directions in which some system has an output; of a study without outputs those of units."""
    there = np.zeros(len(record.units.ids), dtype=bool)
    for row in record.systems:
        there |= np.array([bool(text) for text in row.outputs], dtype=bool)
    used = record.units.direction[there] if there.any() else record.units.direction
    return [int(place) for place in np.unique(used)]


def measured(record: StudySnapshot, key: str) -> DirectedMetric:
    """Which metric a key of the record's scores is, of which direction, and its better end there."""
    metric = metric_named(key)
    if metric.poles is None:
        return DirectedMetric(key, metric.higher_is_better)
    if key in record.measured:
        return record.measured[key]
    ends = set(_ends(record, metric.poles, metric.higher_is_better, held_directions(record)).values())
    return DirectedMetric(key, ends.pop() if len(ends) == 1 else None)


def end_of(record: StudySnapshot, metric: str) -> bool | None:
    """The better end of a metric over all directions, chosen or not."""
    ends = {one.better for key in record.scores if (one := measured(record, key)).name == metric}
    return measured(replace(record, measured={}), metric).better if not ends else ends.pop() if len(ends) < 2 else None


def better_in(record: StudySnapshot, measure: CriterionJudgements | str, direction: int | None = None) -> bool | None:
    """The better end of a criterion or of a key of the scores, over one direction or all; None where neither is.

    Over all directions neither end is, where they differ.
    """
    one = measured(record, measure) if isinstance(measure, str) else measure
    poles = METRICS[one.name].poles if isinstance(one, DirectedMetric) else one.poles
    place = one.direction if direction is None else direction
    if poles is None or place is None:
        return one.better
    return better_end(poles, record.units.directions[place][1], record.meant)


def of_metric(record: StudySnapshot, metric: str, direction: int | None = None) -> str | None:
    """The key of a metric's scores that hold a direction; over all directions only where they are kept together."""
    if metric in record.scores:
        return metric
    found = [key for key in record.scores if measured(record, key).name == metric]
    return next((key for key in found if direction is not None and measured(record, key).direction == direction), None)


def has_metric(record: StudySnapshot, metric: str) -> bool:
    """Whether the study chose a metric, by direction or not."""
    return metric in record.scores or any(measured(record, key).name == metric for key in record.scores)


def fit_together(record: StudySnapshot, key: str, judged: CriterionJudgements) -> bool:
    """Whether a metric may stand in one ranking with others against a criterion: it covers all that this does."""
    return measured(record, key).direction in (None, judged.direction)


def metric_named(key: str) -> Any:
    """The metric of a key, such as "formality (formal to informal)"."""
    return METRICS[key.partition(" (")[0]]


def label_of_metric(key: str) -> str:
    """The metric's label, with the direction that the key is of."""
    name, _, direction = key.partition(" (")
    return METRICS[name].label + (f" ({direction}" if direction else "")


def _ends(record: StudySnapshot, poles: Poles | None, usual: bool | None, held: list[int]) -> dict[int, bool | None]:
    return {one: better_end(poles, record.units.directions[one][1], record.meant, usual) for one in held}


def _named(record: StudySnapshot, name: str, direction: int) -> str:
    return f"{name} ({' to '.join(record.units.directions[direction])})"


def _judged(record: StudySnapshot, one: CriterionJudgements, held: list[int]) -> list[CriterionJudgements]:
    ends = _ends(record, one.poles, one.better, held)
    if one.poles is None or len(set(ends.values())) < 2:
        return [one if one.poles is None else replace(one, better=next(iter(ends.values()), None))]
    made = []
    for place, better in ends.items():
        here = record.units.direction[one.unit] == place
        changed: dict[str, Any] = {
            name: getattr(one, name)[here] for name in ("unit", "system", "rater", "value", "text")
        }
        changed |= {"name": _named(record, one.name, place), "label": _named(record, one.label, place)}
        made.append(replace(one, **changed, better=better, criterion=one.own_name, direction=place))
    return made


def _measured(record: StudySnapshot, name: str, held: list[int]) -> dict[str, DirectedMetric]:
    metric = METRICS[name]
    ends = _ends(record, metric.poles, metric.higher_is_better, held)
    if metric.poles is None or len(set(ends.values())) < 2:
        return {name: DirectedMetric(name, next(iter(ends.values()), metric.higher_is_better))}
    return {_named(record, name, place): DirectedMetric(name, better, place) for place, better in ends.items()}


def _scores(record: StudySnapshot, one: DirectedMetric) -> list[ScoredOutputs | None]:
    found = list(record.scores[one.name])
    if one.direction is None:
        return found
    here = record.units.direction == one.direction
    return [None if scored is None else narrowed(scored, here) for scored in found]


def _foils(
    record: StudySnapshot, found: Mapping[str, ScoredOutputs], made: Mapping[str, DirectedMetric]
) -> dict[str, ScoredOutputs]:
    here = {one.direction: record.units.direction == one.direction for one in made.values()}
    kept = {
        key: found[one.name] if one.direction is None else narrowed(found[one.name], here[one.direction])
        for key, one in made.items()
        if one.name in found
    }
    return {key: one for key, one in kept.items() if one is not None}


def narrowed(scored: ScoredOutputs, where: Any) -> ScoredOutputs | None:
    """The scores over some of the units; None where none of those was scored."""
    if scored.corpus is None:
        return scored
    if not scored.rows.shape[-1] or len(scored.rows) != len(where):
        return replace(scored, corpus=None, undefined=WHOLE_ALONE, details={})
    there = scored.there & where
    if not there.any():
        return None
    if (there == scored.there).all():
        return scored
    corpus = float(scored.corpus_of(scored.rows[there].sum(axis=0)))
    return replace(
        scored,
        corpus=corpus if np.isfinite(corpus) else None,
        undefined=scored.undefined if np.isfinite(corpus) else "None of these sentences has a score.",
        details={},
        sentences=np.where(there, scored.sentences, np.nan),
        rows=np.where(there[:, None], scored.rows, 0.0),
        there=there,
    )
