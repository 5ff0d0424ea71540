"""The page that a study opens with."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.permissions import Can
from annotation.study_templates import TEMPLATES
from annotation.task_types import TASK_TYPES
from studies.progress.checklist import tasks_of
from studies.progress.overview import counts_of, steps_of, work_of


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
