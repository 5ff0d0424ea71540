"""A study's joint scores of systems: products and means of people's judgements on several criteria, or of metrics."""

import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.aggregation import Mask, judgement_sums, mean_of
from evaluation.comparability.better_ends import DIRECTIONS_DIFFER, measured, metric_in, outputs_differ
from evaluation.resampling import SufficientStatistics
from evaluation.snapshot import CriterionJudgements, JointScore, StudySnapshot, is_rank

Floats = NDArray[np.float64]
Column = list[SufficientStatistics | None]
RANGE = re.compile(r"(?:.*, )?(-?[\d.]+)(?: \([^)]*\))? to (-?[\d.]+)(?: \([^)]*\))?")
JOIN: dict[str, Callable[..., Floats]] = {"product": np.prod, "mean": np.mean}


def why_undefined(snapshot: StudySnapshot, joint: JointScore) -> str:
    """Why a joint score is not defined in this study; "" where it is."""
    if snapshot.variant == "z":
        return "Judgements that are standardized by rater have no worst and no best."
    if outputs_differ(snapshot):
        return DIRECTIONS_DIFFER
    for name in joint.of:
        parts = parts_of(snapshot, name)
        if name in snapshot.unordered:
            return f"The levels of '{name}' have no order."
        if not parts:
            why = _why_no_metric(snapshot, name)
            if why:
                return why
            continue
        if is_rank(name) or any(part.highest <= part.lowest for part in parts):
            return f"'{name}' is on no scale from a worst to a best."
        if any(part.better is None for part in parts):
            return f"Neither end of '{name}' is the better one."
    return ""


def parts_of(snapshot: StudySnapshot, criterion: str) -> list[CriterionJudgements]:
    """A criterion's judgements, those of each direction where its better end differs."""
    return [judged for judged in snapshot.judgements[snapshot.variant].values() if judged.own_name == criterion]


def _why_no_metric(snapshot: StudySnapshot, name: str) -> str:
    keys = metric_keys(snapshot, name)
    if not keys:
        return f"Nobody judged '{name}', and no metric of that name was chosen."
    if range_of(snapshot, name) is None:
        return f"'{name}' is on no scale from a worst to a best: {metric_in(snapshot, name).unit}."
    if any(measured(snapshot, key).better is None for key in keys):
        return f"Neither end of '{name}' is the better one."
    return ""


def metric_keys(snapshot: StudySnapshot, name: str) -> list[str]:
    """The keys of a metric's scores, those of each direction where its better end differs."""
    return [key for key in snapshot.scores if measured(snapshot, key).name == name]


def range_of(snapshot: StudySnapshot, name: str) -> tuple[float, float] | None:
    """The lowest and the highest score of a metric, as its unit says; None where it says no two numbers."""
    found = RANGE.fullmatch(metric_in(snapshot, name).unit)
    return None if found is None else (float(found[1]), float(found[2]))


def joint_sums(snapshot: StudySnapshot, joint: JointScore, where: Mask | None = None) -> Column:
    """The sums that each system's joint score is computed from.

    Args:
        snapshot: The study.
        joint: The score, which is defined.
        where: bool (n_units,), the units; None for all.

    Returns:
        One for each system, in their order; None where it was not judged on all of the criteria.
    """
    return (_by_sentence if joint.over == "by sentence" else _of_means)(snapshot, joint, where)


def judged_on_all(snapshot: StudySnapshot, joint: JointScore) -> Mask:
    """The outputs, (n_systems, n_units), that were judged on every criterion; a unit stands for its source's others."""
    joined: Floats = JOIN[joint.how](_values(snapshot, joint, None), axis=0)
    judged = np.zeros(joined.shape, dtype=bool)
    systems, units = np.nonzero(np.isfinite(joined))
    judged[systems, snapshot.units.home[units]] = True
    return judged[:, snapshot.units.home]


