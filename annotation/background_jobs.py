"""The job that looks at a file of gold, or imports it. Run again from its start, it imports nothing twice."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.db import transaction

from annotation.actions.import_gold import counts_of, import_gold, look_at_gold
from annotation.models import GoldImport
from corpora.formats import TextFile
from corpora.splits import left_out_message
from foundation.errors import UserError
from jobs.execution import Progress
from jobs.models import Job

SAME = {True: "Written again it is the same to the byte.", False: "Written again it differs.", None: ""}


def run_gold_import(job: Job, progress: Progress) -> None:
    """Count what would come, or write it and let go of the file at once."""
    run = GoldImport.objects.select_related("study").get(job=job)
    if run.brought is not None:
        return  # its worker was lost after the last commit
    with _file(run) as file:
        asked = {
            "study": run.study, "file": file, "form": run.form, "split": run.split, "tune": run.tune, "by": job.made_by
        }  # fmt: skip
        if not run.writes:
            run.found = counts_of(look_at_gold(**asked))
            run.save(update_fields=["found"])
            done = run.found
        else:
            done = _write(run, asked)
    for line in import_summary(done, run.writes):
        progress.at(1, 1, line)


@transaction.atomic
def _write(run: GoldImport, asked: dict[str, Any]) -> dict[str, Any]:
    run.brought = counts_of(import_gold(**asked))
    run.save(update_fields=["brought"])
    run.pieces.all().delete()
    return run.brought


def import_summary(done: dict[str, Any], brought: bool) -> Iterator[str]:
    """The lines about what came, or would."""
    yield f"{done['rows']:,} rows of gold {'are in' if brought else 'would come in'}."
    for direction, splits in done["sources"].items():
        yield f"{direction}: {', '.join(f'{count:,} sources to {split}' for split, count in splits.items())}."
    yield f"{done['references']:,} references in {done['sets']:,} sets."
    if done["documents"]:
        yield f"{done['documents']:,} documents, {done['questions']:,} questions."
    if done["again"]:
        yield f"{done['again']:,} rows were here already."
    if message := left_out_message(done["left"]):
        yield message
    if comparison := SAME[done["same"]]:
        yield comparison


@contextmanager
def _file(run: GoldImport) -> Iterator[TextFile]:
    with TemporaryDirectory(prefix="restyle-gold-") as folder:
        path = Path(folder) / "upload"
        with path.open("wb") as upload:
            for data in run.pieces.order_by("number").values_list("data", flat=True).iterator(chunk_size=1):
                upload.write(data)
        if not path.stat().st_size:
            raise UserError("The file is empty or no longer here; upload it again.", where=run.name)
        yield TextFile(path, run.name)
