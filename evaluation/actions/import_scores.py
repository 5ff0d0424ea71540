from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import Max

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Study
from evaluation.metric_contract import exact_sums, mean_of_sums, mean_statistics
from evaluation.models import ImportedMetric, MetricScore
from foundation.errors import UserError

Values = Mapping[int, Mapping[int, float]]
"""By the key of a system, and of the first sentence of a unit."""


@dataclass(frozen=True)
class GivenScores:
    """The scores of one metric. With `adds` those that the study has of it stay, else these replace them."""

    name: str
    higher_is_better: bool | None
    values: Values
    version: str = ""
    signature: str = ""
    adds: bool = False


@audited
@transaction.atomic
def import_scores(*, study: Study, file_name: str, metrics: Sequence[GivenScores], by: Any = None) -> int:
    """Store scores that were computed elsewhere; how many are new.

    Raises:
        UserError: Scores are added to those of another version, signature or better end.
    """
    lock_study(study)
    return sum(_store(study, file_name[:300], given, by) for given in metrics)


def _store(study: Study, file_name: str, given: GivenScores, by: Any) -> int:
    stored = study.imported_metrics.filter(name=given.name).first()
    said = {"higher_is_better": given.higher_is_better, "version": given.version, "signature": given.signature}
    kept: dict[int, dict[int, float]] = {}
    if stored is None:
        number = (study.imported_metrics.aggregate(last=Max("number"))["last"] or 0) + 1
        stored = ImportedMetric(study=study, number=number, name=given.name, made_by=by)
    elif given.adds:
        if any(getattr(stored, name) != value for name, value in said.items()):
            raise UserError(
                "The study's scores of {name} are of another version, signature or better end; replace them, or give "
                "the metric another name.", name=given.name, where=file_name,
            )  # fmt: skip
        for row in stored.scores:
            kept[row.system_id] = dict(zip(row.sentence_ids, row.sentences, strict=True))
    else:
        stored.scores.delete()
    for name, value in {**said, "file_name": file_name}.items():
        setattr(stored, name, value)
    stored.save()
    new = 0
    for system, values in given.values.items():
        there = kept.get(system, {})
        new += len(values.keys() - there.keys())
        _write(stored, system, {**values, **there})
    return new


def _write(metric: ImportedMetric, system: int, values: Mapping[int, float]) -> None:
    ids = sorted(values)
    sentences = np.array([values[pk] for pk in ids], dtype=np.float64)
    rows = mean_statistics(sentences)
    MetricScore.objects.update_or_create(
        system_id=system, metric=metric.key,
        defaults={
            "key": "", "signature": metric.described.signed[:600], "corpus": float(mean_of_sums(exact_sums(rows))),
            "undefined": "", "details": {}, "sentence_ids": ids, "sentences": sentences.tolist(),
            "packed": np.ascontiguousarray(rows, dtype="<f8").tobytes(), "width": rows.shape[1],
        },
    )  # fmt: skip
