"""The long work that Celery tasks run: documents and tables imported, sources selected, concepts linked."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from tempfile import SpooledTemporaryFile
from typing import Any, cast

from django.db import transaction
from django.db.models import Sum
from django.db.models.functions import Length

from corpora.actions.add_documents import Added, add_documents
from corpora.actions.bring_in_table import Brought, bring_in_table
from corpora.actions.select_sources import select_sources
from corpora.actions.start_import import document_format
from corpora.documents import PreparedDocuments, prepare_documents, with_defaults
from corpora.formats import MEGABYTE, RawQuestion, TextFile
from corpora.models import Direction, SelectionRun, Upload
from corpora.source_selection import (
    AT_ONCE,
    LABELS,
    Choice,
    SelectionCriteria,
    choose_sentences,
    sentences_of,
)
from corpora.table_import.import_plan import plan_for, reading_of
from corpora.table_import.targets import TARGETS
from corpora.table_parser import Table, understand
from foundation.errors import UserError
from foundation.translation import translatable, translate
from jobs.execution import Cancelled, JobResult, Progress
from jobs.models import Job

# The job that brings an upload's documents in. Run again from its start, it brings nothing in twice.

KILOBYTE = 1024


class Pieces:
    """An upload's bytes as an open file; `done` counts those that were read."""

    def __init__(self, upload: Upload) -> None:
        self._rows = upload.pieces.order_by("number").values_list("data", flat=True).iterator(chunk_size=1)
        self._rest = b""
        self.done = 0

    def read(self, size: int = -1, /) -> bytes:
        while size < 0 or len(self._rest) < size:
            piece = next(self._rows, None)
            if piece is None:
                break
            self._rest += bytes(piece)
        cut = len(self._rest) if size < 0 else size
        chunk, self._rest = self._rest[:cut], self._rest[cut:]
        self.done += len(chunk)
        return chunk

    def reached(self, place: int) -> None:
        """Hear how far another process has read its copy."""
        self.done = place


def import_upload(job: Job, progress: Progress) -> JobResult:
    """Split and flag the documents of the job's upload, then write all of them and let go of its bytes at once."""
    upload = Upload.objects.select_related("study").get(job=job)
    if upload.document_count is not None:  # its worker was lost after the last commit
        return told_of(upload)
    size = upload.pieces.aggregate(size=Sum(Length("data")))["size"]
    if size is None:
        raise UserError("The file is no longer here; upload it again.", where=upload.name)
    pieces = Pieces(upload)
    progress.at(0, _kilobytes(size), "Reading, in kilobytes.")
    try:
        ready = _prepared(upload, pieces, lambda: progress.at(_kilobytes(pieces.done), _kilobytes(size) + 1))
        progress.at(_kilobytes(size), _kilobytes(size) + 1, f"{ready.sentences:,} sentences are split; writing them.")
        _write(upload, ready)
    except (UserError, Cancelled):
        upload.pieces.all().delete()
        raise
    progress.at(_kilobytes(size), _kilobytes(size))
    return told_of(upload)


def told_of(upload: Upload) -> JobResult:
    """The counts of an import; a warning where a part did not come in, or waits for somebody."""
    counts = (upload.document_count, upload.sentence_count, upload.held_count, upload.empty_count)
    added = Added(*(count or 0 for count in counts))
    warnings = []
    if not added.sentences:
        warnings.append(translate("Not one sentence came in: look at the file and its format."))
    elif added.empty:
        warnings.append(translate("Documents without text were left out: {n}.", n=f"{added.empty:,}"))
    if added.held:
        held = translatable("Nobody gets held sentences to work on before their flags are decided: {n}.")
        warnings.append(translate(held, n=f"{added.held:,}"))
    return JobResult(added.told, " ".join(warnings))


def _prepared(upload: Upload, pieces: Any, on_the_way: Callable[[], object]) -> PreparedDocuments:
    form = document_format(upload.format)
    file = TextFile(pieces, upload.name, upload.encoding or None)
    documents = with_defaults(form.documents(file, upload.options), **defaults_of(upload.defaults))
    return prepare_documents(
        documents, styles=upload.study.styles, style=upload.style, origin=upload.name,
        language=upload.study.language, on_the_way=on_the_way,
    )  # fmt: skip


