"""Gold that was made elsewhere comes in: a file, what it would bring, and the button that brings it."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.actions.start_gold_import import bring_gold_in, start_gold_import
from annotation.forms.gold import GoldImportForm
from annotation.gold.release.settings import gold_formats
from annotation.models import GoldImport
from corpora.splits import left_out_message
from foundation.errors import UserError


@require_http_methods(["GET", "HEAD", "POST"])
def gold_import_new(request: Any, study: str) -> HttpResponse:
    """Choose the file; a job looks at it and counts, and nothing is written yet."""
    bound = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    form = GoldImportForm(*bound)
    if form.is_bound and form.is_valid():
        try:
            gold_import = start_gold_import(study=request.study, by=request.user, **form.asked())
            return redirect("gold_import", study=study, number=gold_import.pk)
        except UserError as error:
            form.add_error(error.where if error.where in form.fields else None, str(error))
    context = {"form": form, "forms": gold_formats().values(), "crumbs": _crumbs(study)}
    return render(request, "annotation/gold_import_new.html", context, status=422 if form.is_bound else 200)


@require_safe
def gold_import(request: Any, study: str, number: int) -> HttpResponse:
    return _page(request, _import_or_404(request, number))


@require_POST
def gold_import_bring(request: Any, study: str, number: int) -> HttpResponse:
    gold_import = _import_or_404(request, number)
    try:
        bring_gold_in(gold_import=gold_import, by=request.user)
    except UserError as error:
        return _page(request, gold_import, str(error), 422)
    return redirect("gold_import", study=study, number=number)


def _import_or_404(request: Any, number: int) -> GoldImport:
    return get_object_or_404(request.study.gold_imports.select_related("job"), pk=number)


def _page(request: Any, gold_import: GoldImport, error: str = "", status: int = 200) -> HttpResponse:
    counts = gold_import.brought or gold_import.found
    context = {
        "gold_import": gold_import, "job": gold_import.job, "counts": counts, "error": error,
        "crumbs": _crumbs(request.study.slug),
        "sources": _rows(counts["sources"]) if counts else [],
        "left": left_out_message(counts["left"]) if counts else "",
        "forms": [_(gold_formats()[name].title) for name in counts["forms"]] if counts else [],
        "waits": gold_import.job.state in ("queued", "running"), "may_bring": bool(counts) and not gold_import.writes,
    }  # fmt: skip
    return render(request, "annotation/gold_import.html", context, status=status)


def _rows(sources: dict[str, dict[str, int]]) -> list[dict[str, Any]]:
    return [{"direction": name, **{of: splits.get(of, 0) for of in ("train", "tune", "test")}}
            for name, splits in sources.items()]  # fmt: skip


def _crumbs(study: str) -> list[dict[str, Any]]:
    return [{"url": reverse("study_gold", args=[study]), "label": _("Gold")}]
