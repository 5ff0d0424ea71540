"""The criteria and metrics of a study that stand for an aspect, and their labels."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evaluation.aggregation import Mask, method
from evaluation.comparability.better_ends import has_metric, label_of_metric, measured, metric_named, of_metric
from evaluation.correlation import correlate_all
from evaluation.metric_contract import Floats
from evaluation.numerics import Correlation
from evaluation.resampling import Bootstrap
from evaluation.snapshot import CriterionJudgements, Places, StudySnapshot

STANDS: Mapping[str, Sequence[str]] = {
    "style": ("formality", "style_accuracy", "transfer_strength"),
    "fluency": ("grammaticality", "perplexity_lm", "perplexity_ngram"),
    "meaning": ("semantic_similarity", "content_preservation", "hit"),
    "simplicity": ("sari", "readability", "fkgl"),
}
"""The metrics that stand for an aspect, the most fitting first; after them any other that says it is of this aspect."""


def criterion_of(
    snapshot: StudySnapshot, aspect: str, *scales: str, direction: int | None
) -> CriterionJudgements | None:
    """The criterion that stands for an aspect: the first on one of these scales, else the first of all; no ranks.

    A criterion that stands for one direction alone is found with its `direction`.
    """
    fitting = [
        judgements for judgements in criteria_of(snapshot, aspect, *scales) if judgements.direction in (None, direction)
    ]
    return next(iter(fitting), None)


def criteria_of(snapshot: StudySnapshot, aspect: str, *scales: str) -> list[CriterionJudgements]:
    """The criterion of an aspect, once for each direction where it stands for each by itself."""
    here = [
        judgements
        for judgements in snapshot.judgements[snapshot.variant].values()
        if judgements.aspect == aspect and not judgements.is_rank
    ]
    fitting = [judgements for scale in scales for judgements in here if judgements.scale == scale]
    first = next(iter([*fitting, *here]), None)
    return [] if first is None else [judgements for judgements in here if judgements.own_name == first.own_name]


def rankings_of(snapshot: StudySnapshot, direction: int | None = None) -> list[CriterionJudgements]:
    """The places that people gave the systems among one another: several where rankings are apart.

    With a `direction` those that hold it.
    """
    rankings = [judged for judged in snapshot.judgements[snapshot.variant].values() if judged.is_rank]
    return [judged for judged in rankings if direction is None or judged.direction in (None, direction)]


def metric_of(snapshot: StudySnapshot, *names: str, direction: int | None) -> str | None:
    """The key of the first of these metrics that was chosen; of one that stands by direction, that of `direction`."""
    keys = (of_metric(snapshot, name, direction) for name in names if has_metric(snapshot, name))
    return next((key for key in keys if key), None)


def metric_for(snapshot: StudySnapshot, aspect: str, direction: int | None) -> str | None:
    """The chosen metric that stands for an aspect."""
    others = [measured(snapshot, key).name for key in snapshot.scores if metric_named(key).aspect == aspect]
    return metric_of(snapshot, *STANDS.get(aspect, ()), *others, direction=direction)


def has_metric_for(snapshot: StudySnapshot, aspect: str) -> bool:
    """Whether some chosen metric stands for an aspect, in whatever direction."""
    stands = STANDS.get(aspect, ())
    return any(measured(snapshot, key).name in stands or metric_named(key).aspect == aspect for key in snapshot.scores)


def plain_label(judged: CriterionJudgements) -> str:
    """A criterion's label without the direction, which stands beside it."""
    return judged.label if judged.direction is None else judged.label.rpartition(" (")[0]


def plain_metric_label(snapshot: StudySnapshot, key: str) -> str:
    """A metric's label without the direction, which stands beside it."""
    label = label_of_metric(measured(snapshot, key).name)
    judged = {plain_label(judgements).lower() for judgements in snapshot.judgements[snapshot.variant].values()}
    return f"{label}, metric" if label.lower() in judged else label


def metric_label(snapshot: StudySnapshot, name: str) -> str:
    """A metric's label beside criteria: it says that it is a metric's where one of them has the same (Formality)."""
    label = label_of_metric(name)
    judged = {judgements.label.lower() for judgements in snapshot.judgements[snapshot.variant].values()}
    return f"{label}, metric" if label.lower() in judged else label


def places_of(snapshot: StudySnapshot, *roles: str) -> list[int]:
    """The places of the systems of these roles, role by role: "source", "reference", "system"."""
    return [place for role in roles for place, row in enumerate(snapshot.systems) if row.role == role]


# Whether a metric is one of those that are shown to agree best with people: these alone stand out.


def agrees_best(row: Mapping[str, Any]) -> bool:
    """Whether a ranking's row is of the first group and its interval above zero."""
    return row["group"] == 1 and row["low"] is not None and row["low"] > 0


# Whether a degenerate baseline fools a metric: where its score would put it among the systems, as the report says.

FOOLED = 0.5  # a baseline that stands above half of the systems or more


def share_below(placing: Mapping[str, Any]) -> float | None:
    """The share of the systems above which a degenerate baseline would stand, 0 to 1."""
    if placing["place"] is None:
        return None
    return float((placing["of"] - placing["place"]) / (placing["of"] - 1))


def is_fooled(placing: Mapping[str, Any]) -> bool:
    """Whether a metric puts a degenerate baseline above half of the systems or more."""
    share = share_below(placing)
    return share is not None and share >= FOOLED


# Judged outputs as points: people's and a metric's values of each, and the agreement of the two.

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
    """Correlations of metrics, each with a criterion, over the judged outputs of some units.

    The intervals draw the same sources. Over all units the correlations are those of the report.
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
