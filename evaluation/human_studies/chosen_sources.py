"""Sources chosen where systems differ: by the variance of metrics over systems, or by how unlike the outputs are.

Both are as in subset2evaluate (Zouhar et al. 2025): fewer judgements tell the systems apart, and their means are of the
chosen sources alone, no estimate for all.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from statistics import fmean

import numpy as np

from annotation.task_types import Material
from corpora.models import System
from evaluation.human_studies.plan_validation import proxies_of
from evaluation.models import HumanStudy, MetricScore
from evaluation.numerics import Floats
from foundation.errors import UserError


def metric_variance(scores: Floats) -> Floats:
    """The variance over systems of a metric's scores (systems, sources); 0 where fewer than two systems have one."""
    known = np.isfinite(scores)
    counts = np.maximum(known.sum(axis=0), 1)
    means = np.where(known, scores, 0).sum(axis=0) / counts
    return np.asarray(np.where(known, (scores - means) ** 2, 0).sum(axis=0) / counts)


def diversity(texts: Sequence[str]) -> float:
    """How unlike the outputs of a source are: less the mean share of words that two of them have in common."""
    words = [Counter(text.split()) for text in texts]
    shared = [
        2 * (first & second).total() / (first.total() + second.total()) if first and second else 1.0
        for first, second in combinations(words, 2)
    ]
    return -fmean(shared) if shared else 0.0


def by_variance(human_study: HumanStudy, material: Sequence[Material], systems: Sequence[System]) -> Floats:
    """The mean over the study's metrics of each source's variance, as a share of the metric's mean variance."""
    places = {source.sentence_id: place for place, source in enumerate(material)}
    by_metric = []
    for metric in proxies_of(human_study.study):
        scores = np.full((len(systems), len(material)), np.nan)
        for row, system in enumerate(systems):
            kept = MetricScore.objects.filter(system=system, metric=metric).values_list("sentence_ids", "sentences")
            for ids, values in kept:
                for pk, value in zip(ids, values, strict=True):
                    if pk in places:
                        scores[row, places[pk]] = value
        variance = metric_variance(scores)
        if variance.any():
            by_metric.append(variance / variance.mean())
    if not by_metric:
        raise UserError("No metric has scores of these systems: compute the report first.", where="sampling")
    return np.asarray(np.mean(by_metric, axis=0))


def by_diversity(material: Sequence[Material]) -> Floats:
    return np.array([diversity([text for text in source.outputs if text.strip()]) for source in material])
