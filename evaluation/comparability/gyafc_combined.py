"""GYAFC's Combined column: style, fluency and meaning as one number, for people and for metrics (its Table 4)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.aggregation import Mask, judgement_sums, mean_of, score_sums
from evaluation.comparability.better_ends import measured
from evaluation.metrics import METRICS
from evaluation.resampling import SufficientStatistics
from evaluation.snapshot import CriterionJudgements, StudySnapshot

Floats = NDArray[np.float64]
SCALES = {"style": "formality_7", "fluency": "fluency_5", "meaning": "meaning_6"}
METRICS_OF = {"style": "formality", "fluency": "grammaticality", "meaning": "semantic_similarity"}
PART = 2  # sums of each of the three: of values, and their number
WIDTH = 4  # steps of H14's scale, 0 (other) to 4 (perfect), and of GYAFC's people, 1 (other) to 5
UNKNOWN = "It is not known on which scale grammaticality was learnt: run the metrics again."
OTHER_SCALE = (
    "Grammaticality was learnt on a scale from {low:g} to {high:g}: the metrics' Combined is defined for 0 to 4, as "
    "H14's, and for 1 to 5."
)


def combined(style: Floats, fluency: Floats, meaning: Floats) -> Floats:
    """GYAFC's Combined (Rao and Tetreault 2018, section 6): formality/3 + fluency/2 + 2 x meaning/5 + 1.5.

    It weighs the three alike. Formality is that which the direction goes to: from formal to informal it counts with its
    sign turned round.

    Args:
        style: Formality (...), from -3 to 3.
        fluency: Fluency (...), of people from 1 to 5, of the metric from 0 to 4 as H14's.
        meaning: Meaning (...), of people from 1 to 6, of the metric from 0 to 5.

    Returns:
        The Combined, (...).
    """
    return np.asarray(style / 3 + fluency / 2 + 2 * meaning / 5 + 1.5)


def criteria_of(snapshot: StudySnapshot) -> list[list[CriterionJudgements]]:
    """The study's criteria of the three aspects on GYAFC's scales, by direction where they are; [] unless it has all
    three, and each has a better end."""
    judged = [
        judgements
        for judgements in snapshot.judgements[snapshot.variant].values()
        if SCALES.get(judgements.aspect) == judgements.scale
    ]
    first = {judgements.aspect: judgements.own_name for judgements in reversed(judged)}
    criteria = [[judgements for judgements in judged if judgements.own_name == first.get(aspect)] for aspect in SCALES]
    known = all(of and all(judgements.better is not None for judgements in of) for of in criteria)
    return criteria if known and snapshot.variant != "z" else []


def metrics_of(snapshot: StudySnapshot) -> list[list[str]]:
    """The chosen metrics that stand for the three on their scales, by direction where they are; [] unless all are."""
    names = METRICS_OF.values()
    keys_of = [[key for key in snapshot.scores if measured(snapshot, key).name == name] for name in names]
    known = all(of and all(measured(snapshot, key).better is not None for key in of) for of in keys_of)
    return keys_of if known else []


def by_people(snapshot: StudySnapshot, where: Mask | None = None) -> list[SufficientStatistics | None]:
    """The sums that each system's Combined of people is computed from.

    Args:
        snapshot: The study.
        where: bool (n_units,), the units; None for all.

    Returns:
        One for each system, in their order, None where a part is lacking; [] where the study has not all three parts.
    """
    parts = [
        _together([(judged.better is not False, judgement_sums(snapshot, judged, where)) for judged in of])
        for of in criteria_of(snapshot)
    ]
    return [_joined(of) for of in zip(*parts, strict=True)] if parts else []


def why_undefined(snapshot: StudySnapshot) -> str:
    """Why the metrics' Combined is not defined though its three metrics are chosen; "" where it is."""
    keys = [key for key in snapshot.scores if measured(snapshot, key).name == METRICS_OF["fluency"]]
    scored = [of for key in keys for of in snapshot.scores[key] if of is not None and of.corpus is not None]
    for of in scored:
        low, high = of.details.get("lowest"), of.details.get("highest")
        if low is None or high is None:
            return UNKNOWN
        if high - low != WIDTH or low not in (0, 1):
            return OTHER_SCALE.format(low=low, high=high)
    return ""


def by_metrics(snapshot: StudySnapshot, where: Mask | None = None) -> list[SufficientStatistics | None]:
    """The same of metrics, each the mean over its sentences; grammaticality that was learnt on 1 to 5 counts from 0."""
    if why_undefined(snapshot):
        return []
    parts = [
        _together([(measured(snapshot, key).better is not False, _from_zero(snapshot, key, where)) for key in of])
        for of in metrics_of(snapshot)
    ]
    means = all(METRICS[name].corpus_of(np.array([3.0, 2.0])) == 1.5 for name in METRICS_OF.values())
    return [_joined(of) for of in zip(*parts, strict=True)] if parts and means else []


def _from_zero(snapshot: StudySnapshot, key: str, where: Mask | None) -> list[SufficientStatistics | None]:
    """The sums of a metric; of grammaticality each value less the lowest of the scale on which it was learnt."""
    sums = score_sums(snapshot, key, where)
    if measured(snapshot, key).name != METRICS_OF["fluency"]:
        return list(sums)
    lowest = [0.0 if of is None else of.details.get("lowest", 0.0) for of in snapshot.scores[key]]
    return [
        of
        if of is None or not low
        else SufficientStatistics(of.groups, of.rows - np.array([low, 0.0]) * of.rows[:, 1:], of.value_of)
        for of, low in zip(sums, lowest, strict=True)
    ]


def _together(
    columns: Sequence[tuple[bool, Sequence[SufficientStatistics | None]]],
) -> list[SufficientStatistics | None]:
    """Each system's sums over all directions; where low is good the values are turned round, about 0."""
    turned = [[_turned(sums, high) for sums in of] for high, of in columns]
    return [_all(of) for of in zip(*turned, strict=True)]


def _turned(sums: SufficientStatistics | None, high_is_good: bool) -> SufficientStatistics | None:
    return (
        sums
        if sums is None or high_is_good
        else SufficientStatistics(sums.groups, sums.rows * np.array([-1.0, 1.0]), sums.value_of)
    )


def _all(of: Sequence[SufficientStatistics | None]) -> SufficientStatistics | None:
    known = [sums for sums in of if sums is not None]
    if len(known) < 2:
        return known[0] if known else None
    groups, rows = (np.concatenate([getattr(sums, part) for sums in known]) for part in ("groups", "rows"))
    return SufficientStatistics(groups, rows, known[0].value_of)


def _joined(parts: Sequence[SufficientStatistics | None]) -> SufficientStatistics | None:
    """One number of three: the sums of each stand in columns of their own."""
    known = [part for part in parts if part is not None]
    if len(known) < len(SCALES):
        return None
    rows = np.zeros((sum(len(sums.rows) for sums in known), PART * len(known)))
    start = 0
    for place, sums in enumerate(known):
        rows[start : start + len(sums.rows), PART * place : PART * (place + 1)] = sums.rows
        start += len(sums.rows)
    return SufficientStatistics(np.concatenate([sums.groups for sums in known]), rows, _whole)


def _whole(sums: Floats) -> Floats:
    return combined(*(mean_of(sums[..., PART * place : PART * (place + 1)]) for place in range(len(SCALES))))
