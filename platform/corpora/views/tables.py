"""The one import of every table: a file, its table as understood, the meanings of its columns, and then the import.

Authorization sets `request.study`.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import orjson
from django import forms
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts.option_fields import offer
from accounts.telling import form_page, go_on, telling
from corpora.actions.drop_table import drop_table
from corpora.actions.keep_table import keep_table
from corpora.actions.set_table import set_table
from corpora.actions.start_table import start_table
from corpora.background_jobs import table_of
from corpora.formats import USUAL_ENCODINGS
from corpora.forms.studies import FilesField, UploadForm
from corpora.models import Study, Upload
from corpora.table_import.import_plan import READING, guess_for, plan_for
from corpora.table_import.targets import TARGETS, Meaning, Setting
from corpora.table_parser import Table
from corpora.table_parser.column_names import is_unnamed, said_column
from corpora.table_parser.quoting import WORDS
from corpora.table_parser.sheets import ERRORS
from foundation.errors import UserError

# The forms of a table on its way in: the file, and the choices for it, which are read as they stand.

DELIMITERS = [
    ("", _("Detect")), ("comma", _("Comma")), ("semicolon", _("Semicolon")), ("tab", _("Tab")),
    ("pipe", _("Vertical bar")), ("none", _("None: one text per line")), ("~", "~"), ("^", "^"), (" ", _("Space")),
]  # fmt: skip
HEADERS = [("", _("Detect")), ("yes", _("Names the columns")), ("no", _("Is a row like the others"))]
KINDS = {
    "lines": _("One text per line"), "delimited": _("A table with a delimiter"), "json": _("JSON"),
    "xlsx": _("An Excel sheet"), "parquet": _("Parquet"),
}  # fmt: skip
MOST_SHOWN = 300
"""Columns without a meaning that the page shows: beyond some hundreds of rows nobody reads them."""
ABOUT_FILES = frozenset(("Not read: {names}.", "Left out: {error}", "Left out: {name}, which describes the data."))
"""Notes that the list of the files says by itself."""
FIRST_ROWS, FIRST_COLUMNS = 6, 8
"""Of the table that the page shows: enough to see what the columns hold."""
NUMBER = re.compile(r"(?<=\.)\d+(?=\.|$)")
"""A place in a list, as the columns of nested values are called."""
NAMES_OF = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}


class TableForm(UploadForm):
    target = forms.ChoiceField(label=_("Content"))
    file = FilesField(
        label=_("File"), required=False, allow_empty_file=True,
        help_text=_(
            "Text, CSV or TSV, JSON, Excel (.xlsx) or Parquet; also in a ZIP or gzip, or several files. You see "
            "how the file is read before anything enters the study."
        ),
    )  # fmt: skip
    pasted = forms.CharField(
        label=_("Or paste the rows"), required=False, strip=False,
        help_text=_("One text per line, or rows copied from a spreadsheet."),
        widget=forms.Textarea(attrs={"rows": 6, "dir": "auto", "class": "text"}),
    )  # fmt: skip

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "target", [(name, _(TARGETS[name].title)) for name in TARGETS.names()])
        self.fields["pasted"].widget.attrs["lang"] = study.language


def chosen_in(study: Study, data: Mapping[str, str], columns: int, target: str) -> dict[str, Any]:
    """The arguments of `set_table`, from the fields of the page; a mapping has the columns by their number.

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


def ungrouped(data: Mapping[str, str], target: str) -> dict[str, str]:
    """The fields of the page, as if each column of a row of several had been sent by itself.

    While such a row keeps its meaning, its columns keep their names; else they are numbered where names are places.
    """
    sent = dict(data.items())
    places = {meaning.name for meaning in TARGETS[target].meanings if meaning.named == "place"}
    for key in [key for key in sent if key.startswith("group-")]:
        try:
            before, columns = orjson.loads(sent[key])
            columns = [(int(place), str(name), guess) for place, name, guess in columns]
        except (ValueError, TypeError):
            raise UserError("The rows of columns cannot be read; load the page again.", where="mapping") from None
        meaning = sent.get(f"meaning-{key.removeprefix('group-')}", "")
        for number, (place, name, guess) in enumerate(columns, 1):
            sent[f"meaning-{place}"] = meaning
            sent[f"name-{place}"] = name if meaning == before else f"#{number}" if meaning in places else ""
            if guess is not None:
                sent[f"guess-{place}"] = str(guess)
    return sent


