from typing import Any

from django.conf import settings
from django.db import transaction

from accounts.audit import audited
from foundation.errors import UserError
from jobs.actions.queue_job import queue_job
from jobs.models import UNFINISHED, Job

SLUGS = r"^(demo|plain-abstracts|plain-letters)(-[0-9]+)?$"
TASK = "config.tasks.reset_demo"


@audited
@transaction.atomic
def start_demo_reset(*, by: Any = None, send: bool = True) -> Job:
    """Queue a job that makes the demo's studies anew; it belongs to no study. A UserError where there is no demo."""
    if not (settings.EMBEDDED and settings.DEMO):
        raise UserError("This site has no demo.")
    unfinished = Job.objects.filter(state__in=UNFINISHED)
    if unfinished.filter(task=TASK).exists():
        raise UserError("The demo is being created already.")
    if job := unfinished.filter(study_slug__regex=SLUGS).first():
        raise UserError(
            "The job “{job}” of the demo is still running; wait for it, or cancel it first.", job=job.shown_title
        )
    return queue_job(task=TASK, title="Reset of the demo", study_slug="", by=by, send=send)
