from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import Max

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Study
from evaluation.metrics import METRICS
from evaluation.models import MetricChoice


@audited
@transaction.atomic
def choose_metrics(*, study: Study, metrics: Mapping[str, Mapping[str, Any]]) -> list[MetricChoice]:
    """Set the metrics (name to settings) that score a study from now on; its earlier choice is replaced.

    A metric that this machine cannot compute may be chosen: a worker may have the missing parts, else the report shows
    why it has no scores.
    """
    lock_study(study)
    checked = {name: METRICS[name].settings(**settings) for name, settings in metrics.items()}
    study.metric_choices.exclude(metric__in=checked).delete()
    last = study.metric_choices.aggregate(last=Max("number"))["last"] or 0
    for number, (name, settings) in enumerate(checked.items(), last + 1):
        MetricChoice.objects.update_or_create(
            study=study,
            metric=name,
            defaults={"settings": settings},
            create_defaults={"settings": settings, "number": number},
        )
    return list(study.metric_choices.all())
