"""The forms of studies, texts and systems. Files are read by the views; their errors come back to the field."""

import re
from collections.abc import Sequence
from tempfile import TemporaryFile
from typing import Any
from zipfile import ZIP_STORED, ZipFile

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import DeclaredForm, UncutField, offer
from accounts.telling import TellingForm
from corpora.fields import EditedStudyFields, NewStudyFields
from corpora.formats import USUAL_ENCODINGS
from corpora.models import Study
from corpora.uploads import refusal
from foundation.polarity import ends_of_styles

STYLE_SEPARATOR = re.compile(r"[,\n]")


class UploadForm(TellingForm):
    """A form with uploads; the error of one that was too large is shown at its field."""

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        self.request = request
        given = (request.POST, request.FILES) if request.method == "POST" else ()
        super().__init__(*given, *args, **kwargs)

    def clean(self) -> dict[str, Any]:
        for name in self.fields:
            sentence = refusal(self.request, name)
            if sentence:
                self.errors.pop(name, None)
                self.add_error(name, sentence)
        return self.cleaned_data


class FilesInput(forms.FileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """A file, or several, which become one archive."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> Any:
        files = list(data or [None]) if isinstance(data, list | tuple) else [data]
        cleaned = [super(FilesField, self).clean(one, initial) for one in files]
        return cleaned[0] if len(cleaned) < 2 else _archive(cleaned)


def _archive(files: Sequence[Any]) -> "UploadedFile[Any]":
    """Uploaded files as one archive, each under its name."""
    held = TemporaryFile()  # noqa: SIM115  the upload closes it
    with ZipFile(held, "w", ZIP_STORED) as archive:
        for number, file in enumerate(files, 1):
            name = file.name if file.name not in archive.namelist() else f"{number}/{file.name}"
            with archive.open(name, "w") as member:
                for chunk in file.chunks():
                    member.write(chunk)
    size = held.tell()
    held.seek(0)
    return UploadedFile(held, name=f"{files[0].name} and {len(files) - 1} more.zip", size=size)


class StylesField(UncutField):
    """Names of styles, with commas between them."""

    def clean(self, value: Any) -> list[str]:
        return [style.strip() for style in STYLE_SEPARATOR.split(super().clean(value)) if style.strip()]

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list) else value


class PolesField(UncutField):
    """Ends of scales with the style that each means: 'informal = chat, formal = letter'."""

    def clean(self, value: Any) -> dict[str, str]:
        found = {}
        for part in filter(str.strip, STYLE_SEPARATOR.split(super().clean(value))):
            pole, between, style = (one.strip() for one in part.partition("="))
            if not (pole and between and style):
                raise forms.ValidationError(_("Expected an end and a style, such as formal = letter."))
            found[pole] = style
        return found

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(f"{pole} = {style}" for pole, style in value.items()) if isinstance(value, dict) else value


class DescriptionsField(UncutField):
    """A line for each style that is described: 'formal = as in a letter'."""

    widget = forms.Textarea(attrs={"rows": 3, "dir": "auto"})

    def clean(self, value: Any) -> dict[str, str]:
        found = {}
        for line in filter(str.strip, super().clean(value).splitlines()):
            style, between, words = (one.strip() for one in line.partition("="))
            if not (style and between):
                raise forms.ValidationError(_("Expected a style and its description, such as formal = as in a letter."))
            found[style] = words
        return found

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(f"{style} = {words}" for style, words in value.items()) if isinstance(value, dict) else value


LINE = forms.TextInput(attrs={"dir": "auto"})
CODE = forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"})
IN_FORM: dict[str, dict[str, Any]] = {
    "title": {"required": True, "widget": LINE},
    "slug": {"widget": CODE},
    "styles": {"kind": StylesField, "max_length": 1000, "widget": LINE},
    "language": {"widget": CODE},
    "style_descriptions": {"kind": DescriptionsField, "max_length": 10_000},
    "terms": {"widget": forms.Textarea(attrs={"rows": 6, "dir": "auto"})},
    "required_credentials": {"kind": StylesField, "max_length": 1000},
    "unit": {"kind": forms.TypedChoiceField, "choices": Study.Unit.choices, "empty_value": None},
    "style_words": {
        "kind": StylesField, "max_length": 500_000, "widget": forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
    },
    "poles": {"kind": PolesField, "max_length": 10_000, "widget": LINE},
}  # fmt: skip


class EditStudyForm(DeclaredForm):
    """The form of a study that is there, with the rules for access to its texts."""

    declared_first = True
    declared, in_form = EditedStudyFields, IN_FORM


SECTIONS = {
    "about": (_("About the study"), ("title", "language", "license", "description")),
    "styles": (_("Styles"), ("styles", "style_words")),
    "access": (_("Access to the texts"), ("terms", "required_credentials", "restricted")),
    "unit": (_("Judgement and scoring"), ("unit",)),
}
"""The settings of a study in groups, of which each is saved by itself."""


class StudySectionForm(DeclaredForm):
    """A group of the study's settings. That of the styles has a field for each style, and one for each end of scales.

    An end that the names of the styles say, and nobody has chosen, is chosen already.
    """

    declared_first = True
    declared, in_form = EditedStudyFields, IN_FORM

    def __init__(self, data: Any = None, *, study: Study, section: str) -> None:
        self.study, self.section = study, section
        self.heading, self.names = SECTIONS[section]
        super().__init__(data, initial={name: getattr(study, name) for name in self.names})
        self.ends = {**ends_of_styles(study.styles), **study.poles} if section == "styles" else {}
        self.inferred = [end for end in self.ends if end not in study.poles]
        if section == "styles":
            self._add_rows()

    def _add_rows(self) -> None:
        styles, told = self.study.styles, self.study.style_descriptions
        for place, style in enumerate(styles):
            self.fields[f"told_{place}"] = UncutField(
                label=style, required=False, max_length=300, initial=told.get(style, ""), widget=LINE
            )
        choices = [("", _("no style of this study")), *((style, style) for style in styles)]
        for place, (end, style) in enumerate(self.ends.items()):
            named = _("%(end)s (by the names of the styles)") % {"end": end} if end in self.inferred else end
            self.fields[f"end_{place}"] = forms.ChoiceField(label=named, required=False, choices=choices, initial=style)
        self.fields["end_new"] = UncutField(label=_("Another end"), required=False, max_length=60, widget=LINE)
        self.fields["end_new_style"] = forms.ChoiceField(label=_("Its style"), required=False, choices=choices)

    @property
    def plain(self) -> list[forms.BoundField]:
        """The fields of the declaration, without those of the styles' rows."""
        return [self[name] for name in self.names]

    @property
    def told(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("told_")]

    @property
    def end_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("end_")]

    def changes(self) -> dict[str, Any]:
        """The arguments of `edit_study` from this group."""
        given = {name: self.cleaned_data[name] for name in self.names}
        if self.section != "styles":
            return given
        told = {style: self.cleaned_data[f"told_{place}"] for place, style in enumerate(self.study.styles)}
        ends = ends_of_styles(given["styles"])  # those of styles that are new
        ends |= {end: self.cleaned_data[f"end_{place}"] for place, end in enumerate(self.ends)}
        if new := self.cleaned_data["end_new"].strip():
            ends[new] = self.cleaned_data["end_new_style"]
        given["style_descriptions"] = {style: words for style, words in told.items() if words}
        return given | {"poles": {end: style for end, style in ends.items() if style}}


