"""The reason why a job waits, in a sentence, by its queue and the signs of the workers; "" while all is well."""

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import cache
from typing import Any

import redis
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.permissions import GRANTS, Can, Role
from jobs.models import Job
from jobs.queueing import messages_before
from jobs.stored_sentences import in_readers_language
from jobs.workers import FRESH, Worker, last_seen, quick_client, workers

PATIENCE_SECONDS = 5  # that a job waits before a page looks for its worker


def waiting_reasons(jobs: Iterable[Job], reader: Any = None) -> list[str]:
    """Why some of the jobs do not go on: something outside is awaited, their queue has no worker, the one that held it
    fell silent, or, where it is one job, others are before it. The `reader` is told about jobs that they may see."""
    there, listed = cache(workers), list(jobs)
    found = [said for said in dict.fromkeys(_said(job, there) for job in listed) if said]
    return found or [said for job in listed[:1] if len(listed) == 1 and (said := _behind(job, reader))]


def _said(job: Job, there: Callable[[], list[Worker]]) -> str:
    if first := job.waits_for:
        return _first_message(first)
    if job.awaited and not job.is_over:
        return in_readers_language(job.awaited)
    if job.state == Job.State.QUEUED and _age(job.queued_at) > PATIENCE_SECONDS:
        return no_worker_message(job.queue, there)
    if job.state == Job.State.RUNNING and job.heartbeat_at and _is_lost(job):
        ago = short_duration(_age(job.heartbeat_at))
        return _("The worker has been silent for %(ago)s: another worker takes over and continues.") % {"ago": ago}
    return ""


def _behind(job: Job, reader: Any) -> str:
    """The jobs before it in its queue: how many, and the one that runs, or is the first, if the reader may see it."""
    if job.state != Job.State.QUEUED or _age(job.queued_at) <= PATIENCE_SECONDS:
        return ""
    try:
        with quick_client() as client:
            sent = messages_before(client, job)
    except redis.RedisError:
        return ""
    others = Job.objects.select_related("made_by").defer("log")
    running = others.filter(queue=job.queue, state=Job.State.RUNNING).order_by("started_at")
    waiting = others.in_bulk([] if sent is None else sent)
    before = [*running, *(waiting[pk] for pk in sent or () if pk in waiting and waiting[pk].state == Job.State.QUEUED)]
    if not before:
        return "" if sent is not None else _("No message of the job is in its queue: it is sent again within minutes.")
    first, count = before[0], len(before)
    if not _may_see(reader, first, job):
        said = ngettext(
            "The job waits for its turn behind a job of another study.",
            "The job waits for its turn behind %(n)s jobs.", count,
        )  # fmt: skip
        return said % {"n": count}
    said = ngettext(
        "The job waits for its turn behind %(first)s.",
        "The job waits for its turn behind %(n)s jobs; the first is %(first)s.", count,
    )  # fmt: skip
    named = _("“%(title)s” of %(person)s") if first.made_by else _("“%(title)s”")
    return said % {"n": count, "first": named % {"title": first.title, "person": first.made_by}}


def _may_see(reader: Any, first: Job, job: Job) -> bool:
    """Whether who reads about a job may know another: it is of the same study, or of one whose jobs they may see."""
    if first.study_slug == job.study_slug:
        return True
    if reader is None or not reader.is_authenticated:
        return False
    there = reader.memberships.filter(study__slug=first.study_slug, role__in=GRANTS[Can.VIEW_STUDY])
    return reader.role == Role.ADMIN or bool(there.exists())


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
