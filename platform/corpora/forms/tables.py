"""The forms of a table on its way in: the file, and what was chosen for it. The choices are read as they stand."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from tempfile import TemporaryFile
from typing import Any
from zipfile import ZIP_STORED, ZipFile

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from corpora.formats import USUAL_ENCODINGS
from corpora.forms.studies import UploadForm
from corpora.models import Study
from corpora.table_import.import_plan import READING
from corpora.table_import.targets import TARGETS, Setting
from corpora.table_parser import Table
from corpora.table_parser.quoting import WORDS
from corpora.table_parser.sheets import ERRORS

DELIMITERS = [
    ("", _("Detect")), ("comma", _("Comma")), ("semicolon", _("Semicolon")), ("tab", _("Tab")),
    ("pipe", _("Vertical bar")), ("none", _("None: a text a line")), ("~", "~"), ("^", "^"), (" ", _("Space")),
]  # fmt: skip
HEADERS = [("", _("Detect")), ("yes", _("Names the columns")), ("no", _("Is a row like the others"))]
KINDS = {
    "lines": _("A text a line"), "delimited": _("A table with a delimiter"), "json": _("JSON"),
    "xlsx": _("An Excel sheet"), "parquet": _("Parquet"),
}  # fmt: skip
MOST_SHOWN = 300
"""Columns that the page shows; a form holds a thousand fields."""
NAMES_OF = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}


class FilesInput(forms.FileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """A file, or several, which become one archive."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> Any:
        files = list(data or [None]) if isinstance(data, list | tuple) else [data]
        cleaned = [super(FilesField, self).clean(one, initial) for one in files]
        return cleaned[0] if len(cleaned) < 2 else _archive(cleaned)


def _archive(files: Sequence[Any]) -> UploadedFile:
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


class TableForm(UploadForm):
    target = forms.ChoiceField(label=_("Content"))
    file = FilesField(
        label=_("File"), required=False, allow_empty_file=True,
        help_text=_("Text, CSV or TSV, JSON, Excel (.xlsx) or Parquet; also in a ZIP or gzip, or several files. You "
                    "see what was understood before anything enters the study."),
    )  # fmt: skip
    pasted = forms.CharField(
        label=_("Or paste the rows"), required=False, strip=False,
        help_text=_("A text a line, or rows copied from a spreadsheet."),
        widget=forms.Textarea(attrs={"rows": 6, "dir": "auto", "class": "text"}),
    )  # fmt: skip

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["target"].choices = [(name, _(TARGETS[name].title)) for name in TARGETS.names()]
        self.fields["pasted"].widget.attrs["lang"] = study.language


def chosen_in(study: Study, data: Mapping[str, str], columns: int, target: str) -> dict[str, Any]:
    """What `set_table` takes, from the fields of the page; a mapping has the columns by their number.

    Where all columns are as they were guessed, it stays a guess, which is asked about.
    """
    kind = TARGETS[target]
    known = [setting.name for setting in kind.settings(study)]
    mapping: dict[str, str] = {}
    for place in range(columns):
        meaning, name = data.get(f"meaning-{place}", ""), data.get(f"name-{place}", "").strip()
        named = any(one.name == meaning and one.named for one in kind.meanings)
        mapping[str(place + 1)] = f"{meaning}: {name}" if named and name else meaning
    return {
        "reading": {name: data.get(name, "") for name in READING},
        "mapping": mapping
        if any(name.startswith("meaning-") for name in data) and not _as_guessed(data, mapping)
        else None,
        "settings": {name: data[f"set-{name}"] for name in known if f"set-{name}" in data},
        "answers": {key.removeprefix("answer-"): value for key, value in data.items() if key.startswith("answer-")},
    }


def _as_guessed(data: Mapping[str, str], mapping: Mapping[str, str]) -> bool:
    return all(data.get(f"guess-{int(number) - 1}", "") == value for number, value in mapping.items())


def fields_of(
    table: Table, target: str, mapping: Mapping[str, str], settings: Mapping[str, str], *, guessed: bool = False
) -> Iterator[dict[str, Any]]:
    """A column with what it may mean, what it means, and its first cell that is not empty.

    Columns that the target reads by itself are left out, unless they mean something more; so are those without a
    meaning behind the first few hundred, for which a form has no room.
    """
    meanings = TARGETS[target].meanings
    read = frozenset(TARGETS[target].reads(table, settings))
    shown = 0
    for place, column in enumerate(table.columns):
        value = mapping.get(str(place + 1), mapping.get(column, ""))
        if not value and (column in read or shown >= MOST_SHOWN):
            continue
        shown += 1
        meaning, _sep, name = (part.strip() for part in value.partition(":"))
        known = next((one for one in meanings if one.name == meaning), None)
        example = next((row.cells[place] for row in table.sample if row.cells[place].strip()), "")
        yield {
            "place": place, "column": column, "meaning": meaning, "title": known.title if known else "",
            "named": bool(known and known.named), "name": (name or column) if known and known.named else "",
            "example": example[:80], "meanings": meanings, "guess": value if guessed else None,
        }  # fmt: skip


def settings_of(
    study: Study, target: str, chosen: Mapping[str, str], meanings: Collection[str]
) -> list[dict[str, Any]]:  # fmt: skip
    """The settings of a target with what is chosen; those of meanings that no column has are left out."""
    shown = [
        setting for setting in TARGETS[target].settings(study) if not setting.of or set(setting.of) & set(meanings)
    ]
    return [{"setting": one, "value": chosen.get(one.name, one.initial)} for one in shown]


def initial_settings(study: Study, target: str, asked: Mapping[str, str]) -> dict[str, str]:
    """Settings that the address names, such as the direction by its number."""
    known: dict[str, Setting] = {setting.name: setting for setting in TARGETS[target].settings(study)}
    found: dict[str, str] = {}
    if "direction" in known and (number := asked.get("direction", "")).isdecimal():
        named = {str(direction.number): direction.name for direction in study.directions.all()}
        found["direction"] = named.get(number, "")
    return {name: value for name, value in found.items() if value}


def understood(table: Table, reading: Mapping[str, str]) -> dict[str, Any]:
    """What the page says of the file, and the fields that read it otherwise."""
    encodings = dict.fromkeys(["", *USUAL_ENCODINGS, reading.get("encoding", "")])
    return {
        "kind": KINDS[table.kind],
        "delimiter": dict(DELIMITERS).get(NAMES_OF.get(table.delimiter, "none"), table.delimiter),
        "delimiters": DELIMITERS, "headers": HEADERS, "quotings": [("", _("Detect")), *WORDS.items()],
        "errors": [("", _("Ask")), *ERRORS.items()], "encodings": list(encodings),
        "more": table.rows - len(table.sample), "is_text": table.kind in ("lines", "delimited", "json"),
        "heading": _now("names the columns") if table.header else _now("is a row like the others"),
    }  # fmt: skip