def _values(snapshot: StudySnapshot, joint: JointScore, where: Mask | None) -> Floats:
    """The mean of each output's judgements from 0 to 1, (n_criteria, n_systems, n_units); NaN where there are none."""
    shape = len(snapshot.systems), len(snapshot.units.ids)
    sums, counts = np.zeros((len(joint.of), *shape)), np.zeros((len(joint.of), *shape))
    for place, name in enumerate(joint.of):
        for judged in parts_of(snapshot, name):
            inside = np.ones(len(judged.unit), dtype=bool) if where is None else where[judged.unit]
            at = judged.system[inside], judged.unit[inside]
            np.add.at(sums[place], at, _from_0_to_1(judged, judged.value[inside]))
            np.add.at(counts[place], at, 1)
        for key in [] if parts_of(snapshot, name) else metric_keys(snapshot, name):
            scores = _scores(snapshot, key, where)
            sums[place] += np.nan_to_num(scores)
            counts[place] += np.isfinite(scores)
    means: Floats = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    return means


def _scores(snapshot: StudySnapshot, key: str, where: Mask | None) -> Floats:
    """A metric's scores from 0 to 1, (n_systems, n_units); NaN where there is none."""
    low, high = range_of(snapshot, measured(snapshot, key).name) or (0.0, 1.0)
    worst, best = (low, high) if measured(snapshot, key).better else (high, low)
    values = np.full((len(snapshot.systems), len(snapshot.units.ids)), np.nan)
    for place, scored in enumerate(snapshot.scores[key]):
        if scored is not None and len(scored.sentences):
            values[place] = (scored.sentences - worst) / (best - worst)
    return values if where is None else np.where(where, values, np.nan)


def _by_sentence(snapshot: StudySnapshot, joint: JointScore, where: Mask | None) -> Column:
    return _column_of(snapshot, JOIN[joint.how](_values(snapshot, joint, where), axis=0))


def _column_of(snapshot: StudySnapshot, table: Floats) -> Column:
    """The sums of the mean of each system's values, (n_systems, n_units) with NaN where there is none."""
    column: Column = []
    for values in table:
        units = np.flatnonzero(np.isfinite(values))
        rows = np.column_stack((values[units], np.ones(len(units))))
        column.append(SufficientStatistics(snapshot.units.home[units], rows, mean_of) if len(units) else None)
    return column


def _of_means(snapshot: StudySnapshot, joint: JointScore, where: Mask | None) -> Column:
    criteria = [
        [_scaled(judged, judgement_sums(snapshot, judged, where)) for judged in parts_of(snapshot, name)]
        or [_column_of(snapshot, _scores(snapshot, key, where)) for key in metric_keys(snapshot, name)]
        for name in joint.of
    ]
    column: Column = []
    for place in range(len(snapshot.systems)):
        found = [[sums for part in parts if (sums := part[place]) is not None] for parts in criteria]
        column.append(_together(found, joint) if all(found) else None)
    return column


def _together(criteria: Sequence[Sequence[SufficientStatistics]], joint: JointScore) -> SufficientStatistics:
    """One number of several: the sums of each criterion stand in two columns of their own."""
    blocks, groups = [], []
    for place, parts in enumerate(criteria):
        for sums in parts:
            rows = np.zeros((len(sums.rows), 2 * len(criteria)))
            rows[:, 2 * place : 2 * place + 2] = sums.rows
            blocks.append(rows)
            groups.append(sums.groups)

    def value_of(sums: Floats) -> Floats:
        pairs = sums.reshape((*sums.shape[:-1], len(criteria), 2))
        return np.asarray(JOIN[joint.how](mean_of(pairs), axis=-1))

    return SufficientStatistics(np.concatenate(groups), np.vstack(blocks), value_of)


def _scaled(judged: CriterionJudgements, column: Column) -> Column:
    """Means from 0 to 1: the scale's worst is subtracted from the sums as often as there are values."""
    return [
        None
        if sums is None
        else SufficientStatistics(
            sums.groups,
            np.column_stack((_from_0_to_1(judged, sums.rows[:, 0], sums.rows[:, 1]), sums.rows[:, 1])),
            mean_of,
        )
        for sums in column
    ]


def _from_0_to_1(judged: CriterionJudgements, sums: Floats, counts: Floats | float = 1.0) -> Floats:
    worst, best = (judged.lowest, judged.highest) if judged.better else (judged.highest, judged.lowest)
    return np.asarray((sums - worst * counts) / (best - worst))
