from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Removal
from corpora.trash import move_to_trash
from evaluation.models import ImportedMetric, MetricScore


@audited
@transaction.atomic
def remove_scores(*, metric: ImportedMetric, by: Any = None) -> Removal:
    """Remove an imported metric with all of its scores."""
    lock_study(metric.study)
    rows = {ImportedMetric: [metric.pk], MetricScore: list(metric.scores.values_list("pk", flat=True))}
    return move_to_trash(study=metric.study, kind=Removal.Kind.SCORES, name=metric.name, rows=rows, by=by)
