"""How far each two raters agree, and the texts on which they differ."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from evaluation.drilldown.rater_pair import judged_by_two
from evaluation.presenters.rater_map import rater_map
from evaluation.presenters.report_freshness import freshness, report_of
from foundation.errors import UserError

A_PAGE = 25


@require_safe
def study_raters(request: Any, study: str) -> HttpResponse:
    """The map of one criterion, `?criterion=`, as it was stored with the report."""
    report = report_of(request)
    stored = report.content.get("rater_pairs", []) if report else []
    criteria = [one["criterion"] for one in stored]
    asked = request.GET.get("criterion", "")
    chosen = next((one for one in stored if one["criterion"] == asked), stored[0] if stored else None)
    context = {
        **freshness(request, report), "criteria": criteria, "map": rater_map(chosen) if chosen else None,
    }  # fmt: skip
    return render(request, "evaluation/raters/map.html", context)


@require_safe
def study_rater_pair(request: Any, study: str) -> HttpResponse:
    """The texts that `?a=` and `?b=` both judged on `?criterion=`, those on which they differ most first."""
    if not request.GET:
        return redirect("study_raters", study=study)  # where a pair is chosen
    asked = request.GET.dict()
    context: dict[str, Any] = {
        "asked": asked,
        "crumbs": [
            {"url": reverse("study_raters", args=[study]), "label": _("Raters")},
        ],
    }
    try:
        rows = judged_by_two(request.study, asked)
    except UserError as error:
        return render(request, "evaluation/raters/pair.html", {**context, "error": str(error)}, status=422)
    page = Paginator(rows, A_PAGE).get_page(asked.get("page"))
    same = sum(row.apart == 0 for row in rows)
    return render(request, "evaluation/raters/pair.html", {**context, "page": page, "count": len(rows), "same": same})