def defaults_of(given: dict[str, str]) -> dict[str, Any]:
    """The arguments of `with_defaults`, from the values of a form."""
    code = given.get("question", "")
    question = RawQuestion(code, given.get("question_text", "")) if code else None
    return {"question": question, "topic": given.get("topic", ""), "domain": given.get("domain", "")}


@transaction.atomic
def _write(upload: Upload, ready: PreparedDocuments) -> Added:
    added = add_documents(study=upload.study, documents=ready, hold_flagged=upload.hold_flagged)
    upload.document_count, upload.sentence_count = added.documents, added.sentences
    upload.held_count, upload.empty_count = added.held, added.empty
    upload.save(update_fields=["document_count", "sentence_count", "held_count", "empty_count"])
    upload.pieces.all().delete()
    return added


def _kilobytes(size: int) -> int:
    return -(-size // KILOBYTE)


# The job that selects sources, or counts them. Run again from its start, it selects nothing twice.


def needs_job(direction: Direction, wish: SelectionCriteria) -> bool:
    """Whether there are more sentences than a request goes through by itself."""
    return sentences_of(direction, wish)[AT_ONCE : AT_ONCE + 1].exists()


def select_for(job: Job, progress: Progress) -> JobResult:
    """Choose first, outside of any transaction; then write the chosen sentences, and count them in the run, at once."""
    run = SelectionRun.objects.select_related("direction__study").get(job=job)
    if run.taken is not None:  # its worker was lost after the last commit
        return _told(run)
    wish = SelectionCriteria(**run.wish)
    total = sentences_of(run.direction, wish).count()
    progress.at(0, total + 1, "Going through the sentences.")
    choice = choose_sentences(run.direction, wish, lambda done: progress.at(min(done, total), total + 1), run.split)
    _end(run, wish, choice, job.made_by)
    for line in told(choice, run.preview):
        progress.at(total + 1, total + 1, line)
    return _told(run)


def _told(run: SelectionRun) -> JobResult:
    seen = (run.taken or 0) + sum(run.left.values())
    would = translatable("{taken} of {seen} sentences would be sources.")
    are = translatable("{taken} of {seen} sentences are sources.")
    said = translate(would if run.preview else are, taken=f"{run.taken:,}", seen=f"{seen:,}")
    if run.taken:
        return JobResult(said)
    most = max(run.left, key=run.left.get, default="")
    why = f": {LABELS[most].lower()}, most of them" if most else ""
    return JobResult(said, f"Not one sentence was selected{why}.")


@transaction.atomic
def _end(run: SelectionRun, wish: SelectionCriteria, choice: Choice, by: Any) -> None:
    if not run.preview:
        select_sources(direction=run.direction, wish=wish, split=run.split, choice=choice, by=by)
    run.taken, run.left = len(choice.taken), dict(choice.left)
    run.save(update_fields=["taken", "left"])


def told(choice: Choice, preview: bool) -> list[str]:
    """The lines about the sentences that were selected, and why the others were not."""
    first = f"{len(choice.taken):,} of {choice.seen:,} sentences {'would be' if preview else 'are'} sources."
    return [first, *(f"{LABELS[why]}: {count:,}." for why, count in choice.left.most_common())]


# Tables that wait between two pages: read again from the pieces that were kept, and imported by a job.

IN_MEMORY = 8 * MEGABYTE
EVERY = 1000


@contextmanager
def table_of(upload: Upload, *, overview: bool = False) -> Iterator[Table]:
    """The kept table, as it is to be read; with an `overview` of all files, where it is an archive."""
    with SpooledTemporaryFile(max_size=IN_MEMORY) as held:
        pieces = Pieces(upload)
        while data := pieces.read(MEGABYTE):
            held.write(data)
        held.seek(0)
        reading = replace(reading_of(upload.reading, upload.study), overview=overview)
        with understand(TextFile(cast(Any, held), upload.name), reading) as table:
            yield table


def bring_in_upload(job: Job, progress: Progress) -> JobResult | None:
    """Bring the job's table in, then let go of it. Run again from its start it brings nothing in twice."""
    upload = Upload.objects.select_related("study", "made_by").filter(job=job).first()
    if upload is None:
        return None  # its worker was lost after the commit, in which the upload went too
    if not upload.pieces.exists():
        raise UserError("The file is no longer here; upload it again.", where=upload.name)
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
