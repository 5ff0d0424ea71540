"""The pages of a study's systems. Authorization sets `request.study`."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.permissions import Can
from accounts.telling import telling
from corpora.actions.remove_system import remove_system
from corpora.models import System
from corpora.texts.queries import systems_of
from corpora.views.trash import tell_removed

A_PAGE = 50


@require_safe
def study_systems(request: Any, study: str) -> HttpResponse:
    """The systems with the number of their outputs."""
    context = {
        "systems": systems_of(request.study).select_related("transfer_run"),
        "may_edit": request.study.can(request.user, Can.EDIT_STUDY),
        "may_run": request.study.can(request.user, Can.RUN_MODELS),
        "has_texts": request.study.directions.filter(sentences__isnull=False).exists(),
    }
    return render(request, "corpora/systems.html", context)


@require_safe
def system(request: Any, study: str, system: int) -> HttpResponse:
    """A system and its outputs beside their sources."""
    there = get_object_or_404(systems_of(request.study).select_related("transfer_run"), pk=system)
    outputs = there.outputs.select_related("sentence__direction")
    context = {
        "system": there,
        "page": Paginator(
            outputs.order_by("sentence__direction__number", "sentence__number"), A_PAGE
        ).get_page(request.GET.get("page")),
        "may_edit": request.study.can(request.user, Can.EDIT_STUDY),
    }  # fmt: skip
    return render(request, "corpora/system.html", context)


@require_POST
def system_remove(request: Any, study: str, system: int) -> HttpResponse:
    there = get_object_or_404(System, pk=system, study=request.study)
    with telling(request):
        tell_removed(request, remove_system(system=there, by=request.user))
        return redirect("study_systems", study=study)
    return redirect("system", study=study, system=system)
