"""A person's goal for the day in a campaign: their own choice, from the work page or *My work*."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation.actions.set_daily_goal import set_daily_goal
from annotation.progress.own_progress import own_progress
from foundation.errors import UserError


@require_POST
def daily_goal(request: Any, study: str, campaign: str) -> HttpResponse:
    """Keep the goal; an empty field takes it away. htmx gets the line of progress."""
    found = get_object_or_404(request.study.campaigns, slug=campaign)
    error = None
    try:
        set_daily_goal(campaign=found, person=request.user, goal=_read(request.POST.get("goal", "")))
    except UserError as refused:
        error = refused
    if not request.htmx:
        if error:
            messages.error(request, error.sentence)
        return redirect("campaign_work", study=study, campaign=campaign)
    context = {"progress": own_progress(found.pk, request.user), "goal_url": request.path, "goal_error": error}
    return render(request, "annotation/work/_progress.html", context, status=422 if error else 200)


def _read(given: str) -> int | None:
    text = given.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 9):
        raise UserError(_("Choose a whole number of items, or leave the field empty for no goal."), where="goal")
    return int(text)
