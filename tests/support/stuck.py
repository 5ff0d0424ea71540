"""Tasks that the tests' worker knows beside the house's: one ends at once, two stand in a program that never ends."""

import ctypes

from celery import shared_task

from jobs.execution import run_job

QUICK, STANDS, OVER_LIMIT = "support.stuck.quick", "support.stuck.stands", "support.stuck.agreement"
SLEEP = ctypes.PyDLL(None).sleep  # keeps Python's lock while it waits, as a pattern that takes years does


@shared_task(name=QUICK)
def quick(job_id: int) -> None:
    run_job(job_id, lambda job, progress: progress.at(1, 1))


def stand() -> None:
    """No other thread of the process has a turn meanwhile. Unlike a pattern it leaves the processor to other tests."""
    while True:
        SLEEP(600)


@shared_task(name=STANDS)
def stands(job_id: int) -> None:
    """One that never ends."""
    run_job(job_id, lambda job, progress: stand())


@shared_task(name=OVER_LIMIT)
def agreement(job_id: int) -> None:
    """Another of them, of a kind that has a limit of a second in the tests."""
    run_job(job_id, lambda job, progress: stand())
