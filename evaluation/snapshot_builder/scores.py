"""Stored scores as a snapshot holds them: by metric and system, laid over the study's units."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from corpora.models import Study
from evaluation.metrics import METRICS
from evaluation.models import FoilScore, MetricScore, Score
from evaluation.snapshot import ScoredOutputs
from evaluation.snapshot_builder.source_and_reference import BESIDE
from evaluation.snapshot_builder.texts import StudyTexts

Floats = NDArray[np.float64]
EMPTY: Floats = np.empty(0)


def scores_of(study: Study, texts: StudyTexts, metrics: Sequence[str]) -> Mapping[str, Sequence[ScoredOutputs | None]]:
    """Each metric's numbers for each row of the texts, in their order; None where one has none."""
    stored = MetricScore.objects.filter(system__study=study, metric__in=metrics)
    by_key = {(score.metric, score.system_id): score for score in stored}
    whole = {
        (baseline_score.metric, baseline_score.foil): baseline_score
        for baseline_score in FoilScore.objects.filter(study=study, foil__in=BESIDE)
    }
    places = {pk: place for place, pk in enumerate(texts.units.ids)}
    beside = [row.role for row in texts.rows[len(texts.systems) :]]
    return {
        metric: [
            *[_laid_over(by_key.get((metric, system.pk)), metric, places) for system in texts.systems],
            *[_whole(whole.get((metric, role)), metric, len(places)) for role in beside],
        ]
        for metric in metrics
    }


def _whole(stored: FoilScore | None, metric: str, units: int) -> ScoredOutputs | None:
    """What is known of the source and the reference: the whole alone."""
    if stored is None:
        return None
    nothing = np.full(units, np.nan), np.zeros((units, 0)), np.zeros(units, dtype=bool)
    return _scored(stored, METRICS[metric].corpus_of, *nothing)


def _laid_over(stored: MetricScore | None, metric: str, places: Mapping[int, int]) -> ScoredOutputs | None:
    if stored is None:
        return None
    units = np.array([places[pk] for pk in stored.sentence_ids], dtype=np.intp)
    sentences, present = np.full(len(places), np.nan), np.zeros(len(places), dtype=bool)
    rows = np.zeros((len(places), stored.width))
    sentences[units], present[units], rows[units] = (
        np.array(stored.sentences, dtype=np.float64),
        True,
        stored.sufficient_statistics,
    )
    return _scored(stored, METRICS[metric].corpus_of, sentences, rows, present)


def baseline_scores_of(study: Study, metrics: Sequence[str]) -> Mapping[str, Mapping[str, ScoredOutputs]]:
    """What each metric gave each degenerate baseline."""
    by_baseline: dict[str, dict[str, ScoredOutputs]] = {}
    for stored in FoilScore.objects.filter(study=study, metric__in=metrics).exclude(foil__in=BESIDE).order_by("foil"):
        scored = _scored(stored, METRICS[stored.metric].corpus_of, EMPTY, EMPTY, EMPTY.astype(bool))
        by_baseline.setdefault(stored.foil, {})[stored.metric] = scored
    return by_baseline


def _scored(
    stored: Score, corpus_of: Callable[[Floats], Floats], sentences: Floats, rows: Floats, present: NDArray[np.bool_]
) -> ScoredOutputs:
    return ScoredOutputs(
        corpus=stored.corpus,
        undefined=stored.undefined,
        signature=stored.signature,
        details=stored.details,
        sentences=sentences,
        rows=rows,
        corpus_of=corpus_of,
        there=present,
    )
