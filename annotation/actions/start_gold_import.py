from itertools import count
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from accounts.audit import audited
from annotation.actions.import_gold import check_asked
from annotation.models import GoldImport, GoldImportPiece
from corpora.actions.lock_study import lock_study
from corpora.models import Study
from foundation.errors import UserError
from foundation.options import options_as_stored
from jobs.actions.queue_job import queue_job
from jobs.models import Job

MEGABYTE = 1024 * 1024
UNDER_WAY = (Job.State.QUEUED, Job.State.RUNNING)


@audited
@transaction.atomic
def start_gold_import(
    *,
    study: Study,
    file: "UploadedFile[Any]",
    writes: bool = False,
    by: Any,
    **fields: Any,
) -> GoldImport:
    """Keep an uploaded file of gold and queue the job that looks at it (`GoldFields`); with `writes` it comes in at
    once."""
    lock_study(study)
    asked = check_asked(study, fields)
    _refuse_two(study)
    GoldImportPiece.objects.filter(gold_import__study=study).delete()
    name = (file.name or "the upload")[:200]
    job = _job(study, name, writes, by)
    gold_import = GoldImport.objects.create(study=study, job=job, name=name, writes=writes, **options_as_stored(asked))
    file.seek(0)
    for number in count():
        data = file.read(MEGABYTE)
        if not data:
            break
        GoldImportPiece.objects.create(gold_import=gold_import, number=number, data=data)
    return gold_import


@audited
@transaction.atomic
def bring_gold_in(*, gold_import: GoldImport, by: Any) -> GoldImport:
    """Queue the job that imports the file that was looked at."""
    study = gold_import.study
    lock_study(study)
    gold_import.refresh_from_db()
    if gold_import.writes:
        raise UserError("This file is already imported, or its import is running.", where=gold_import.name)
    if gold_import.found is None or not gold_import.pieces.exists():
        raise UserError("The file has nothing to import; upload it again.", where=gold_import.name)
    _refuse_two(study)
    gold_import.writes = True
    gold_import.job = _job(study, gold_import.name, True, by)
    gold_import.save(update_fields=["writes", "job"])
    return gold_import


def _refuse_two(study: Study) -> None:
    if study.gold_imports.filter(job__state__in=UNDER_WAY).exists():
        raise UserError("A gold import for this study is running already.", where="file")


def _job(study: Study, name: str, writes: bool, by: Any) -> Job:
    title = f"Gold: {name}" if writes else f"Look at gold: {name}"
    return queue_job(task="annotation.tasks.import_gold", title=title[:200], study_slug=study.slug, by=by)
