"""Tables that wait between two pages: read again from the pieces that were kept, and brought in by a job."""

from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile
from typing import Any, cast

from corpora.actions.bring_in_table import Brought, bring_in_table
from corpora.background_jobs.document_import import Pieces
from corpora.formats import MEGABYTE, TextFile
from corpora.models import Upload
from corpora.table_import.import_plan import plan_for, reading_of
from corpora.table_import.targets import TARGETS
from corpora.table_parser import Table, understand
from foundation.errors import UserError
from jobs.execution.progress import Cancelled, JobResult, Progress
from jobs.models import Job

IN_MEMORY = 8 * MEGABYTE
EVERY = 1000


@contextmanager
def table_of(upload: Upload) -> Iterator[Table]:
    """The kept table, as it is to be read."""
    with SpooledTemporaryFile(max_size=IN_MEMORY) as held:
        pieces = Pieces(upload)
        while data := pieces.read(MEGABYTE):
            held.write(data)
        held.seek(0)
        with understand(TextFile(cast(Any, held), upload.name), reading_of(upload.reading, upload.study)) as table:
            yield table


def bring_in_upload(job: Job, progress: Progress) -> JobResult | None:
    """Bring the job's table in, then let go of it. Run again from its start it brings nothing in twice."""
    upload = Upload.objects.select_related("study", "made_by").filter(job=job).first()
    if upload is None:
        return None  # its worker was lost after the commit, in which the upload went too
    if not upload.pieces.exists():
        raise UserError("The file is not here any more; upload it again.", where=upload.name)
    try:
        with table_of(upload) as table:
            brought = _brought(upload, table, progress)
    except (UserError, Cancelled):
        upload.pieces.all().delete()
        raise
    return JobResult(str(brought))


def _brought(upload: Upload, table: Table, progress: Progress) -> Brought:
    from django.db import transaction

    progress.at(0, table.rows + 1, f"Going through {table.rows:,} rows.")
    read, done = table.read, 0

    def counted() -> Iterator[Any]:
        nonlocal done
        for done, row in enumerate(read(), 1):
            if done % EVERY == 0:
                progress.at(min(done, table.rows), table.rows + 1)
            yield row

    chosen = {"mapping": upload.mapping, "settings": upload.settings, "answers": upload.answers}
    table.read = counted
    plan = plan_for(upload.study, table, upload.target, **chosen)
    plan.prepare(lambda: progress.at(min(done, table.rows), table.rows + 1))
    table.read = read
    progress.at(table.rows, table.rows + 1, "Writing them.")
    prepared = plan if TARGETS[upload.target].slow else None
    with transaction.atomic():
        brought = bring_in_table(
            study=upload.study, table=table, target=upload.target, prepared=prepared, by=upload.made_by, **chosen
        )  # fmt: skip
        Upload.objects.filter(pk=upload.pk).delete()
    return brought
