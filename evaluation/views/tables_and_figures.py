"""Tables and figures of a study's report: all of them, one, and their files."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from evaluation.presenters.report_freshness import freshness, report_of
from evaluation.presenters.table_file import file_of
from evaluation.presenters.tables_and_figures import all_shown, shown
from foundation.errors import UserError


@require_safe
def study_tables(request: Any, study: str) -> HttpResponse:
    """All by paper, those that the study lacks with the reasons."""
    report = report_of(request)
    groups = all_shown(report) if report else []
    return render(request, "evaluation/tables_and_figures.html", {"groups": groups, **freshness(request, report)})


@require_safe
def study_table(request: Any, study: str, name: str) -> HttpResponse:
    """One table or figure."""
    report = report_of(request)
    table_or_figure = shown(report, name) if report else None
    if table_or_figure is None:
        raise Http404(_("There is no such table."))
    return render(
        request,
        "evaluation/table_or_figure.html",
        {"table_or_figure": table_or_figure, "crumbs": crumbs_of(study), **freshness(request, report)},
    )


@require_safe
def table_file(request: Any, study: str, name: str, form: str) -> HttpResponse:
    """A table or figure in one of its forms; a page with the sentence where there is none."""
    report = report_of(request)
    try:
        return file_of(request.study.slug, report, name, form)
    except UserError as error:
        return render(request, "404.html", {"sentence": str(error)}, status=404)


def crumbs_of(study: str) -> list[dict[str, str]]:
    """The way to a table."""
    return [{"url": reverse("study_tables", args=[study]), "label": _("Tables and figures")}]
