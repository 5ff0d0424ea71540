"""The pages of the audit log: of a study, and of the whole site."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.audit.presenters import entry_in_words, filter_entries
from accounts.forms.audit_log import TrailForm
from accounts.models import TrailEntry

PER_PAGE = 50


@require_safe
def study_trail(request: Any, study: str) -> HttpResponse:
    """Who did what in a study. Authorization has let the person in."""
    return page_of(request, TrailEntry.objects.filter(study_slug=study))


@require_safe
def trail(request: HttpRequest) -> HttpResponse:
    return page_of(request, TrailEntry.objects.all())


def page_of(request: HttpRequest, entries: Any) -> HttpResponse:
    form = TrailForm(request.GET)
    chosen = filter_entries(entries, form.cleaned_data) if form.is_valid() else entries.none()
    page = Paginator(chosen.select_related("person"), PER_PAGE).get_page(request.GET.get("page"))
    for entry in page:
        entry.told = entry_in_words(entry)
    asked = request.GET.copy()
    asked.pop("page", None)
    context = {"page": page, "form": form, "asked": asked.urlencode(), "narrowed": bool(form.has_changed())}
    return render(request, "accounts/audit_log.html", context, status=422 if form.errors else 200)
