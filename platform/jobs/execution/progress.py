"""What the work of a job says of itself: how far it is, and what it made."""

import time
from typing import NamedTuple

from django.db.models import F, QuerySet, Value
from django.db.models.functions import Coalesce, Concat
from django.utils import timezone

from foundation import preemption
from jobs.models import Job

WRITE_EVERY_SECONDS = 0.5


class Cancelled(Exception):
    """Somebody asked the job to stop."""


class Preempted(Exception):
    """The process of the job was asked to end: another goes on with it."""


class JobTaken(Exception):
    """Another worker holds the job now."""


class JobResult(NamedTuple):
    """What a job made, in a sentence; and a sentence about what somebody should look at, "" where there is nothing."""

    said: str
    warning: str = ""


class Progress:
    """What the work tells of itself. Writes at most twice a second; a line of the log is written at once."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._written = 0.0
        self.last: dict[str, int] = {}

    def at(self, done: int, total: int, line: str = "") -> None:
        """Say that `done` of `total` steps are done. Raises Cancelled, JobTaken, or, where more is to do, Preempted."""
        self.last = {"done": done, "total": total}
        now, preempted = time.monotonic(), preemption.asked()
        if line or preempted or done >= total or now - self._written >= WRITE_EVERY_SECONDS:
            self._written = now
            self._write(done, total, line)
        if preempted and (done < total or not total):
            raise Preempted

    def _write(self, done: int, total: int, line: str) -> None:
        changes = {"done": done, "total": total, "heartbeat_at": timezone.now()}
        if line:
            changes["log"] = Concat(F("log"), Value(stamped(line)))
        held = job_as_held(self.job)
        if not held.filter(cancel_requested=False).update(**changes):  # in one statement what is usual
            heard = Coalesce(F("stopping_at"), Value(timezone.now()))
            raise Cancelled if held.update(**changes, stopping_at=heard) else JobTaken


def job_as_held(job: Job) -> QuerySet[Job]:
    return Job.objects.filter(pk=job.pk, holder=job.holder, state=Job.State.RUNNING)


def stamped(line: str) -> str:
    return f"{timezone.now():%H:%M:%S} {storable(line)}\n"


def storable(line: str) -> str:
    """PostgreSQL stores neither NUL nor half a surrogate pair, and an error may speak of any text."""
    return line.replace("\0", "").encode("utf-8", "replace").decode()
