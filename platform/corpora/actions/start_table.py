from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.bring_in_table import Brought, bring_in_table, refuse_open
from corpora.models import Upload
from corpora.table_import.import_plan import plan_for
from corpora.table_import.targets import TARGETS
from corpora.table_parser import Table
from jobs.actions.queue_job import queue_job
from jobs.models import Job

AT_ONCE = 20_000
"""Rows up to which a table comes in while somebody waits."""


@audited
@transaction.atomic
def start_table(*, upload: Upload, table: Table, by: Any = None) -> tuple[Brought, Job | None]:
    """Bring a kept table in: at once, with the outcome in a sentence, or by a job where that takes long.

    Questions that are open are a UserError now, not in the job.
    """
    chosen = {"mapping": upload.mapping, "settings": upload.settings, "answers": upload.answers}
    if table.rows <= AT_ONCE and not TARGETS[upload.target].slow:
        brought = bring_in_table(study=upload.study, table=table, target=upload.target, by=by, **chosen)
        upload.delete()
        return brought, None
    plan = plan_for(upload.study, table, upload.target, **chosen)
    refuse_open(plan, table)
    job = queue_job(
        task="corpora.tasks.bring_in_table", title=f"Import: {upload.name}"[:200],
        study_slug=upload.study.slug, by=by,
    )  # fmt: skip
    upload.job, upload.mapping = job, plan.mapping
    upload.save(update_fields=["job", "mapping"])
    return Brought("", tuple(plan.notes)), job
