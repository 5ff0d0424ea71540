"""The watchdog of a machine's workers, a process of its own: `python -m launcher.job_watchdog`.

A job may stand still in a program that no Python can interrupt: a pattern that never ends, a long product of
matrices. The watchdog sees the processes that hold jobs on its machine from outside. It writes the heartbeat of those
that live, ends those that were told to stop and do not, or that are over their limit, and queues the job of a dead one
again at once. The sweep over all machines' lost jobs is its work too, so that no job stands before it.
"""

import logging
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

import psutil
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import Q
from django.utils import timezone

from foundation import processes
from foundation.processes import find_process
from foundation.translation import translate
from jobs.models import Job
from jobs.queueing import requeue_job
from jobs.time_limits import duration_in_words, time_limit_of


def requeue_stale_jobs() -> None:
    """Look through the jobs that are not over. Several may sweep at once: each job is seen to by one of them."""
    now = timezone.now()
    lost = Q(state=Job.State.RUNNING, heartbeat_at__lt=now - timedelta(seconds=settings.JOB_LOST_AFTER_SECONDS))
    unseen = Q(state=Job.State.QUEUED, queued_at__lt=now - timedelta(seconds=settings.JOB_RESEND_AFTER_SECONDS))
    free = Q(awaited="") & (Q(after=None) | Q(after__state=Job.State.DONE))
    for pk, process in Job.objects.filter(lost | (unseen & free)).values_list("pk", "process"):
        if find_process(process) is None:  # one that lives is the watchdog's to judge
            requeue_job(pk, lost | unseen)


LOOK_SECONDS = 1.0
LOCK_WAIT = "3s"  # a row that is locked for longer is seen to at the next look
logger = logging.getLogger(__name__)


class Watchdog:
    """Looks after the jobs of this machine's processes."""

    def __init__(self) -> None:
        self._asked: dict[UUID, float] = {}  # since when the holder was seen to be asked to stop
        self._swept = 0.0

    def run(self, over: threading.Event) -> None:
        """Look each second until it is over. A database that is away for a moment is waited for."""
        while not over.wait(LOOK_SECONDS):
            try:
                self.look()
                self._sweep()
            except DatabaseError:
                logger.warning("The watchdog could not look at the jobs; it tries again.", exc_info=True)
                connection.close()

    def look(self) -> None:
        """See to each job that a process of this machine holds."""
        held = list(
            Job.objects.filter(state=Job.State.RUNNING, process__startswith=processes.machine_identity()).defer("log")
        )
        for job in held:
            with _in_brief(job):
                self._see_to(job)
        self._asked = {job.holder: self._asked[job.holder] for job in held if job.holder in self._asked}

    def _sweep(self) -> None:
        if time.monotonic() - self._swept >= settings.JOB_HEARTBEAT_SECONDS:
            self._swept = time.monotonic()
            requeue_stale_jobs()

    def _see_to(self, job: Job) -> None:
        process = processes.find_process(job.process)
        if process is None:
            requeue_job(job.pk, _still(job))
            return
        self._keep_beating(job)
        self._hold_to_limit(job)
        if job.cancel_requested and self._patience(job) <= 0:
            self._end(job, process)

    def _keep_beating(self, job: Job) -> None:
        now = timezone.now()
        if job.heartbeat_at is None or now - job.heartbeat_at > timedelta(seconds=settings.JOB_HEARTBEAT_SECONDS):
            Job.objects.filter(_still(job), pk=job.pk).update(heartbeat_at=now)

    def _hold_to_limit(self, job: Job) -> None:
        limit = time_limit_of(job.task, settings.JOB_LIMITS)
        if job.cancel_requested or job.started_at is None or timezone.now() - job.started_at < timedelta(seconds=limit):
            return
        job.cancel_requested = True
        job.stop_reason = translate(
            "It was stopped at its time limit of {limit} (RESTYLE_JOB_LIMITS).", limit=duration_in_words(limit)
        )
        Job.objects.filter(_still(job), pk=job.pk, cancel_requested=False).update(
            cancel_requested=True, stop_reason=job.stop_reason
        )

    def _patience(self, job: Job) -> float:
        """The seconds in which it may stop by itself: more once it has heard that it is to stop."""
        assert job.holder is not None
        since = self._asked.setdefault(job.holder, time.monotonic())
        most = settings.JOB_STOPPING_SECONDS if job.stopping_at else settings.JOB_GRACE_SECONDS
        return float(since + most - time.monotonic())

    def _end(self, job: Job, process: psutil.Process) -> None:
        """Hold the process, look again whether it is still at this job, and only then end it."""
        process.suspend()
        still = False
        try:
            still = Job.objects.filter(_still(job), pk=job.pk).exists()
        finally:
            if not still:
                process.resume()
        if not still:
            return
        processes.kill_process_tree(process)
        logger.warning("Job %s (%s) did not stop; its process %s was ended.", job.pk, job.task, process.pid)
        requeue_job(job.pk, _still(job), "It did not stop by itself, so its process was ended.")


def _still(job: Job) -> Q:
    """The job as the watchdog saw it: running, and held by the same process."""
    return Q(state=Job.State.RUNNING, holder=job.holder)


@contextmanager
def _in_brief(job: Job) -> Iterator[None]:
    """Work on one job in the block: a locked row keeps the other jobs waiting for seconds at most."""
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_WAIT}'")
            yield
    except (DatabaseError, psutil.Error):
        logger.warning("Job %s could not be seen to; it is at the next look.", job.pk, exc_info=True)
        if not connection.is_usable():
            raise


def main(over: threading.Event) -> None:
    """Watch until a signal to stop comes, or it is over."""

    def end(*_: Any) -> None:
        over.set()

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, end)
    Watchdog().run(over)
