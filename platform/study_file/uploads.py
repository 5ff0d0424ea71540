"""A study file that is uploaded with the files that it names: no path of it reaches the disk."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from accounts.permissions import Can, require
from corpora.formats import TextFile
from corpora.models import Study
from foundation.errors import UserError
from study_file.actions.apply_study import apply_study
from study_file.study_archive import is_archive, opened_archive

LARGEST_STUDY_FILE = 1024 * 1024


def apply_uploads(
    *, study: "UploadedFile[Any]", files: Sequence["UploadedFile[Any]"], by: Any
) -> tuple[Study, list[str]]:
    """Apply the uploaded study file; the names in it are matched to `files` by their last part."""
    name = study.name or "the study file"
    allowed = lambda there: require(by, Can.EDIT_STUDY, there)  # noqa: E731
    begin = study.read(4)
    study.seek(0)
    if is_archive(begin):
        if files:
            raise UserError("An archive holds the files that it names; leave the others out.", where=name)
        declared, opened = opened_archive(study, name, settings.UPLOAD_LIMIT_BYTES)
        return apply_study(file=declared, opened=opened, limit=settings.UPLOAD_LIMIT_BYTES, by=by, may_change=allowed)
    if (study.size or 0) > LARGEST_STUDY_FILE:
        raise UserError("A study file has at most 1 MB; the texts are files of their own.", where=name)
    return apply_study(
        file=TextFile(study.read(), name),
        opened=_Uploads(files),
        limit=settings.UPLOAD_LIMIT_BYTES,
        by=by,
        may_change=allowed,
    )


class _Uploads:
    """Maps a name in the study file to the upload with the same last part."""

    def __init__(self, files: Sequence["UploadedFile[Any]"]) -> None:
        self.files = files
        self.given: dict[str, str] = {}

    def __call__(self, name: str) -> "UploadedFile[Any]":
        last = name.replace("\\", "/").rpartition("/")[2]
        found = [file for file in self.files if file.name == last]
        if not found:
            raise UserError("No file '{last}' was uploaded.", last=last)
        other = self.given.setdefault(last, name)
        if len(found) > 1 or other != name:
            raise UserError("'{last}' could be more than one file; give each file a name of its own.", last=last)
        found[0].seek(0)
        return found[0]