def _as_guessed(data: Mapping[str, str], mapping: Mapping[str, str]) -> bool:
    return all(data.get(f"guess-{int(number) - 1}", "") == value for number, value in mapping.items())


def fields_of(
    table: Table, target: str, mapping: Mapping[str, str], settings: Mapping[str, str], *, guessed: bool = False
) -> Iterator[dict[str, Any]]:
    """A column with its possible meanings, its meaning, and its first cell that is not empty.

    Columns that the target reads by itself are left out, unless they mean something more; so are those without a
    meaning behind the first few hundred, for which a form has no room.
    """
    meanings = TARGETS[target].meanings
    read = frozenset(TARGETS[target].reads(table, settings))
    values = [mapping.get(str(place), mapping.get(column, "")) for place, column in enumerate(table.columns, 1)]
    times = Counter(value.partition(":")[0].strip() for value in values)
    shown = 0
    for place, (column, value) in enumerate(zip(table.columns, values, strict=True)):
        if not value and (column in read or shown >= MOST_SHOWN):
            continue
        shown += 1
        meaning, _sep, name = (part.strip() for part in value.partition(":"))
        known = next((one for one in meanings if one.name == meaning), None)
        named = bool(known and known.named and (known.named != "place" or name or times[meaning] > 1))
        example = next((row.cells[place] for row in table.sample if row.cells[place].strip()), "")
        yield {
            "place": place, "column": column, "said": said_column(column), "meaning": meaning,
            "title": known.title if known else "", "named": named,
            "name": _name_of(known, column, name) if known and named else "",
            "example": example[:80], "meanings": meanings, "guess": value if guessed else None,
        }  # fmt: skip


def _name_of(meaning: Meaning, column: str, name: str) -> str:
    """The name in the field; none for a system that neither the file nor anybody named."""
    return name or ("" if meaning.named == "system" and is_unnamed(column) else column)


def rows_of(columns: Sequence[dict[str, Any]], apart: Collection[str] = ()) -> list[dict[str, Any]]:
    """The columns as rows of the page: those whose names differ in numbers alone are one row, if they mean the same.

    A row of several columns has them as a `group`, and offers the meanings that more than one column may have. Those
    whose first column's number is in `apart` are a row each.
    """
    alike: dict[str, list[dict[str, Any]]] = {}
    for one in columns:
        alike.setdefault(NUMBER.sub("*", one["column"]), []).append(one)
    found = []
    for members in alike.values():
        first, same = members[0], len({one["meaning"] for one in members}) == 1
        if len(members) == 1 or not same or str(first["place"]) in apart:
            split = str(first["place"]) if len(members) > 1 and same else ""
            found += [{**one, "apart": split if one is first else ""} for one in members]
            continue
        kept = [(one["place"], one["name"], one["guess"]) for one in members]
        pattern = _pattern([one["column"] for one in members])
        found.append({
            **first, "column": pattern, "said": pattern, "count": len(members), "named": False,
            "meanings": [one for one in first["meanings"] if one.several], "guess": None,
            "group": orjson.dumps((first["meaning"], kept)).decode(),
        })  # fmt: skip
    return found


def _pattern(names: Sequence[str]) -> str:
    """One name for columns that differ in their numbers: `annotations[1–3].result[1–4].type`."""
    numbers = [[int(one) for one in NUMBER.findall(name)] for name in names]
    ranges = [(min(each), max(each)) for each in zip(*numbers, strict=True)]
    spans = iter(f"[{low}]" if low == high else f"[{low}–{high}]" for low, high in ranges)
    return re.sub(r"\.\d+(?=\.|$)", lambda found: next(spans), names[0])


def files_of(table: Table) -> list[dict[str, Any]]:
    """The files of an archive, each with what it is read as and what becomes of it; one can be read that has rows.

    `alike` are those that `*` reads together, where these are not the ones that are read already.
    """
    shapes = Counter((one.kind, one.columns) for one in table.members if one.rows)
    most = next((shape for shape, times in shapes.most_common(1) if times > 1), None)
    together = [one for one in table.members if one.rows and (one.kind, one.columns) == most]
    read = [one for one in table.members if one.is_read]
    return [
        {
            "name": one.name, "kind": KINDS.get(one.kind, ""), "rows": one.rows, "columns": len(one.columns),
            "named": ", ".join(one.columns), "is_read": one.is_read, "left": one.left.sentence if one.left else "",
            "can_be_read": bool(one.rows) and not (one.is_read and len(read) == 1),
            "alike": one in together and together != read,
        }
        for one in table.members
    ]  # fmt: skip


