"""The pages of the audit log: of a study, and of the whole site."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import cached_property
from django.views.decorators.http import require_safe

from accounts.audit_reading import entry_in_words, filter_entries, own_names
from accounts.forms import TrailForm
from accounts.models import AuditEntry

PER_PAGE = 50
MOST = 10_000  # rows that are counted and paged through: who looks for older ones says from when


class BoundedPaginator(Paginator):  # type: ignore[type-arg]
    """Pages of the first `MOST` rows: neither their number nor the last page costs more in a long log."""

    @cached_property
    def count(self) -> int:
        entries: Any = self.object_list
        return int(entries[:MOST].count())


@require_safe
def study_trail(request: Any, study: str) -> HttpResponse:
    """The audit log of a study. Authorization has let the person in."""
    return page_of(request, AuditEntry.objects.filter(study_slug=study))


@require_safe
def trail(request: HttpRequest) -> HttpResponse:
    return page_of(request, AuditEntry.objects.all())


def page_of(request: HttpRequest, entries: Any) -> HttpResponse:
    form = TrailForm(request.GET)
    chosen = filter_entries(entries, form.cleaned_data) if form.is_valid() else entries.none()
    page = BoundedPaginator(chosen.select_related("person"), PER_PAGE).get_page(request.GET.get("page"))
    study = getattr(request, "study", None)
    names = own_names(page)
    for entry in page:
        entry.told = entry_in_words(entry, names)
        if study and entry.target == f"study {study.slug}":
            entry.told["target"] = ""  # whose log this is
    asked = request.GET.copy()
    asked.pop("page", None)
    here = reverse("study_trail", args=[study.slug]) if study else reverse("trail")
    context = {
        "page": page,
        "here": here,
        "form": form,
        "asked": asked.urlencode(),
        "narrowed": bool(form.has_changed()),
    }
    return render(request, "accounts/audit_log.html", context, status=422 if form.errors else 200)
