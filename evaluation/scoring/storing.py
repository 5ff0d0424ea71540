"""Score a subject with a metric; what depends on nothing that has changed is not computed again."""

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import orjson

from evaluation.metrics import CONTRACT, METRICS
from evaluation.metrics._base import Scores
from evaluation.models import FoilScore, MetricChoice, MetricScore
from evaluation.scoring.desk import REFERENCES, Desk
from evaluation.scoring.subjects import Subject
from foundation.errors import UserError

Known = Mapping[tuple[Any, str], tuple[str, str]]
"""The key of what is stored, and why it has no number, by system or foil, and metric."""
LONGEST = 300


def score_system(desk: Desk, subject: Subject, choice: MetricChoice, known: Known) -> bool:
    """Make or renew the stored score where it has to be; whether it had to.

    None stays where the metric has nothing to score.
    """
    ids = _scorable(desk, subject, choice)
    if not ids:
        return bool(MetricScore.objects.filter(system_id=subject.pk, metric=choice.metric).delete()[0])
    made = _scored(desk, subject, choice, known.get((subject.pk, choice.metric)))
    if made is None:
        return False
    key, scores = made
    arrays = {
        "sentence_ids": ids,
        "sentences": np.asarray(scores.sentences, dtype=float).tolist(),
        "packed": np.ascontiguousarray(scores.statistics, dtype="<f8").tobytes(),
        "width": scores.statistics.shape[1],
    }
    MetricScore.objects.update_or_create(
        system_id=subject.pk, metric=choice.metric, defaults={**_stored(key, scores), **arrays}
    )
    return True


def score_made(desk: Desk, subject: Subject, choice: MetricChoice, known: Known) -> bool:
    """The same for foils, the source and the reference, of which only the whole is kept."""
    stored = FoilScore.objects.filter(study=desk.study, foil=subject.name, metric=choice.metric)
    if not _scorable(desk, subject, choice):
        return bool(stored.delete()[0])
    made = _scored(desk, subject, choice, known.get((subject.name, choice.metric)))
    if made is not None:
        FoilScore.objects.update_or_create(
            study=desk.study, foil=subject.name, metric=choice.metric, defaults=_stored(*made)
        )
    return made is not None


def _scorable(desk: Desk, subject: Subject, choice: MetricChoice) -> list[int]:
    """The units that the metric can score; none where it would hold references against themselves."""
    needs = METRICS[choice.metric].needs
    return [] if REFERENCES in needs and subject.are_references else desk.ids(subject, needs)


def _scored(
    desk: Desk, subject: Subject, choice: MetricChoice, known: tuple[str, str] | None
) -> tuple[str, Scores] | None:
    """The key and the scores; None where those that are stored hold. A run that fails is tried again the next time."""
    metric = METRICS[choice.metric]
    try:
        why = metric.unavailable(**choice.settings)
        if not why:
            parts = [CONTRACT, metric.signature(**choice.settings), *desk.digest(subject, metric.needs)]
            key = hashlib.sha256(orjson.dumps(parts)).hexdigest()
            if known and key == known[0]:
                return None
            return key, metric.score(desk.batch(subject, metric.needs), **choice.settings)
    except UserError as error:
        why = str(error)
    if known == ("", why[:LONGEST]):
        return None
    return "", _nothing(len(desk.ids(subject, metric.needs)), why)


def _nothing(count: int, why: str) -> Scores:
    return Scores(None, np.full(count, np.nan), {}, "", np.empty((count, 0)), why)


def _stored(key: str, scores: Scores) -> dict[str, Any]:
    return {
        "key": key,
        "signature": scores.signature,
        "corpus": scores.corpus,
        "undefined": scores.undefined[:LONGEST],
        "details": scores.details,
    }
