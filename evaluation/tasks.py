"""The Celery tasks of metric runs, judges and open human studies."""

from celery import shared_task

from jobs.execution import JobResult, Progress, run_job
from jobs.models import Job


@shared_task(name="evaluation.tasks.judge")
def judge(job_id: int) -> None:
    from evaluation.actions.judge_outputs import judge_outputs
    from evaluation.models import JudgeRun

    def work(job: Job, progress: Progress) -> JobResult:
        return judge_outputs(run=JudgeRun.objects.select_related("study").get(job=job), progress=progress)

    run_job(job_id, work)


@shared_task(name="evaluation.tasks.rate_by_machine")
def rate_by_machine(job_id: int) -> None:
    from annotation.models import MachineRater
    from evaluation.actions.rate_by_machine import rate_by_machine as let_it_rate

    def work(job: Job, progress: Progress) -> JobResult:
        machines = MachineRater.objects.select_related("campaign", "of__study", "person")
        return let_it_rate(machine=machines.get(job=job), progress=progress)

    run_job(job_id, work)


@shared_task(name="evaluation.tasks.score")
def score(job_id: int) -> None:
    from evaluation.actions.make_report import make_report
    from evaluation.models import MetricRun
    from evaluation.scoring import scoring_outcome

    def work(job: Job, progress: Progress) -> JobResult:
        study = MetricRun.objects.select_related("study").get(job=job).study
        make_report(study=study, step=progress.at)
        return scoring_outcome(study)

    run_job(job_id, work)


@shared_task(name="evaluation.tasks.settle_systems", ignore_result=True)
def settle_systems() -> None:
    from evaluation.actions.settle_systems import settle_open_studies

    settle_open_studies()
