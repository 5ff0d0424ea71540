"""The one way in for every table: a file, what was understood of it, what its columns mean, and then in.

Authorization sets `request.study`.
"""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from corpora.actions.drop_table import drop_table
from corpora.actions.keep_table import keep_table
from corpora.actions.set_table import set_table
from corpora.actions.start_table import start_table
from corpora.background_jobs.table_import import table_of
from corpora.forms.tables import TableForm, chosen_in, fields_of, initial_settings, settings_of, understood
from corpora.models import Upload
from corpora.table_import.import_plan import READING, guess_for, plan_for
from corpora.table_import.targets import TARGETS
from corpora.table_parser import Table
from foundation.errors import UserError


@require_http_methods(["GET", "HEAD", "POST"])
def table_new(request: Any, study: str) -> HttpResponse:
    """A file or pasted rows; nothing enters the study yet."""
    target = request.GET.get("target", "")
    form = TableForm(request=request, study=request.study, initial={"target": target})
    if form.is_bound and form.is_valid():
        given = form.cleaned_data
        settings = initial_settings(request.study, given["target"], request.GET)
        try:
            upload = keep_table(study=request.study, by=request.user, settings=settings, **given)
            return redirect("table", study=study, upload=upload.pk)
        except UserError as error:
            form.tell(error, "file" if given["file"] else "pasted")
    context = {"form": form, "waiting": _waiting(request).filter(made_by=request.user)}
    return render(request, "corpora/table_new.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def table(request: Any, study: str, upload: int) -> HttpResponse:
    """What was understood, the columns' meanings, what will happen; and its doing."""
    kept = get_object_or_404(_waiting(request), pk=upload)
    act = request.POST.get("act", "look") if request.method == "POST" else ""
    if act == "drop":
        drop_table(upload=kept, by=request.user)
        return redirect("table_new", study=study)
    error = None
    if act:
        error = _choose(request, kept)
    if act == "bring" and error is None:
        answer = _bring(request, kept)
        if isinstance(answer, HttpResponse):
            return answer
        error = answer
    elif act and error is None and not request.htmx:
        return redirect("table", study=study, upload=upload)
    return _page(request, kept, error)


def _waiting(request: Any) -> Any:
    """The tables on the way into the study."""
    return request.study.uploads.filter(job=None).exclude(target="").select_related("study")


def _choose(request: Any, kept: Upload) -> UserError | None:
    """Keep what the page says."""
    places = [name.removeprefix("meaning-") for name in request.POST if name.startswith("meaning-")]
    count = max((int(place) + 1 for place in places if place.isdecimal() and len(place) < 6), default=0)
    target = request.POST.get("target", kept.target)
    try:
        chosen = chosen_in(request.study, request.POST, count, target)
        set_table(upload=kept, target=target, by=request.user, **chosen)
    except UserError as error:
        return error
    return None


def _bring(request: Any, kept: Upload) -> HttpResponse | UserError:
    target = kept.target
    try:
        with table_of(kept) as opened:
            brought, job = start_table(upload=kept, table=opened, by=request.user)
    except UserError as error:
        return error
    if job is not None:
        return redirect("job", study=kept.study.slug, job=job.pk)
    messages.success(request, str(brought))
    page = "study_report" if kept.settings.get("report") else TARGETS[target].page
    return redirect(page, study=kept.study.slug)


def _page(request: Any, kept: Upload, error: UserError | None) -> HttpResponse:
    reading = {name: kept.reading.get(name, "") for name in READING}
    context: dict[str, Any] = {
        "upload": kept, "reading": reading, "targets": [(name, TARGETS[name]) for name in TARGETS.names()],
        "target": TARGETS[kept.target], "error": error,
    }  # fmt: skip
    try:
        with table_of(kept) as opened:
            mapping = kept.mapping
            if mapping is None:
                mapping, _asked = guess_for(kept.study, opened, kept.target, kept.settings, kept.answers)
            columns = list(fields_of(opened, kept.target, mapping, kept.settings, guessed=kept.mapping is None))
            meant = {column["meaning"] for column in columns}
            read = {*TARGETS[kept.target].reads(opened, kept.settings)} - {column["column"] for column in columns}
            context |= {
                "table": opened, "told": understood(opened, reading), "columns": columns,
                "first_rows": [(row, [row.cells[one["place"]] for one in columns]) for row in opened.sample],
                "read": len(read), "unshown": len(opened.columns) - len(columns) - len(read),
                "settings": settings_of(kept.study, kept.target, kept.settings, meant),
            }  # fmt: skip
            plan = _planned(kept, opened)
            context["plan" if not isinstance(plan, UserError) else "wrong"] = plan
    except UserError as unreadable:
        context |= {"unreadable": unreadable, "told": None}
    return render(request, "corpora/table.html", context, status=422 if error else 200)


def _planned(kept: Upload, opened: Table) -> Any:
    try:
        return plan_for(kept.study, opened, kept.target, kept.mapping, kept.settings, kept.answers)
    except UserError as error:
        return error


@require_safe
def old_way(request: Any, study: str, direction: int | None = None, target: str = "texts") -> HttpResponse:
    """Where sentences, references and outputs had forms of their own."""
    if direction is not None:
        get_object_or_404(request.study.directions, number=direction)
    address = f"{reverse('table_new', args=[study])}?target={target}"
    return redirect(f"{address}&direction={direction}" if direction else address)
