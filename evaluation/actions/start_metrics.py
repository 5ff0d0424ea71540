from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Study
from evaluation.human_studies.workers import opened_studies
from evaluation.models import MetricRun
from foundation.errors import UserError
from jobs.actions.queue_job import queue_job
from jobs.models import UNFINISHED


@audited
@transaction.atomic
def start_metrics(*, study: Study, by: Any) -> MetricRun:
    """Queue a job that scores all systems of the study with its metrics and makes its report anew.

    A report without metrics is one too: human means and agreement; and so is one of texts that were judged without any
    system. One job a study runs at a time.
    """
    lock_study(study)
    if not study.systems.exists() and not opened_studies(study).exists():
        raise UserError("The study has no system and no human study to report on yet.", where="systems")
    if study.metric_runs.filter(job__state__in=UNFINISHED).exists():
        raise UserError("The report is already being computed.")
    job = queue_job(task="evaluation.tasks.score", title="Metrics and report", study_slug=study.slug, by=by)
    return MetricRun.objects.create(job=job, study=study)
