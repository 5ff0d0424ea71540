"""The pages of the audit trail: of a study, and of the whole site."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.models import TrailEntry

PER_PAGE = 50


@require_safe
def study_trail(request: Any, study: str) -> HttpResponse:
    """Who changed what in a study. The gate has let the person in."""
    return _page(request, TrailEntry.objects.filter(study_slug=study))


@require_safe
def trail(request: HttpRequest) -> HttpResponse:
    return _page(request, TrailEntry.objects.all())


def _page(request: HttpRequest, entries: Any) -> HttpResponse:
    page = Paginator(entries.select_related("person"), PER_PAGE).get_page(request.GET.get("page"))
    for entry in page:
        entry.words = entry.action.replace("_", " ").capitalize()
        entry.shown = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in entry.details.items())
    return render(request, "accounts/trail.html", {"page": page})
