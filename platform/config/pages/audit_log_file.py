"""The audit log as a file. It is here since `corpora` writes files, and `accounts` may not import it."""

from typing import Any

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from accounts.audit_reading import export_rows, filter_entries
from accounts.forms import TrailForm
from accounts.models import AuditEntry
from accounts.views.audit_log import page_of
from corpora.formats import csv_cells
from foundation.downloads import as_attachment


@require_safe
def study_trail_file(request: Any, study: str) -> HttpResponse:
    """The study's audit log as CSV, narrowed as its page."""
    return _file(request, AuditEntry.objects.filter(study_slug=study), f"{study}-trail.csv")


@require_safe
def trail_file(request: HttpRequest) -> HttpResponse:
    """The audit log of the whole site."""
    return _file(request, AuditEntry.objects.all(), "trail.csv")


def _file(request: HttpRequest, entries: Any, name: str) -> HttpResponse:
    form = TrailForm(request.GET)
    if not form.is_valid():
        return page_of(request, entries)
    cells = csv_cells.write(export_rows(filter_entries(entries, form.cleaned_data)))
    return StreamingHttpResponse(cells, content_type="text/csv", headers=as_attachment(name))
