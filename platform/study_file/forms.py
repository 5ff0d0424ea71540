"""The form that takes a study file."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from corpora.forms.studies import UploadForm


class FileInput(forms.FileInput):
    """Takes many files; its name has it drawn as every other file field."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Any number of uploads, as a list."""

    widget = FileInput

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        return [super(FilesField, self).clean(one, initial) for one in data or []]


class StudyFileForm(UploadForm):
    study = forms.FileField(
        label=_("Study file"), help_text=_("The TOML file that declares the study, or the archive of one.")
    )
    files = FilesField(  # type: ignore[assignment]  # a form has `files` too, which it does not hide
        label=_("Files that the study file names"), required=False, allow_empty_file=True,
        help_text=_("Choose all files at once. They are matched by name, whatever folder they are in."),
    )  # fmt: skip
