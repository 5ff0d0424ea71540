"""GYAFC's Combined column: style, fluency and meaning as one number, for people and for metrics (its Table 4)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.aggregation.system_sums import Mask, judgement_sums, mean_of, score_sums
from evaluation.comparability.better_ends import measured
from evaluation.metrics import METRICS
from evaluation.resampling.sufficient_statistics import SufficientStatistics
from evaluation.snapshot.judgements import CriterionJudgements
from evaluation.snapshot.study import StudySnapshot

Floats = NDArray[np.float64]
SCALES = {"style": "formality_7", "fluency": "fluency_5", "meaning": "meaning_6"}
METRICS_OF = {"style": "formality", "fluency": "grammaticality", "meaning": "semantic_similarity"}
PART = 2  # sums of each of the three: of values, and their number


def combined(style: Floats, fluency: Floats, meaning: Floats) -> Floats:
    """formality/3 + fluency/2 + 2 x meaning/5 + 1.5, which weighs the three alike (Rao and Tetreault 2018, section 6).

    Formality is that which the direction goes to: from formal to informal it counts with its sign turned round.
    Formality from -3 to 3, fluency from 1 to 5 and meaning from 1 to 6; the metrics from -3 to 3, 0 to 4 and 0 to 5.
    """
    return np.asarray(style / 3 + fluency / 2 + 2 * meaning / 5 + 1.5)


def criteria_of(snapshot: StudySnapshot) -> list[list[CriterionJudgements]]:
    """The study's criteria of the three aspects on GYAFC's scales, by direction where they are; [] unless it has all
    three, and each has a better end."""
    judged = [one for one in snapshot.judgements[snapshot.variant].values() if SCALES.get(one.aspect) == one.scale]
    first = {one.aspect: one.own_name for one in reversed(judged)}
    found = [[one for one in judged if one.own_name == first.get(aspect)] for aspect in SCALES]
    known = all(of and all(one.better is not None for one in of) for of in found)
    return found if known and snapshot.variant != "z" else []


def metrics_of(snapshot: StudySnapshot) -> list[list[str]]:
    """The chosen metrics that stand for the three on their scales, by direction where they are; [] unless all are."""
    names = METRICS_OF.values()
    found = [[key for key in snapshot.scores if measured(snapshot, key).name == name] for name in names]
    known = all(of and all(measured(snapshot, key).better is not None for key in of) for of in found)
    return found if known else []


def by_people(snapshot: StudySnapshot, where: Mask | None = None) -> list[SufficientStatistics | None]:
    """Of each system what its Combined is made of, over these units or all; None where a part is lacking."""
    parts = [
        _together([(one.better is not False, judgement_sums(snapshot, one, where)) for one in of])
        for of in criteria_of(snapshot)
    ]
    return [_joined(of) for of in zip(*parts, strict=True)] if parts else []


def by_metrics(snapshot: StudySnapshot, where: Mask | None = None) -> list[SufficientStatistics | None]:
    """The same of metrics, each the mean over its sentences."""
    parts = [
        _together([(measured(snapshot, key).better is not False, score_sums(snapshot, key, where)) for key in of])
        for of in metrics_of(snapshot)
    ]
    means = all(METRICS[name].corpus_of(np.array([3.0, 2.0])) == 1.5 for name in METRICS_OF.values())
    return [_joined(of) for of in zip(*parts, strict=True)] if parts and means else []


def _together(found: Sequence[tuple[bool, Sequence[SufficientStatistics | None]]]) -> list[SufficientStatistics | None]:
    """Of each system the sums of all directions; of one in which low is good with values turned round, about 0."""
    turned = [[_turned(one, high) for one in of] for high, of in found]
    return [_all(of) for of in zip(*turned, strict=True)]


def _turned(one: SufficientStatistics | None, high_is_good: bool) -> SufficientStatistics | None:
    return (
        one
        if one is None or high_is_good
        else SufficientStatistics(one.groups, one.rows * np.array([-1.0, 1.0]), one.value_of)
    )


def _all(of: Sequence[SufficientStatistics | None]) -> SufficientStatistics | None:
    known = [one for one in of if one is not None]
    if len(known) < 2:
        return known[0] if known else None
    groups, rows = (np.concatenate([getattr(one, part) for one in known]) for part in ("groups", "rows"))
    return SufficientStatistics(groups, rows, known[0].value_of)


def _joined(parts: Sequence[SufficientStatistics | None]) -> SufficientStatistics | None:
    """One number of three: the sums of each stand in columns of their own."""
    known = [part for part in parts if part is not None]
    if len(known) < len(SCALES):
        return None
    rows = np.zeros((sum(len(one.rows) for one in known), PART * len(known)))
    start = 0
    for place, one in enumerate(known):
        rows[start : start + len(one.rows), PART * place : PART * (place + 1)] = one.rows
        start += len(one.rows)
    return SufficientStatistics(np.concatenate([one.groups for one in known]), rows, _whole)


def _whole(sums: Floats) -> Floats:
    return combined(*(mean_of(sums[..., PART * place : PART * (place + 1)]) for place in range(len(SCALES))))