def settings_of(
    study: Study, target: str, chosen: Mapping[str, str], meanings: Collection[str]
) -> list[dict[str, Any]]:  # fmt: skip
    """The settings of a target with their values; those of meanings that no column has are left out."""
    shown = [
        setting for setting in TARGETS[target].settings(study) if not setting.of or set(setting.of) & set(meanings)
    ]
    given = [(one, chosen.get(one.name, one.initial)) for one in shown]
    return [{"setting": one, "value": value, "asks": not value and "" not in dict(one.choices)} for one, value in given]


def initial_settings(study: Study, target: str, asked: Mapping[str, str]) -> dict[str, str]:
    """Settings that the address names, such as the direction by its number."""
    known: dict[str, Setting] = {setting.name: setting for setting in TARGETS[target].settings(study)}
    found: dict[str, str] = {}
    if "direction" in known and (number := asked.get("direction", "")).isdecimal():
        named = {str(direction.number): direction.name for direction in study.directions.all()}
        found["direction"] = named.get(number, "")
    return {name: value for name, value in found.items() if value}


def understood(table: Table, reading: Mapping[str, str]) -> dict[str, Any]:
    """The page's words about the file, and the fields to read it otherwise."""
    encodings = dict.fromkeys(["", *USUAL_ENCODINGS, reading.get("encoding", "")])
    return {
        "kind": KINDS[table.kind],
        "delimiter": dict(DELIMITERS).get(NAMES_OF.get(table.delimiter, "none"), table.delimiter),
        "delimiters": DELIMITERS, "headers": HEADERS, "quotings": [("", _("Detect")), *WORDS.items()],
        "errors": [("", _("Ask")), *ERRORS.items()], "encodings": list(encodings),
        "more": max(table.rows - FIRST_ROWS, 0), "is_text": table.kind in ("lines", "delimited", "json"),
        "heading": _now("names the columns") if table.header else _now("is a row like the others"),
    }  # fmt: skip


@require_http_methods(["GET", "HEAD", "POST"])
def table_new(request: Any, study: str) -> HttpResponse:
    """A file or pasted rows; nothing enters the study yet."""
    target = request.GET.get("target", "")
    form = TableForm(request=request, study=request.study, initial={"target": target})
    if form.is_valid():
        given = form.cleaned_data
        settings = initial_settings(request.study, given["target"], request.GET)
        with telling(form, "file" if given["file"] else "pasted"):
            upload = keep_table(study=request.study, by=request.user, settings=settings, **given)
            return redirect("table", study=study, upload=upload.pk)
    return form_page(request, "corpora/table_new.html", form, waiting=_waiting(request).filter(made_by=request.user))


@require_http_methods(["GET", "HEAD", "POST"])
def table(request: Any, study: str, upload: int) -> HttpResponse:
    """The page of a table: the file as understood, the columns' meanings and the plan; its POST does the import."""
    kept = get_object_or_404(_waiting(request), pk=upload)
    act = request.POST.get("act", "look") if request.method == "POST" else ""
    if act == "drop":
        drop_table(upload=kept, by=request.user)
        return redirect("table_new", study=study)
    with telling() as told:
        if act:
            _choose(request, kept)
        if act == "bring":
            return _bring(request, kept)
        if act and not request.htmx:
            apart = urlencode({"apart": request.POST.getlist("apart")}, doseq=True)
            return redirect(reverse("table", args=[study, upload]) + (f"?{apart}" if apart else ""))
    return _page(request, kept, told.error)


def _waiting(request: Any) -> Any:
    """The tables on the way into the study."""
    return request.study.uploads.filter(job=None).exclude(target="").select_related("study")


def _choose(request: Any, kept: Upload) -> None:
    """Keep the choices of the page."""
    what, _sep, which = request.POST.get("act", "").partition(":")
    target = which if what == "as" else request.POST.get("target", kept.target)
    sent = ungrouped(request.POST, target) | ({"part": which} if what == "part" else {})
    places = [name.removeprefix("meaning-") for name in sent if name.startswith("meaning-")]
    count = max((int(place) + 1 for place in places if place.isdecimal() and len(place) < 6), default=0)
    chosen = chosen_in(request.study, sent, count, target)
    set_table(upload=kept, target=target, by=request.user, **chosen)


