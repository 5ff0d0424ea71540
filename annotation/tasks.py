"""Background tasks of the queue."""

from celery import shared_task

from annotation import stages
from annotation.engine.assignment_queue import free_leases
from foundation.translation import translatable
from foundation.translation import translate as in_words
from jobs.execution import JobResult, Progress, run_job
from jobs.models import Job


@shared_task
def free_expired_leases() -> int:
    """Free assignments whose leases have expired, so that the counts on pages are true; claims do it when they must."""
    return free_leases()


@shared_task
def bring_in_missed() -> int:
    """Give new stages the work handed in at the moment when they were made."""
    return stages.bring_in_missed()


@shared_task(name="annotation.tasks.release")
def release(job_id: int) -> None:
    """Make a release that was asked for; run again after a worker died it makes no second one."""
    from annotation.actions.make_release import make_release
    from annotation.gold.release.downloads import release_summary
    from annotation.models import ReleaseRun

    def work(job: Job, progress: Progress) -> JobResult:
        run = ReleaseRun.objects.select_related("study", "release").get(job=job)
        release_of_run = run.release or make_release(
            study=run.study, settings=run.settings, changes=run.changes, by=job.made_by, run=run, step=progress.at
        )
        return release_summary(release_of_run)

    run_job(job_id, work)


@shared_task(name="annotation.tasks.agreement")
def agreement(job_id: int) -> None:
    """Measure how far the people of a campaign agree; run again it measures again."""
    from django.utils import timezone

    from annotation.agreement import measure
    from annotation.models import AgreementRun

    def work(job: Job, progress: Progress) -> JobResult:
        run = AgreementRun.objects.select_related("campaign").get(job=job)
        measured = measure(run.campaign, bertscore=True, step=progress.at)
        AgreementRun.objects.filter(pk=run.pk).update(result=measured.json(), made_at=timezone.now())
        said = in_words(
            translatable("Pairs of answers that were compared: {pairs}; people: {people}."),
            pairs=f"{measured.compared:,}", people=f"{len(measured.people):,}",
        )  # fmt: skip
        none = translatable("No item was answered by two people, so there is no agreement yet.")
        return JobResult(said, "" if measured.compared else none)

    run_job(job_id, work)


@shared_task(name="annotation.tasks.translate")
def translate(job_id: int) -> None:
    """Put assistive translations beside a study's sentences; run again it goes on where it was."""
    from annotation.actions.translate_sentences import translate_sentences, translation_summary
    from annotation.models import TranslationRun

    def work(job: Job, progress: Progress) -> JobResult:
        run = TranslationRun.objects.select_related("study").get(job=job)
        translate_sentences(run=run, step=progress.at)
        return translation_summary(run)

    run_job(job_id, work)


@shared_task(name="annotation.tasks.import_gold")
def import_gold(job_id: int) -> None:
    """Look at a file of gold, or import it; run again it imports nothing twice."""
    from annotation.background_jobs import run_gold_import

    run_job(job_id, run_gold_import)
