"""The Celery task of metric runs."""

from celery import shared_task

from jobs.runner import run_job


@shared_task(name="evaluation.tasks.score")
def score(job_id: int) -> None:
    from evaluation.actions.make_report import make_report
    from evaluation.models import MetricRun

    def work(job, progress):
        make_report(study=MetricRun.objects.select_related("study").get(job=job).study, step=progress.at)

    run_job(job_id, work)
