"""The sentence of a page that waits for a job where no worker does it; "" while all is well."""

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import cache

import redis
from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from jobs.models import UNFINISHED, Job
from jobs.workers import FRESH, Worker, last_seen, workers

PATIENCE_SECONDS = 5  # that a job waits before a page looks for its worker


def waiting_reasons(jobs: Iterable[Job]) -> list[str]:
    """Why some of the jobs do not go on: their queue has no worker, the one that held it fell silent, or, where it is
    one job, others are before it."""
    there, listed = cache(workers), list(jobs)
    found = [said for said in dict.fromkeys(_said(job, there) for job in listed) if said]
    return found or [said for job in listed[:1] if len(listed) == 1 and (said := _behind(job))]


def _said(job: Job, there: Callable[[], list[Worker]]) -> str:
    if first := job.waits_for:
        return _first_message(first)
    if job.state == Job.State.QUEUED and _age(job.queued_at) > PATIENCE_SECONDS:
        return no_worker_message(job.queue, there)
    if job.state == Job.State.RUNNING and job.heartbeat_at and _is_lost(job):
        ago = short_duration(_age(job.heartbeat_at))
        return _("The worker has been silent for %(ago)s: another worker takes over and continues.") % {"ago": ago}
    return ""


def _behind(job: Job) -> str:
    """The jobs before it in its queue: how many, and the first of its own study by its title."""
    if job.state != Job.State.QUEUED or _age(job.queued_at) <= PATIENCE_SECONDS:
        return ""
    before = Job.objects.filter(queue=job.queue, state__in=UNFINISHED).exclude(pk=job.pk)
    rows = before.filter(Q(state=Job.State.RUNNING) | Q(queued_at__lt=job.queued_at))
    first = rows.order_by("-state", "queued_at").values_list("title", "study_slug").first()
    if first is None:
        return ""
    title, slug = first
    count = rows.count()
    if slug == job.study_slug:
        said = ngettext(
            "The job waits for its turn behind “%(title)s”.",
            "The job waits for its turn behind %(n)s jobs; the first is “%(title)s”.", count,
        )  # fmt: skip
    else:
        said = ngettext(
            "The job waits for its turn behind a job of another study.",
            "The job waits for its turn behind %(n)s jobs.", count,
        )  # fmt: skip
    return said % {"n": count, "title": title}


def _first_message(first: Job) -> str:
    """The job that it waits for, and what somebody can do where that does not go on by itself."""
    if first.is_over:
        said = _("The job waits for “%(title)s”, which did not finish: run that again, or cancel this one.")
    else:
        said = _("The job begins when “%(title)s” is done.")
    return said % {"title": first.title}


def no_worker_message(queue: str, there: Callable[[], list[Worker]] = workers) -> str:
    """The sentence where no worker of the queue gives signs."""
    try:
        seen_at = last_seen(queue, there())
    except redis.RedisError:
        return _("Redis does not answer, so no worker gets work: the job waits until it does.")
    if seen_at is None:
        said = _("The queue %(queue)s has no active worker: the job waits for one.")
        return said % {"queue": queue}
    if _age(seen_at) < FRESH.total_seconds():
        return ""
    said = _("The queue %(queue)s has had no active worker for %(ago)s: the job waits for one.")
    return said % {"queue": queue, "ago": short_duration(_age(seen_at))}


def short_duration(seconds: float) -> str:
    """`40 s`, `3 min`, `2 h`: whole numbers, rounded down."""
    if seconds < 60:
        return _("%(n)d s") % {"n": seconds}
    if seconds < 3600:
        return _("%(n)d min") % {"n": seconds // 60}
    return _("%(n)d h") % {"n": seconds // 3600}


def _is_lost(job: Job) -> bool:
    lost: float = settings.JOB_LOST_AFTER_SECONDS
    return job.heartbeat_at is not None and _age(job.heartbeat_at) > lost


def _age(moment: datetime) -> float:
    return (timezone.now() - moment).total_seconds()
