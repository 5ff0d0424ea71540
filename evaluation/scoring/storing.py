"""Score a subject with a metric; what depends on nothing that has changed is not computed again."""

import hashlib
import logging
from collections.abc import Mapping
from typing import Any

import numpy as np
import orjson
from django.db import DatabaseError, transaction
from django.db.models import QuerySet

from corpora.models import System
from evaluation.metrics import CONTRACT, METRICS
from evaluation.metrics._base import Scores
from evaluation.models import FoilScore, MetricChoice, MetricScore, Report
from evaluation.scoring.desk import REFERENCES, Desk
from evaluation.scoring.subjects import Subject
from foundation.errors import UserError

Known = Mapping[tuple[Any, str], tuple[str, str]]
"""The key of what is stored, and why it has no number, by system or foil, and metric."""
LONGEST = 300
logger = logging.getLogger(__name__)


class Removed(Exception):
    """Somebody took the system out of the study while it was scored."""


def score_system(desk: Desk, subject: Subject, choice: MetricChoice, known: Known) -> None:
    """Make or renew the stored score where it has to be; none stays where the metric has nothing to score.

    Raises Removed where the system is gone.
    """
    ids = _scorable(desk, subject, choice)
    if not ids:
        _remove(desk, MetricScore.objects.filter(system_id=subject.pk, metric=choice.metric))
        return
    made = _scored(desk, subject, choice, known.get((subject.pk, choice.metric)))
    if made is None:
        return
    key, scores = made
    arrays = {
        "sentence_ids": ids,
        "sentences": np.asarray(scores.sentences, dtype=float).tolist(),
        "packed": np.ascontiguousarray(scores.statistics, dtype="<f8").tobytes(),
        "width": scores.statistics.shape[1],
    }
    with transaction.atomic():
        if System.objects.select_for_update(no_key=True).filter(pk=subject.pk).first() is None:
            raise Removed
        _let_fall(desk)
        MetricScore.objects.update_or_create(
            system_id=subject.pk, metric=choice.metric, defaults={**_stored(key, scores), **arrays}
        )


def score_made(desk: Desk, subject: Subject, choice: MetricChoice, known: Known) -> None:
    """The same for foils, the source and the reference, of which only the whole is kept."""
    stored = FoilScore.objects.filter(study=desk.study, foil=subject.name, metric=choice.metric)
    if not _scorable(desk, subject, choice):
        _remove(desk, stored)
        return
    made = _scored(desk, subject, choice, known.get((subject.name, choice.metric)))
    if made is not None:
        _let_fall(desk)
        FoilScore.objects.update_or_create(
            study=desk.study, foil=subject.name, metric=choice.metric, defaults=_stored(*made)
        )


def _let_fall(desk: Desk) -> None:
    """The stored report holds no longer. Said before a score changes: work may be killed between the two."""
    Report.objects.filter(study=desk.study).update(key="")


def _remove(desk: Desk, stored: QuerySet[Any]) -> None:
    if stored.exists():
        _let_fall(desk)
        stored.delete()


def _scorable(desk: Desk, subject: Subject, choice: MetricChoice) -> list[int]:
    """The units that the metric can score; none where it would hold references against themselves."""
    needs = METRICS[choice.metric].needs
    return [] if REFERENCES in needs and subject.are_references else desk.ids(subject, needs)


def _scored(
    desk: Desk, subject: Subject, choice: MetricChoice, known: tuple[str, str] | None
) -> tuple[str, Scores] | None:
    """The key and the scores; None where those that are stored hold. A run that fails is tried again the next time.

    One metric's failure, as of a model whose file is broken, takes no other's scores and no report.
    """
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
    except DatabaseError:
        raise
    except Exception as error:
        logger.exception("%s of %s", choice.metric, subject.name)
        said = " ".join(str(error).replace("\0", "").encode("utf-8", "replace").decode().split())
        why = f"It stopped at an error of the program: {type(error).__name__}: {said}"
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
