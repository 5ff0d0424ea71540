"""The criteria and metrics of a study that stand for an aspect, and their labels."""

from collections.abc import Mapping, Sequence

from evaluation.comparability.better_ends import has_metric, label_of_metric, measured, metric_named, of_metric
from evaluation.metrics import METRICS
from evaluation.snapshot import RANK, CriterionJudgements, StudySnapshot

STANDS: Mapping[str, Sequence[str]] = {
    "style": ("formality", "style_accuracy", "transfer_strength"),
    "fluency": ("grammaticality", "perplexity_lm", "perplexity_ngram"),
    "meaning": ("semantic_similarity", "content_preservation", "hit"),
    "simplicity": ("sari", "readability", "fkgl"),
}
"""The metrics that stand for an aspect, the most fitting first; after them any other that says it is of this aspect."""


def criterion_of(
    snapshot: StudySnapshot, aspect: str, *scales: str, direction: int | None = None
) -> CriterionJudgements | None:
    """The criterion that stands for an aspect: the first on one of these scales, else the first of all; no ranks.

    What stands for each direction by itself is found with its `direction`.
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
        if judgements.aspect == aspect and judgements.name != RANK
    ]
    fitting = [judgements for scale in scales for judgements in here if judgements.scale == scale]
    first = next(iter([*fitting, *here]), None)
    return [] if first is None else [judgements for judgements in here if judgements.own_name == first.own_name]


def ranks_of(snapshot: StudySnapshot) -> CriterionJudgements | None:
    """The places that people gave the systems among one another."""
    return snapshot.judgements[snapshot.variant].get(RANK)


def metric_of(snapshot: StudySnapshot, *names: str, direction: int | None = None) -> str | None:
    """The key of the first of these metrics that was chosen; of one that stands by direction, that of `direction`."""
    keys = (of_metric(snapshot, name, direction) for name in names if has_metric(snapshot, name))
    return next((key for key in keys if key), None)


def metric_for(snapshot: StudySnapshot, aspect: str, direction: int | None = None) -> str | None:
    """The chosen metric that stands for an aspect."""
    others = [measured(snapshot, key).name for key in snapshot.scores if metric_named(key).aspect == aspect]
    return metric_of(snapshot, *STANDS.get(aspect, ()), *others, direction=direction)


def has_metric_for(snapshot: StudySnapshot, aspect: str) -> bool:
    """Whether some chosen metric stands for an aspect, in whatever direction."""
    stands = STANDS.get(aspect, ())
    return any(measured(snapshot, key).name in stands or metric_named(key).aspect == aspect for key in snapshot.scores)


def plain_label(judged: CriterionJudgements) -> str:
    """A criterion's label without the direction, which stands beside it."""
    return judged.label if judged.direction is None else judged.label.partition(" (")[0]


def plain_metric_label(snapshot: StudySnapshot, key: str) -> str:
    """A metric's label without the direction, which stands beside it."""
    label = METRICS[measured(snapshot, key).name].label
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