def _bring(request: Any, kept: Upload) -> HttpResponse:
    target = kept.target
    with table_of(kept) as opened:
        brought, job = start_table(upload=kept, table=opened, by=request.user)
    if job is not None:
        return redirect("job", study=kept.study.slug, job=job.pk)
    page = "study_report" if kept.settings.get("report") else TARGETS[target].page
    return go_on(request, str(brought), page, kept.study.slug)


def _page(request: Any, kept: Upload, error: UserError | None) -> HttpResponse:
    reading = {name: kept.reading.get(name, "") for name in READING}
    context: dict[str, Any] = {
        "upload": kept, "reading": reading, "targets": [(name, TARGETS[name]) for name in TARGETS.names()],
        "target": TARGETS[kept.target], "error": error,
    }  # fmt: skip
    with telling() as unreadable, table_of(kept, overview=True) as opened:
        mapping = kept.mapping
        if mapping is None:
            mapping, _asked = guess_for(kept.study, opened, kept.target, kept.settings, kept.answers)
        columns = list(fields_of(opened, kept.target, mapping, kept.settings, guessed=kept.mapping is None))
        meant = {column["meaning"] for column in columns}
        asked = request.POST if request.method == "POST" else request.GET
        rows = rows_of(columns, asked.getlist("apart"))
        sampled = [one for one in columns if one["meaning"]] or columns[:FIRST_COLUMNS]
        files = files_of(opened)
        settings = settings_of(kept.study, kept.target, kept.settings, meant)
        read = {*TARGETS[kept.target].reads(opened, kept.settings)} - {column["column"] for column in columns}
        context |= {
            "table": opened, "told": understood(opened, reading), "columns": columns,
            "meant": [one for one in rows if one["meaning"]], "others": [one for one in rows if not one["meaning"]],
            "other_columns": sum(one.get("count", 1) for one in rows if not one["meaning"]),
            "sampled": sampled, "first_rows": [
                (row, [row.cells[one["place"]] for one in sampled]) for row in opened.sample[:FIRST_ROWS]
            ], "made_by": TARGETS[kept.target].recognises(opened), "rather": _rather(kept, opened),
            "files": files, "alike": sum(one["alike"] for one in files), "read": len(read),
            "unshown": len(opened.columns) - len(columns) - len(read),
            "settings": [one for one in settings if not one["setting"].rare],
            "rare": [one for one in settings if one["setting"].rare],
            "rare_set": any(one["setting"].rare and one["value"] != one["setting"].initial for one in settings),
        }  # fmt: skip
        with telling() as wrong:
            context["plan"] = plan = plan_for(
                kept.study, opened, kept.target, kept.mapping, kept.settings, kept.answers
            )
            plan.notes = [note for note in plan.notes if not (files and note.template in ABOUT_FILES)]
        if wrong.error:
            context["wrong"] = wrong.error
    if unreadable.error and not _waiting(request).filter(pk=kept.pk).exists():
        return _gone(request, kept)
    if unreadable.error:
        context |= {"unreadable": unreadable.error, "told": None}
    return render(request, "corpora/table.html", context, status=422 if error else 200)


def _gone(request: Any, kept: Upload) -> HttpResponse:
    """To where the rows are: another request brought them in, or dropped them, while this one looked at the file."""
    page = reverse(TARGETS[kept.target].page, args=[request.study.slug])
    return HttpResponseClientRedirect(page) if request.htmx else redirect(page)


def _rather(kept: Upload, table: Table) -> tuple[str, str, str] | None:
    """Another content, with its title, that knows the tool by which the table was made, and that tool."""
    known = ((name, TARGETS[name]) for name in TARGETS.names() if name != kept.target)
    return next(((name, one.title, tool) for name, one in known if (tool := one.recognises(table))), None)


@require_safe
def old_way(request: Any, study: str, direction: int | None = None, target: str = "texts") -> HttpResponse:
    """Redirect from the former forms of sentences, references and outputs."""
    if direction is not None:
        get_object_or_404(request.study.directions, number=direction)
    address = f"{reverse('table_new', args=[study])}?target={target}"
    return redirect(f"{address}&direction={direction}" if direction else address)