class NewStudyForm(UploadForm, DeclaredForm):
    """The form of a study that is not there yet; a table with its texts may come with it."""

    declared_first = True
    declared, in_form = NewStudyFields, IN_FORM

    file = FilesField(
        label=_("Files with the texts"), required=False,
        help_text=_("A table with one row per source, or a file for the sources and one for each set of references and "
        "each system, whose name the file has. You see how they are read on the next page."),
    )  # fmt: skip
    field_order = ["title", "styles", "file", "slug", "license", "description"]
    further = ("slug", "license", "description")

    @property
    def first_fields(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in self.further]

    @property
    def further_fields(self) -> list[forms.BoundField]:
        return [field for field in self if field.name in self.further]


class PairForm(TellingForm):
    """Two of the study's styles."""

    source_style = forms.ChoiceField(label=_("From"))
    target_style = forms.ChoiceField(label=_("To"))

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        styles = [(style, style) for style in study.styles]
        for number, name in enumerate(("source_style", "target_style")):
            offer(self, name, styles)
            self.fields[name].initial = study.styles[number]


def encoding_field() -> forms.CharField:
    return forms.CharField(
        label=_("Encoding"), required=False, max_length=40,
        help_text=format_lazy(
            _("Left empty, the file is UTF-8. Others: {names}."), names=", ".join(USUAL_ENCODINGS[1:5])
        ),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )  # fmt: skip
