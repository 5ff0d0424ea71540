"""A report, or one of its tables and figures, as a file that a browser stores."""

import difflib
from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpResponse

from evaluation.models import Report
from evaluation.rendering import RENDERERS
from evaluation.table_parts.contents import Entry
from foundation.downloads import as_attachment
from foundation.errors import UserError


def stored_of(report: Report | None, name: str) -> Mapping[str, Any]:
    """The stored table or figure of this name. UserError, with the nearest names, where the report has none."""
    stored = report.tables_and_figures if report else {}
    if name not in stored:
        near = difflib.get_close_matches(name, stored, n=3)
        hint = f"; did you mean {', '.join(near)}?" if near else "."
        raise UserError("The report has no table '{name}'{hint}", name=name, hint=hint)
    return stored[name]


def file_of_report(report: Report, form: str) -> HttpResponse:
    """The whole report."""
    renderer = RENDERERS[form]
    headers = as_attachment(f"{report.study.slug}-report.{renderer.ending}")
    content = renderer.report(report.content, report.tables_and_figures)
    return HttpResponse(content, content_type=renderer.content_type, headers=headers)


def file_of_table(
    slug: str, report: Report | None, name: str, form: str, read: Callable[[Mapping[str, Any]], Entry] = Entry.of
) -> HttpResponse:
    """A table or figure, as `read` reads the stored one; as it is stored, in English, without.

    UserError where the report has none of this name, or that has no such form.
    """
    stored, renderer = stored_of(report, name), RENDERERS[form]
    headers = as_attachment(f"{slug}-{name.replace('/', '-')}.{renderer.ending}")
    return HttpResponse(renderer.entry(read(stored)), content_type=renderer.content_type, headers=headers)
