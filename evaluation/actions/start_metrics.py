from typing import Any

from django.db import transaction

from corpora.models import Study
from evaluation.models import MetricRun
from foundation.errors import UserError
from jobs.actions.queue_job import queue_job


@transaction.atomic
def start_metrics(*, study: Study, by: Any) -> MetricRun:
    """Queue a job that scores all systems of the study with its metrics and makes its report anew."""
    if not study.metric_choices.exists():
        raise UserError("The study has chosen no metric yet.", where="metrics")
    job = queue_job(
        task="evaluation.tasks.score", queue="metrics", title="Metrics and report", study_slug=study.slug, by=by
    )
    return MetricRun.objects.create(job=job, study=study)
