"""Score a set of outputs with a metric; what depends on nothing that has changed is not computed again."""

import hashlib
import logging
from collections.abc import Mapping
from typing import Any

import numpy as np
import orjson
from django.db import DatabaseError, transaction
from django.db.models import QuerySet

from corpora.models import System
from evaluation.metrics import CONTRACT, METRICS, Scores
from evaluation.models import FoilScore, MetricChoice, MetricScore, Report
from evaluation.scoring.inputs import REFERENCES, ScoringInputs
from evaluation.scoring.output_sets import OutputSet
from foundation.errors import UserError

KnownScores = Mapping[tuple[Any, str], tuple[str, str]]
"""The key of what is stored, and why it has no number, by system or baseline, and metric."""
LONGEST = 300
logger = logging.getLogger(__name__)


class StudyRemoved(Exception):
    """Somebody took the system out of the study while it was scored."""


def score_system(inputs: ScoringInputs, output_set: OutputSet, choice: MetricChoice, known: KnownScores) -> None:
    """Make or renew the stored score where it has to be; none stays where the metric has nothing to score.

    Raises Removed where the system is gone.
    """
    ids = _scorable(inputs, output_set, choice)
    if not ids:
        _remove(inputs, MetricScore.objects.filter(system_id=output_set.pk, metric=choice.metric))
        return
    keyed_scores = _scored(inputs, output_set, choice, known.get((output_set.pk, choice.metric)))
    if keyed_scores is None:
        return
    key, scores = keyed_scores
    arrays = {
        "sentence_ids": ids,
        "sentences": np.asarray(scores.sentences, dtype=float).tolist(),
        "packed": np.ascontiguousarray(scores.sufficient_statistics, dtype="<f8").tobytes(),
        "width": scores.sufficient_statistics.shape[1],
    }
    with transaction.atomic():
        if System.objects.select_for_update(no_key=True).filter(pk=output_set.pk).first() is None:
            raise StudyRemoved
        _mark_report_stale(inputs)
        MetricScore.objects.update_or_create(
            system_id=output_set.pk, metric=choice.metric, defaults={**_columns_of(key, scores), **arrays}
        )


def score_baseline(inputs: ScoringInputs, output_set: OutputSet, choice: MetricChoice, known: KnownScores) -> None:
    """The same for baselines, the source and the reference, of which only the whole is kept."""
    stored = FoilScore.objects.filter(study=inputs.study, foil=output_set.name, metric=choice.metric)
    if not _scorable(inputs, output_set, choice):
        _remove(inputs, stored)
        return
    keyed_scores = _scored(inputs, output_set, choice, known.get((output_set.name, choice.metric)))
    if keyed_scores is not None:
        _mark_report_stale(inputs)
        FoilScore.objects.update_or_create(
            study=inputs.study, foil=output_set.name, metric=choice.metric, defaults=_columns_of(*keyed_scores)
        )


def _mark_report_stale(inputs: ScoringInputs) -> None:
    """The stored report holds no longer. Said before a score changes: work may be killed between the two."""
    Report.objects.filter(study=inputs.study).update(key="")


def _remove(inputs: ScoringInputs, stored: QuerySet[Any]) -> None:
    if stored.exists():
        _mark_report_stale(inputs)
        stored.delete()


def _scorable(inputs: ScoringInputs, output_set: OutputSet, choice: MetricChoice) -> list[int]:
    """The units that the metric can score; none where it would hold references against themselves."""
    needs = METRICS[choice.metric].needs
    return [] if REFERENCES in needs and output_set.are_references else inputs.ids(output_set, needs)


def _scored(
    inputs: ScoringInputs, output_set: OutputSet, choice: MetricChoice, known: tuple[str, str] | None
) -> tuple[str, Scores] | None:
    """The key and the scores; None where those that are stored hold. A run that fails is tried again the next time.

    One metric's failure, as of a model whose file is broken, takes no other's scores and no report.
    """
    metric, language = METRICS[choice.metric], inputs.texts.language
    try:
        why = metric.undefined_for(language, **choice.settings) or metric.unavailable(**choice.settings)
        if not why:
            signature = metric.signature(language, **choice.settings)
            parts = [CONTRACT, signature, *inputs.digest(output_set, metric.needs)]
            key = hashlib.sha256(orjson.dumps(parts)).hexdigest()
            if known and key == known[0]:
                return None
            return key, metric.score(inputs.metric_input(output_set, metric.needs), **choice.settings)
    except UserError as error:
        why = str(error)
    except DatabaseError:
        raise
    except Exception as error:
        logger.exception("%s of %s", choice.metric, output_set.name)
        said = " ".join(str(error).replace("\0", "").encode("utf-8", "replace").decode().split())
        why = f"It stopped at an error of the program: {type(error).__name__}: {said}"
    if known == ("", why[:LONGEST]):
        return None
    return "", _scores_undefined(len(inputs.ids(output_set, metric.needs)), why)


def _scores_undefined(count: int, why: str) -> Scores:
    return Scores(None, np.full(count, np.nan), {}, "", np.empty((count, 0)), why)


def _columns_of(key: str, scores: Scores) -> dict[str, Any]:
    return {
        "key": key,
        "signature": scores.signature,
        "corpus": scores.corpus,
        "undefined": scores.undefined[:LONGEST],
        "details": scores.details,
    }
