"""Running a job: the holder of its row, progress, heartbeat, time limits."""

import logging
import signal
import threading
import time
import traceback
import uuid
from collections.abc import Callable
from contextlib import nullcontext
from datetime import timedelta
from functools import partial
from typing import Any, NamedTuple, TypeVar

from celery import current_task
from django.conf import settings
from django.db import Error as DatabaseError
from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Coalesce, Concat
from django.utils import timezone

from foundation import preemption
from foundation.disk import is_disk_full
from foundation.errors import UserError
from foundation.processes import process_identity
from jobs.models import Job
from jobs.queueing import GIVEN_BACK, dispatch_followers, job_ended, park, requeue_job
from jobs.queues import LONG

# The reports of a job's work: its progress, and its result.

WRITE_EVERY_SECONDS = 0.5


class Cancelled(Exception):
    """Somebody asked the job to stop."""


class Preempted(Exception):
    """The process of the job was asked to end: another goes on with it."""


class Parked(Exception):
    """The job waits for something outside, which takes long; it gives its place at the worker to others.

    The message names the wait. At its end `jobs.queueing.unpark` sends the job again.
    """


class TooLarge(Exception):
    """There is no room for the job beside what its machine does: it waits in the queue of long work, before others."""


class JobTaken(Exception):
    """Another worker holds the job now."""


class JobResult(NamedTuple):
    """The result of a job in a sentence, and a warning that somebody should look at, "" for none."""

    said: str
    warning: str = ""


class Progress:
    """The progress that the work reports. Writes at most twice a second; a line of the log is written at once."""

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


# Run a job: take its row, keep its heart beating, follow its progress, and say how it ended.
#
# @shared_task(name="evaluation.tasks.score")
# def score(job_id):
# run_job(job_id, lambda job, progress: ...)
#
# The work calls `progress.at(done, total)` often: this is where a cancelled or lost job stops. Work must be idempotent,
# since a job whose worker was lost is run again from its start. It returns a `JobResult`: a sentence that is true also
# where another worker had done a part of it.

logger = logging.getLogger(__name__)


class Heartbeat(threading.Thread):
    """Writes the heartbeat while the work computes. A database that is away for a moment does not stop it."""

    def __init__(self, job: Job) -> None:
        super().__init__(daemon=True, name=f"heartbeat of job {job.pk}")
        self.job = job
        self._over = threading.Event()

    def run(self) -> None:
        while not self._over.wait(settings.JOB_HEARTBEAT_SECONDS):
            try:
                job_as_held(self.job).update(heartbeat_at=timezone.now())
            except DatabaseError:
                logger.warning("%s was missed", self.name, exc_info=True)
            finally:
                connection.close()  # to the pool: between two beats nobody needs it

    def stop(self) -> None:
        self._over.set()
        self.join()


AGAIN_SECONDS = 0.5  # between two looks whether the database is back
AWAY = (OperationalError, InterfaceError)
T = TypeVar("T")


def run_job(job_id: int, work: Callable[[Job, Progress], object]) -> None:
    """Do `work` as the holder of the job; do nothing where somebody else holds it or it is over.

    A worker's process that is asked to end gives the job back at its next step.
    """
    with preemption.listening(signal.SIGTERM) if _is_a_worker() else nullcontext():
        _hold(job_id, work)


def _hold(job_id: int, work: Callable[[Job, Progress], object]) -> None:
    holder = uuid.uuid4()
    job = retry_until_database_answers(lambda: _take(job_id, holder))
    if job is None:
        return
    beat = Heartbeat(job)
    beat.start()
    try:
        _work(job, work)
    except JobTaken:
        return
    finally:
        beat.stop()


