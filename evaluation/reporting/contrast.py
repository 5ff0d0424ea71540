"""The contrast set in a report: how often each metric prefers a good text to the same text harmed."""

from collections.abc import Mapping
from typing import Any

from evaluation.comparability.better_ends import measured
from evaluation.comparability.system_ranking import round_for_ranking
from evaluation.contrast_set import FAMILIES, UNHARMED
from evaluation.numerics import wilson
from evaluation.snapshot import DirectedMetric, StudySnapshot

Json = dict[str, Any]
ELSEWHERE = "It was not computed for the contrast set."
NO_END = "Neither end of this metric is the better one."
NO_SCORE = "The metric has no score of such texts."


def contrast(snapshot: StudySnapshot) -> Json:
    """The families, and for each metric and family the share of the sources whose unharmed text scores better.

    `tied` is the share of those whose two texts score alike, which are not counted as better; `n` counts the sources.
    The interval is Wilson's of 95%: each source gives one pair of texts.
    """
    if not snapshot.contrast:
        return {"families": [], "metrics": {}}
    families = [{"name": name, "label": one.label, "about": one.about} for name, one in FAMILIES.items()]
    return {
        "families": families,
        "metrics": {key: _of_metric(snapshot, measured(snapshot, key)) for key in snapshot.scores},
    }


def _of_metric(snapshot: StudySnapshot, metric: DirectedMetric) -> dict[str, Json]:
    scored = snapshot.contrast.get(metric.name)
    if scored is None or scored.undefined:
        why = ELSEWHERE if scored is None else scored.undefined
    else:
        why = "" if metric.better is not None else NO_END
    if why or scored is None:
        return {name: _none(why) for name in FAMILIES}
    inside = {
        unit
        for unit, direction in zip(snapshot.units.ids, snapshot.units.direction.tolist(), strict=True)
        if metric.direction in (None, direction)
    }
    columns = (scored.details[name] for name in ("units", "families", "scores"))
    scores: dict[str, dict[int, float | None]] = {name: {} for name in (UNHARMED, *FAMILIES)}
    for unit, family, score in zip(*columns, strict=True):
        if unit in inside:
            scores[family][unit] = score
    return {name: _of_family(scores[UNHARMED], scores[name], metric.better is True, name) for name in FAMILIES}


def _of_family(good: Mapping[int, float | None], harmed: Mapping[int, float | None], high: bool, family: str) -> Json:
    """An imported study may lack units of the set; a text without a score is in no pair."""
    if not harmed:
        return _none(FAMILIES[family].lacking)
    scores = [(good.get(unit), score) for unit, score in harmed.items()]
    pairs = [tuple(map(round_for_ranking, pair)) for pair in scores if None not in pair]  # type: ignore[arg-type]
    if not pairs:
        return _none(NO_SCORE)
    n = len(pairs)
    share = sum((one > other) if high else (one < other) for one, other in pairs) / n
    low, high_end = wilson(share, n)
    tied = sum(one == other for one, other in pairs) / n
    return {"share": share, "low": low, "high": high_end, "tied": tied, "n": n, "undefined": ""}


def _none(why: str) -> Json:
    return {"share": None, "low": None, "high": None, "tied": None, "n": 0, "undefined": why}
