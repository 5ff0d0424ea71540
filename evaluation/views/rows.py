"""The rows behind a number of the report."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from evaluation.rows import rows_behind
from foundation.errors import UserError

A_PAGE = 50
A_FEW = 3


@require_safe
def study_rows(request: Any, study: str) -> HttpResponse:
    """All rows by pages; htmx gets the first few of them."""
    crumbs = [{"url": reverse("study_report", args=[study]), "label": _("Report")}]
    try:
        behind = rows_behind(request.study, request.GET.dict())
    except UserError as error:
        return render(request, "evaluation/rows.html", {"error": str(error), "crumbs": crumbs})
    if request.htmx:
        return render(request, "evaluation/_rows.html", {"behind": behind, "rows": behind.rows[:A_FEW]})
    page = Paginator(behind.rows, A_PAGE).get_page(request.GET.get("page"))
    context = {"behind": behind, "page": page, "rows": page.object_list, "crumbs": crumbs}
    return render(request, "evaluation/rows.html", context)
