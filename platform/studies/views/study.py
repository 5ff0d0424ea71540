"""The page that a study opens with, and the one that takes a study file."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.permissions import Can
from annotation.actions.begin_study import begin_study
from annotation.study_templates import TEMPLATES
from annotation.task_types import TASK_TYPES
from corpora.views.studies import free_slug
from foundation.errors import UserError
from studies.progress.checklist import tasks_of
from studies.progress.overview import counts_of, steps_of, work_of
from study_file.forms import BeginForm, StudyFileForm
from study_file.uploads import apply_uploads


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
    may_edit = here.can(person, Can.EDIT_STUDY)
    context = {
        "counts": counts, "steps": steps, "done": sum(step.done for step in steps),
        "tasks": tasks_of(here) if may_edit else [], "template": TEMPLATES.get(here.template),
        "directions": here.directions.order_by("number"), "may_edit": may_edit,
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


@require_http_methods(["GET", "HEAD", "POST"])
def study_begin(request: HttpRequest) -> HttpResponse:
    """A study from one of the templates."""
    form = BeginForm(request.POST or None)
    if form.is_bound and form.is_valid():
        given = form.cleaned_data
        try:
            made = begin_study(**{**given, "slug": given["slug"] or free_slug(given["title"])}, by=request.user)
        except UserError as error:
            form.tell(error)
        else:
            messages.success(request, _("The study is made, with its stages planned."))
            return redirect("study", study=made.slug)
    context = {"form": form, "templates": list(TEMPLATES.values()), "chosen": form["template"].value()}
    return render(request, "corpora/study_begin.html", context, status=422 if form.errors else 200)
