"""The sweep: jobs that lost their worker, or whose message was lost, are queued again."""

from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from foundation.process_identity import find_process
from jobs.models import Job
from jobs.queueing.requeue import requeue_job


def requeue_stale_jobs() -> None:
    """Look through the jobs that are not over. Several may sweep at once: each job is seen to by one of them."""
    now = timezone.now()
    lost = Q(state=Job.State.RUNNING, heartbeat_at__lt=now - timedelta(seconds=settings.JOB_LOST_AFTER_SECONDS))
    unseen = Q(state=Job.State.QUEUED, queued_at__lt=now - timedelta(seconds=settings.JOB_RESEND_AFTER_SECONDS))
    free = Q(after=None) | Q(after__state=Job.State.DONE)
    for pk, process in Job.objects.filter(lost | (unseen & free)).values_list("pk", "process"):
        if find_process(process) is None:  # one that lives is the watchdog's to judge
            requeue_job(pk, lost | unseen)
