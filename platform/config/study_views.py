"""The page that a study opens with, and the one that takes a study file."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.permissions import Can
from annotation.task_types import TASK_TYPES
from config.forms import StudyFileForm
from config.overview import counts_of, steps_of, work_of
from config.uploaded_study import apply_uploads
from foundation.errors import UserError


@require_safe
def study(request: Any, study: str) -> HttpResponse:
    """What the study has and the next step; for those who only work in it, their work."""
    here, person = request.study, request.user
    if not here.can(person, Can.VIEW_STUDY):
        work = work_of(here, person)
        for campaign in work:
            campaign.verb = TASK_TYPES[campaign.task_type].verb
        return render(request, "corpora/study_work.html", {"campaigns": work})
    counts = counts_of(here)
    steps = steps_of(here, counts, person)
    context = {
        "counts": counts, "steps": steps, "done": sum(step.done for step in steps),
        "directions": here.directions.order_by("number"), "may_edit": here.can(person, Can.EDIT_STUDY),
    }  # fmt: skip
    return render(request, "corpora/study.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def study_apply(request: HttpRequest) -> HttpResponse:
    """Set up a study from a study file and the files that it names, all uploaded."""
    form = StudyFileForm(request=request)
    if form.is_bound and form.is_valid():
        try:
            made, added = apply_uploads(**form.cleaned_data, by=request.user)
        except UserError as error:
            form.tell(error, "study")
        else:
            said = _("Added: %(parts)s.") % {"parts": ", ".join(added)} if added else _("There was nothing to change.")
            messages.success(request, said)
            return redirect("study", study=made.slug)
    return render(request, "corpora/study_apply.html", {"form": form}, status=422 if form.errors else 200)
