"""Stored scores as a snapshot holds them: by metric and system, laid over the study's units."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from corpora.models import Study
from evaluation.contrast_set import NAME as CONTRAST
from evaluation.imported_metrics import ScoredElsewhere, metric_of
from evaluation.metric_contract import Floats, Scores, exact_sums
from evaluation.models import BaselineScore, MetricScore, Score
from evaluation.snapshot_builder.texts import BESIDE, StudyTexts

NO_SENTENCES: Floats = np.empty(0)
NO_ROWS: Floats = np.empty((0, 0))
NOWHERE = np.empty(0, dtype=np.intp)


def imported_metrics_of(study: Study) -> Mapping[str, ScoredElsewhere]:
    """The metrics whose scores were imported, by the name that they have among the scores."""
    return {one.key: one.described for one in study.imported_metrics.all()}


def scores_of(study: Study, texts: StudyTexts, metrics: Sequence[str]) -> Mapping[str, Sequence[Scores | None]]:
    """Each metric's numbers for each row of the texts, in their order; None where one has none."""
    stored = MetricScore.objects.filter(system__study=study, metric__in=metrics)
    by_key = {(score.metric, score.system_id): score for score in stored}
    whole = {
        (baseline_score.metric, baseline_score.baseline): baseline_score
        for baseline_score in BaselineScore.objects.filter(study=study, baseline__in=BESIDE)
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


def _whole(stored: BaselineScore | None, metric: str, n: int) -> Scores | None:
    """The stored score of the source or the reference, which is that of the whole alone."""
    return None if stored is None else _read(stored, metric).laid_over(NOWHERE, n)


def _laid_over(stored: MetricScore | None, metric: str, places: Mapping[int, int]) -> Scores | None:
    if stored is None:
        return None
    known = np.array([pk in places for pk in stored.sentence_ids], dtype=bool)  # of imported ones a source may be gone
    units = np.array([places[pk] for pk in stored.sentence_ids if pk in places], dtype=np.intp)
    sentences = np.array(stored.sentences, dtype=np.float64)[known]
    scores = _read(stored, metric, sentences, stored.sufficient_statistics[known])
    if not known.all():
        corpus = float(scores.corpus_of(exact_sums(scores.sufficient_statistics)))
        scores = replace(scores, corpus=corpus if np.isfinite(corpus) else None)
    return scores.laid_over(units, len(places))


def baseline_scores_of(study: Study, metrics: Sequence[str]) -> Mapping[str, Mapping[str, Scores]]:
    """The scores of each degenerate baseline by each metric."""
    by_baseline: dict[str, dict[str, Scores]] = {}
    stored_scores = BaselineScore.objects.filter(study=study, metric__in=metrics)
    for stored in stored_scores.exclude(baseline__in=[*BESIDE, CONTRAST]).order_by("baseline"):
        by_baseline.setdefault(stored.baseline, {})[stored.metric] = _read(stored, stored.metric)
    return by_baseline


def contrast_scores_of(study: Study, metrics: Sequence[str]) -> Mapping[str, Scores]:
    """The scores of the contrast set by each metric; those of its texts are in the details."""
    stored_scores = BaselineScore.objects.filter(study=study, metric__in=metrics, baseline=CONTRAST)
    return {stored.metric: _read(stored, stored.metric) for stored in stored_scores}


def _read(stored: Score, metric: str, sentences: Floats = NO_SENTENCES, rows: Floats = NO_ROWS) -> Scores:
    return Scores(
        sentences, stored.details, rows, stored.undefined, stored.corpus, stored.signature, metric_of(metric).corpus_of
    )
