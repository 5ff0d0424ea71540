from typing import Any

from django.db import transaction

from accounts.audit import audited
from backup.schedule import TASK
from foundation.errors import UserError
from jobs.actions.queue_job import queue_job
from jobs.models import Job


@audited
@transaction.atomic
def start_backup(*, by: Any = None, send: bool = True) -> Job:
    """Queue a backup of the whole site into the place of RESTYLE_BACKUPS; its job belongs to no study."""
    if Job.objects.filter(task=TASK, state__in=[Job.State.QUEUED, Job.State.RUNNING]).exists():
        raise UserError("A backup is being made already.")
    return queue_job(task=TASK, title="Backup of the site", study_slug="", by=by, send=send)
