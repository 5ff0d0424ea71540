"""The sweep: jobs that lost their worker, or whose message was lost, are queued again."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from foundation.process_identity import find_process
from jobs.execution.runner import MOST_ATTEMPTS
from jobs.models import Job
from jobs.queueing.dispatch import dispatch

LOST = "Its worker was lost."


def requeue_stale_jobs() -> None:
    """Look through the jobs that are not over. Several may sweep at once: each job is seen to by one of them."""
    now = timezone.now()
    lost = Q(state=Job.State.RUNNING, heartbeat_at__lt=now - timedelta(seconds=settings.JOB_LOST_AFTER_SECONDS))
    unseen = Q(state=Job.State.QUEUED, queued_at__lt=now - timedelta(seconds=settings.JOB_RESEND_AFTER_SECONDS))
    for pk, process in Job.objects.filter(lost | unseen).values_list("pk", "process"):
        if find_process(process) is None:  # one that lives is the watchdog's to judge
            requeue_job(pk, lost | unseen)


@transaction.atomic
def requeue_job(pk: int, still: Q, lost: str = LOST) -> None:
    """Queue a job whose worker was lost, or end it where it was asked to stop or was lost too often.

    Nothing is done unless it is `still` as it was found. `lost` says what became of its worker.
    """
    job = Job.objects.select_for_update(skip_locked=True).filter(still, pk=pk).first()
    if job is None:
        return
    if job.state == Job.State.RUNNING:
        job.log += f"{timezone.now():%H:%M:%S} {lost}\n"
    if job.cancel_requested:
        _stop(job, lost)
    elif job.attempts >= MOST_ATTEMPTS:
        _fail(job, f"Its worker was lost {job.attempts} times.")
    else:
        job.state, job.holder, job.process, job.queued_at = Job.State.QUEUED, None, "", timezone.now()
        transaction.on_commit(lambda: dispatch(job))
    job.save(update_fields=["state", "holder", "process", "queued_at", "ended_at", "error", "told", "log"])


def _stop(job: Job, lost: str) -> None:
    """It was to stop, and its worker is no more: it has stopped."""
    if job.stop_reason:
        _fail(job, job.stop_reason)
    else:
        job.state, job.ended_at = Job.State.CANCELLED, timezone.now()
        job.told = "" if lost == LOST else lost


def _fail(job: Job, error: str) -> None:
    job.state, job.ended_at, job.error = Job.State.FAILED, timezone.now(), error
