"""The page of the gold export. Authorization sets `request.study`."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.permissions import Can, may
from annotation.gold.rewrites import REWRITE_FORMATS, rewrite_counts
from annotation.presenters.files import file_of
from foundation.errors import UserError


@require_safe
def study_gold(request: HttpRequest, study: str) -> HttpResponse:
    return _page(request)


@require_safe
def gold_file(request: Any, study: str, form: str) -> HttpResponse | StreamingHttpResponse:
    """The gold rewrites as a file."""
    if form not in REWRITE_FORMATS:
        raise Http404
    try:
        return file_of(request.study, form)
    except UserError as error:
        return _page(request, error=str(error), status=422)


def _page(request: Any, error: str = "", status: int = 200) -> HttpResponse:
    campaigns = request.study.campaigns.filter(task_type="rewrite")
    context = {
        "study": request.study,
        "counts": rewrite_counts(request.study),
        "campaigns": campaigns,
        "exports": REWRITE_FORMATS,
        "releases": request.study.releases.defer("digests", "datasheet", "guidelines", "key").order_by("-number"),
        "running": request.study.release_runs.filter(job__state__in=["queued", "running"]).first(),
        "imports": request.study.gold_imports.select_related("job")[:20],
        "may_edit": may(request.user, Can.EDIT_STUDY, request.study),
        "may_release": may(request.user, Can.RELEASE, request.study),
        "error": error,
    }
    return render(request, "annotation/gold.html", context, status=status)
