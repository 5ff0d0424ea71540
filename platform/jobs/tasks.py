"""The sweep: jobs that lost their worker, or whose message was lost, are queued again."""

from datetime import timedelta

from celery import shared_task
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from jobs.dispatch import dispatch
from jobs.models import Job

MOST_ATTEMPTS = 5


@shared_task(name="jobs.tasks.sweep", ignore_result=True)
def sweep() -> None:
    now = timezone.now()
    lost = Q(state=Job.State.RUNNING, heartbeat_at__lt=now - timedelta(seconds=settings.JOB_LOST_AFTER_SECONDS))
    unseen = Q(state=Job.State.QUEUED, queued_at__lt=now - timedelta(seconds=settings.JOB_RESEND_AFTER_SECONDS))
    for pk in Job.objects.filter(lost | unseen).values_list("pk", flat=True):
        _sweep_one(pk, lost | unseen)


@transaction.atomic
def _sweep_one(pk: int, still: Q) -> None:
    job = Job.objects.select_for_update(skip_locked=True).filter(still, pk=pk).first()
    if job is None:
        return
    if job.state == Job.State.RUNNING:
        job.log += f"{timezone.now():%H:%M:%S} Its worker was lost.\n"
    if job.cancel_requested:
        job.state, job.ended_at = Job.State.CANCELLED, timezone.now()
    elif job.attempts >= MOST_ATTEMPTS:
        job.state, job.ended_at = Job.State.FAILED, timezone.now()
        job.error = f"Its worker was lost {job.attempts} times."
    else:
        job.state, job.holder, job.queued_at = Job.State.QUEUED, None, timezone.now()
        transaction.on_commit(lambda: dispatch(job))
    job.save(update_fields=["state", "holder", "queued_at", "ended_at", "error", "log"])
