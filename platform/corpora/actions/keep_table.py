from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils import timezone

from accounts.audit import audited
from corpora.formats import TextFile
from corpora.models import Study, Upload, UploadPiece
from corpora.table_import.import_plan import reading_of
from corpora.table_import.targets import TARGETS
from corpora.table_parser import ManyTables, understand
from corpora.uploads import MEGABYTE, text_file
from foundation.errors import UserError

LEFT_ALONE = timedelta(days=1)


@audited
@transaction.atomic
def keep_table(
    *, study: Study, target: str, file: "UploadedFile[Any] | None" = None, pasted: str = "", by: Any = None,
    settings: dict[str, str] | None = None, reading: dict[str, str] | None = None,
) -> Upload:  # fmt: skip
    """Keep a file, or pasted lines, until somebody says what its columns mean; nothing of it enters the study.

    A file that is no table is a UserError; where `reading` is given, that is found out later.
    """
    TARGETS[target]
    if file is None and not pasted.strip():
        raise UserError("Choose a file, or paste the rows.", where="file")
    if file is not None and pasted.strip():
        raise UserError("Give a file or paste the rows, not both.", where="file")
    source = text_file(file, pasted)
    reading = {"part": _understood(source, study)} if reading is None else reading
    upload = Upload.objects.create(
        study=study, name=source.name[:200], target=target, reading=reading, made_by=by, settings=settings or {}
    )  # fmt: skip
    _store(upload, source)
    return upload


def _understood(file: TextFile, study: Study) -> str:
    """The part to begin with: the first, where the tables are neither alike nor stand side by side."""
    reading = reading_of({}, study)
    try:
        understand(file, reading).close()
    except ManyTables as error:
        understand(file, replace(reading, part=error.parts[0])).close()
        return error.parts[0]
    return ""


def _store(upload: Upload, file: TextFile) -> None:
    if isinstance(file.source, bytes):
        UploadPiece.objects.create(upload=upload, number=0, data=file.source)
        return
    file.source.seek(0)  # type: ignore[union-attr]
    for number in count():
        data = file.source.read(MEGABYTE)  # type: ignore[union-attr]
        if not data:
            return
        UploadPiece.objects.create(upload=upload, number=number, data=data)


def forget_left_alone() -> None:
    """Remove the tables that nobody imported or touched for a day."""
    Upload.objects.filter(changed_at__lt=timezone.now() - LEFT_ALONE, job=None).exclude(target="").delete()
