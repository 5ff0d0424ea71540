"""What models a study has."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.permissions import Can
from modelserving.presenters.model_list import entries_of, tags_in

A_PAGE = 25


@require_safe
def study_models(request: Any, study: str) -> HttpResponse:
    """Trainings and imported checkpoints, newest first; htmx asks for the list alone while a training is unfinished."""
    tag = request.GET.get("tag", "")
    page = Paginator(entries_of(request.study, tag), A_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "unfinished": [entry.run.job for entry in page if entry.unfinished],
        "tag": tag,
        "may_run": request.study.can(request.user, Can.RUN_MODELS),
    }
    if request.htmx:
        return render(request, "modelserving/_list.html", context)
    files = request.study.transfer_runs.exclude(file_name="").select_related("job", "checkpoint", "direction")[:10]
    return render(request, "modelserving/models.html", {**context, "files": files, "tags": tags_in(request.study)})
