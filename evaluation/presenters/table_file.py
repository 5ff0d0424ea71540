"""A table or figure as a file that a browser stores."""

from django.http import HttpResponse

from evaluation.models import Report
from evaluation.presenters.tables_and_figures import stored_of
from evaluation.rendering import RENDERERS
from foundation.downloads import as_attachment


def file_of(slug: str, report: Report | None, name: str, form: str) -> HttpResponse:
    """An answer that a browser stores. UserError where the report has no such table, or that has no such form."""
    stored, renderer = stored_of(report, name), RENDERERS[form]
    headers = as_attachment(f"{slug}-{name.replace('/', '-')}.{renderer.ending}")
    return HttpResponse(renderer.table_or_figure(stored), content_type=renderer.content_type, headers=headers)
