"""A report as a file that a browser stores."""

from django.http import HttpResponse

from evaluation.models import Report
from evaluation.rendering import RENDERERS, Whole
from foundation.downloads import as_attachment


def file_of(report: Report, form: str) -> HttpResponse:
    """An answer that a browser stores."""
    renderer = RENDERERS[form]
    headers = as_attachment(f"{report.study.slug}-report.{renderer.ending}")
    content = renderer.report(Whole(report.content, report.tables_and_figures))
    return HttpResponse(content, content_type=renderer.content_type, headers=headers)
