from collections.abc import Mapping
from itertools import count
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from accounts.audit import audited
from corpora.formats import FORMATS, DocumentFormat
from corpora.models import Study, Upload, UploadPiece
from corpora.studies import check_style
from corpora.uploads import MEGABYTE, text_file
from foundation.errors import UserError
from jobs.actions.queue_job import queue_job
from jobs.models import Job

OVER = (Job.State.DONE, Job.State.FAILED, Job.State.CANCELLED)


@audited
@transaction.atomic
def start_import(
    *,
    study: Study,
    file: "UploadedFile[Any]",
    format: str,
    style: str = "",
    encoding: str = "",
    options: Mapping[str, str] | None = None,
    defaults: Mapping[str, str] | None = None,
    hold_flagged: bool = True,
    by: Any,
) -> Upload:
    """Keep an uploaded file of documents and queue the job that imports them.

    An error that the file's first document shows is a UserError at once. `defaults` are question, question_text,
    topic and domain for documents that have none of their own.
    """
    form = document_format(format)
    if style:
        check_style(study, style, "style")
    chosen = {name: value for name, value in (options or {}).items() if value != ""}
    _check_beginning(form, file, encoding, chosen, style)
    UploadPiece.objects.filter(upload__study=study, upload__job__state__in=OVER).delete()
    name = (file.name or "the upload")[:200]
    job = queue_job(
        task="corpora.tasks.import_documents", title=f"Documents: {name}"[:200],
        study_slug=study.slug, by=by,
    )  # fmt: skip
    upload = Upload.objects.create(
        study=study, job=job, name=name, format=format, style=style, encoding=encoding, options=chosen,
        defaults={name: value for name, value in (defaults or {}).items() if value}, hold_flagged=hold_flagged,
    )  # fmt: skip
    _store(upload, file)
    return upload


def document_format(name: str) -> DocumentFormat:
    """The format of documents of that name."""
    form = FORMATS[name]
    if not isinstance(form, DocumentFormat):
        raise UserError("'{name}' is not a format of documents.", name=name, where="format")
    return form


def _check_beginning(form: DocumentFormat, file: "UploadedFile[Any]", encoding: str, options: Any, style: str) -> None:
    first = next(form.documents(text_file(file, encoding=encoding), options), None)
    if first is None:
        raise UserError("The file has no document.", where=file.name or "file")
    if not first.style and not style:
        raise UserError("The file does not say the style of its documents; choose one.", where="style")


def _store(upload: Upload, file: "UploadedFile[Any]") -> None:
    file.seek(0)
    for number in count():
        data = file.read(MEGABYTE)
        if not data:
            return
        UploadPiece.objects.create(upload=upload, number=number, data=data)
