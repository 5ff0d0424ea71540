"""Judged outputs as points: what people and a metric gave each, and how far the two agree."""

from collections.abc import Sequence

import numpy as np

from evaluation.aggregation import Mask, method
from evaluation.correlation.all_pairs import correlate_all
from evaluation.metric_contract import Floats
from evaluation.numerics import Correlation
from evaluation.resampling import Bootstrap
from evaluation.snapshot import CriterionJudgements, Places, StudySnapshot

NOT_JUDGED = "No output of a system was judged."


def points(
    snapshot: StudySnapshot, judged: CriterionJudgements, where: Mask | None = None
) -> tuple[Places, Places, Floats]:
    """The judged outputs (p,) of all systems: system, unit and mean judgement."""
    size = len(snapshot.units.ids)
    inside = np.ones(len(judged.unit), dtype=bool) if where is None else where[judged.unit]
    codes = judged.system[inside] * size + judged.unit[inside]
    times = np.bincount(codes, minlength=1)
    judged_codes = np.flatnonzero(times)
    means: Floats = np.bincount(codes, judged.value[inside], len(times))[judged_codes] / times[judged_codes]
    return judged_codes // max(size, 1), judged_codes % max(size, 1), means


def scores_at(snapshot: StudySnapshot, metric: str, systems: Places, units: Places) -> Floats:
    """The metric's own score of each of these outputs (p,); NaN where it has none."""
    nothing = np.full(len(snapshot.units.ids), np.nan)
    table = np.array([nothing if scored is None else scored.sentences for scored in snapshot.scores[metric]])
    scores: Floats = table[systems, units] if len(units) else np.empty(0)
    return scores


def correlations(
    snapshot: StudySnapshot,
    pairs: Sequence[tuple[str, CriterionJudgements]],
    coefficient: str,
    where: Mask | None = None,
) -> list[Correlation]:
    """Of metrics, each with a criterion, over the judged outputs of some units; the intervals draw the same sources.

    Over all units they are those of the report.
    """
    if where is None:
        return [_reported(snapshot, metric, judged, coefficient) for metric, judged in pairs]
    criteria = {judged.name: judged for _, judged in pairs}
    known = {name: points(snapshot, judged, where) for name, judged in criteria.items()}
    homes = {name: snapshot.units.home[units] for name, (_, units, _) in known.items()}
    bootstrap = Bootstrap(np.concatenate(list(homes.values())), snapshot.draws, snapshot.seed)
    by_pair: dict[tuple[str, str, str], Correlation] = {}
    for name, (systems, units, means) in known.items():
        scores = {key: scores_at(snapshot, key, systems, units) for key, judged in pairs if judged.name == name}
        by_pair |= correlate_all(scores, {name: means}, homes[name], {coefficient: method(coefficient)}, bootstrap)
    return [by_pair[metric, judged.name, coefficient] for metric, judged in pairs]


def _reported(snapshot: StudySnapshot, metric: str, judged: CriterionJudgements, coefficient: str) -> Correlation:
    asked = {"level": "sentence", "metric": metric, "criterion": judged.name, "coefficient": coefficient}
    entry = next(
        (entry_json for entry_json in snapshot.report["correlations"] if asked.items() <= entry_json.items()), None
    )
    if entry is None:
        return Correlation(None, None, None, None, 0, NOT_JUDGED)
    return Correlation(**{key: value for key, value in entry.items() if key not in asked})
