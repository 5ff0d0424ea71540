"""Score a system with a metric; what depends on nothing that has changed is not computed again."""

import hashlib

import numpy as np
import orjson

from corpora.models import System
from evaluation.metrics import CONTRACT, METRICS, Batch
from evaluation.models import MetricChoice, MetricScore
from evaluation.texts import StudyTexts

REFERENCES = "references"


def score(texts: StudyTexts, system: System, choice: MetricChoice) -> MetricScore | None:
    """The stored score, made or renewed where it has to be; None where the metric has nothing to score."""
    metric = METRICS[choice.metric]
    places, batch = batch_for(texts, system, metric.needs)
    stored = MetricScore.objects.filter(system=system, metric=choice.metric)
    if not places or (REFERENCES in metric.needs and texts.are_references(system)):
        stored.delete()
        return None
    key = _key(metric.signature(**choice.settings), [texts.ids[place] for place in places], batch)
    known = stored.filter(key=key).defer("packed").first()
    return known or _score(texts, system, choice, places, batch, key)


def batch_for(texts: StudyTexts, system: System, needs: frozenset[str]) -> tuple[list[int], Batch]:
    """What a metric is given: the sentences that have an output and, where it needs them, references."""
    outputs = texts.outputs[system.pk]
    wants = REFERENCES in needs
    places = [i for i, text in enumerate(outputs) if text and (texts.references[i] or not wants)]
    return places, Batch(
        sources=[texts.sources[i] for i in places],
        outputs=[outputs[i] or "" for i in places],
        references=[texts.references[i] for i in places] if wants else [],
    )


def _score(
    texts: StudyTexts, system: System, choice: MetricChoice, places: list[int], batch: Batch, key: str
) -> MetricScore:
    scores = METRICS[choice.metric].score(batch, **choice.settings)
    made, _ = MetricScore.objects.update_or_create(
        system=system,
        metric=choice.metric,
        defaults={
            "key": key,
            "signature": scores.signature,
            "corpus": scores.corpus,
            "undefined": scores.undefined,
            "details": scores.details,
            "sentence_ids": [texts.ids[place] for place in places],
            "sentences": np.asarray(scores.sentences, dtype=float).tolist(),
            "packed": np.ascontiguousarray(scores.statistics, dtype="<f8").tobytes(),
            "width": scores.statistics.shape[1],
        },
    )
    return made


def _key(signature: str, ids: list[int], batch: Batch) -> str:
    parts = [CONTRACT, signature, ids, batch.sources, batch.outputs, batch.references]
    return hashlib.sha256(orjson.dumps(parts)).hexdigest()
