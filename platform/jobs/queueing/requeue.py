"""Queue a job again whose worker was lost, or which gave it back; what comes no further in five workers is given up."""

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from jobs.models import Job
from jobs.queueing.dispatch import dispatch

MOST_ATTEMPTS = 5  # in a row that came no further
LOST = "Its worker was lost."
GIVEN_BACK = "Its worker was asked to end; another goes on."


@transaction.atomic
def requeue_job(pk: int, still: Q, what: str = LOST, *, mine: bool = False) -> None:
    """Queue a job again, or end it where it was asked to stop or was lost too often without coming further.

    Nothing is done unless it is `still` as it was found. `what` says what became of its worker; `mine` is said by this
    worker itself, which waits for the row where others leave it to the next look. It goes before those that wait, as
    long as it comes further or has had few turns: none that comes no further keeps the others waiting.
    """
    job = Job.objects.select_for_update(skip_locked=not mine).filter(still, pk=pk).first()
    if job is None:
        return
    if job.state == Job.State.RUNNING:
        job.log += f"{timezone.now():%H:%M:%S} {what}\n"
    further = job.state == Job.State.RUNNING and _came_further(job, lost=what != GIVEN_BACK)
    if job.cancel_requested:
        _stop(job, what)
    elif job.fruitless >= MOST_ATTEMPTS:
        _fail(job, f"Its worker was lost {job.fruitless} times in a row, and it came no further.")
    else:
        first = job.attempts > 0 and (further or job.attempts < MOST_ATTEMPTS)
        job.state, job.holder, job.process, job.queued_at = Job.State.QUEUED, None, "", timezone.now()
        transaction.on_commit(lambda: dispatch(job, first=first))
    job.save(
        update_fields=[
            "state", "holder", "process", "queued_at", "ended_at", "error", "told", "log", "furthest", "fruitless"
        ]
    )  # fmt: skip


def _came_further(job: Job, *, lost: bool) -> bool:
    """Whether this attempt did more than any before it; one that was lost and did not is counted."""
    further = job.done > job.furthest
    job.furthest = max(job.furthest, job.done)
    if further:
        job.fruitless = 0
    elif lost:
        job.fruitless += 1
    return further


def _stop(job: Job, what: str) -> None:
    """It was to stop, and its worker is no more: it has stopped."""
    if job.stop_reason:
        _fail(job, job.stop_reason)
    else:
        job.state, job.ended_at = Job.State.CANCELLED, timezone.now()
        job.told = "" if what in (LOST, GIVEN_BACK) else what


def _fail(job: Job, error: str) -> None:
    job.state, job.ended_at, job.error = Job.State.FAILED, timezone.now(), error
