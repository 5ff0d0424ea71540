"""The job that brings an upload's documents in. Run again from its start, it brings nothing in twice."""

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.db.models import Sum
from django.db.models.functions import Length

from corpora.actions.add_documents import Added, add_documents
from corpora.actions.start_import import document_format
from corpora.documents.preparation import PreparedDocuments, prepare_documents, with_defaults
from corpora.formats import RawQuestion, TextFile
from corpora.models import Upload
from foundation.errors import UserError
from jobs.execution.progress import Cancelled, JobResult, Progress
from jobs.models import Job

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
        """How far a copy of it was read, where another process does that."""
        self.done = place


def import_upload(job: Job, progress: Progress) -> JobResult:
    """Split and flag the documents of the job's upload, then write all of them and let go of its bytes at once."""
    upload = Upload.objects.select_related("study").get(job=job)
    if upload.document_count is not None:  # its worker was lost after the last commit
        return told_of(upload)
    size = upload.pieces.aggregate(size=Sum(Length("data")))["size"]
    if size is None:
        raise UserError("The file is not here any more; upload it again.", where=upload.name)
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
    """What came in; a warning where a part of it did not, or waits for somebody."""
    counts = (upload.document_count, upload.sentence_count, upload.held_count, upload.empty_count)
    added = Added(*(count or 0 for count in counts))
    warnings = []
    if not added.sentences:
        warnings.append("Not one sentence came in: look at the file and its format.")
    elif added.empty:
        warnings.append(f"Documents without text were left out: {added.empty:,}.")
    if added.held:
        warnings.append(f"Nobody gets held sentences to work on before their flags are decided: {added.held:,}.")
    return JobResult(added.told, " ".join(warnings))


def _prepared(upload: Upload, pieces: Any, on_the_way: Callable[[], object]) -> PreparedDocuments:
    form = document_format(upload.format)
    file = TextFile(pieces, upload.name, upload.encoding or None)
    documents = with_defaults(form.documents(file, upload.options), **defaults_of(upload.defaults))
    return prepare_documents(
        documents, styles=upload.study.styles, style=upload.style, origin=upload.name, on_the_way=on_the_way
    )  # fmt: skip


def defaults_of(given: dict[str, str]) -> dict[str, Any]:
    """What `with_defaults` takes, from what a form gives."""
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