def _work(job: Job, work: Callable[[Job, Progress], object]) -> None:
    progress = Progress(job)
    try:
        made = work(job, progress)
        told = made if isinstance(made, JobResult) else JobResult("")
    except JobTaken:
        raise
    except Cancelled:
        retry_until_database_answers(lambda: _stop(job))
    except Preempted:
        retry_until_database_answers(partial(requeue_job, job.pk, _held_here(job), GIVEN_BACK, mine=True))
    except Parked as parked:
        retry_until_database_answers(partial(park, job.pk, _held_here(job), str(parked)))
    except TooLarge as error:
        retry_until_database_answers(partial(requeue_job, job.pk, _held_here(job), str(error), mine=True, queue=LONG))
    except AWAY as error:
        away = f"The database was away ({type(error).__name__}); it goes on."
        retry_until_database_answers(partial(requeue_job, job.pk, _held_here(job), away, mine=True))
    except UserError as error:
        _end_surely(job, Job.State.FAILED, str(error), error=str(error))
    except Exception as error:
        sentence = f"The job stopped at an error of the program: {type(error).__name__}: {error}"
        if is_disk_full(error):
            sentence = "The disk is full, so the job stopped; run it again when there is space."
        _end_surely(job, Job.State.FAILED, traceback.format_exc(), error=sentence)
    else:
        _end_surely(job, Job.State.DONE, *_lines(told), told=told, progress=progress.last)


def retry_until_database_answers(write: Callable[[], T]) -> T:
    """Do it when the database answers: it may start again during a job, and the outcome of a job must not be lost."""
    while True:
        try:
            return write()
        except AWAY:
            if connection.in_atomic_block:
                raise
            logger.warning("The database does not answer; a job waits for it.")
            connection.close()
            time.sleep(AGAIN_SECONDS)


def _held_here(job: Job) -> Q:
    return Q(state=Job.State.RUNNING, holder=job.holder)


def _stop(job: Job) -> None:
    """End a job that was asked to stop: by a person, or for a reason that is its error."""
    reason = Job.objects.filter(pk=job.pk).values_list("stop_reason", flat=True).first()
    if reason:
        _end(job, Job.State.FAILED, reason, error=reason)
    else:
        _end(job, Job.State.CANCELLED, "Cancelled.")


def _take(job_id: int, holder: uuid.UUID) -> Job | None:
    """Become the holder, where the job waits or its last holder was lost. A watchdog looks after a worker's process.

    The job before it must be done. A done job stays done, so this is checked before the statement, not in it.
    """
    if Job.objects.filter(pk=job_id, after__isnull=False).exclude(after__state=Job.State.DONE).exists():
        return None
    now = timezone.now()
    mine = Q(state=Job.State.RUNNING, holder=holder)  # taken, and the database went away before it could say so
    lost = Q(state=Job.State.RUNNING, heartbeat_at__lt=now - timedelta(seconds=settings.JOB_LOST_AFTER_SECONDS))
    taken = Job.objects.filter(Q(state=Job.State.QUEUED) | lost | mine, pk=job_id).update(
        state=Job.State.RUNNING,
        holder=holder,
        process=process_identity() if _is_a_worker() else "",
        stopping_at=None,
        awaited="",
        heartbeat_at=now,
        started_at=now,
        attempts=F("attempts") + 1,
        log=Concat(F("log"), Value(stamped("Started."))),
    )
    return Job.objects.get(pk=job_id) if taken else None


def _is_a_worker() -> bool:
    """Whether this process does tasks, and may be ended for one; not a command's, nor a test's."""
    return bool(current_task) and not current_task.request.called_directly


def _end(
    job: Job,
    state: str,
    *lines: str,
    error: str = "",
    told: JobResult | None = None,
    progress: dict[str, int] | None = None,
) -> None:
    """End the job; `progress` is the last report of the work, which may not have been written yet."""
    log = Concat(F("log"), Value("".join(map(stamped, lines))))
    said = {"told": storable(told.said), "warning": storable(told.warning)} if told else {}
    changes = {**(progress or {}), **said}
    with transaction.atomic():
        ended = job_as_held(job).update(state=state, error=storable(error), log=log, ended_at=timezone.now(), **changes)
        if not ended:
            return
        job.state = state
        job_ended.send(sender=Job, job=job)
        if state == Job.State.DONE:
            dispatch_followers(job)


def _end_surely(job: Job, state: str, *lines: str, **fields: Any) -> None:
    retry_until_database_answers(lambda: _end(job, state, *lines, **fields))


def _lines(told: JobResult) -> list[str]:
    return [line for line in (told.said, told.warning and f"Warning: {told.warning}", "Done.") if line]
