"""Tasks that the tests' worker knows beside the house's: one ends at once, two stand in a program that never ends."""

import re

from celery import shared_task

from jobs.execution import run_job

QUICK, PATTERN, OVER_LIMIT = "support.stuck.quick", "support.stuck.pattern", "support.stuck.agreement"
NEVER_MATCHES = "a" * 60 + "b"


@shared_task(name=QUICK)
def quick(job_id: int) -> None:
    run_job(job_id, lambda job, progress: progress.at(1, 1))


@shared_task(name=PATTERN)
def pattern(job_id: int) -> None:
    """A pattern that takes years: no other thread of the process has a turn meanwhile."""
    run_job(job_id, lambda job, progress: re.match(r"(a+)+$", NEVER_MATCHES))


@shared_task(name=OVER_LIMIT)
def agreement(job_id: int) -> None:
    """Another of them, of a kind that has a limit of a second in the tests."""
    run_job(job_id, lambda job, progress: re.match(r"(a+)+$", NEVER_MATCHES))
