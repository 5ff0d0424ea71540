"""The campaigns where a person has work, and the goal for the day that they choose."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.telling import telling
from annotation.actions.set_daily_goal import set_daily_goal
from annotation.progress.own_campaigns import campaigns_for, day_of, ended_for, reviews_for, to_go_on, whom_to_ask
from annotation.progress.own_progress import own_progress
from foundation.errors import UserError


@require_safe
def my_work(request: Any) -> HttpResponse:
    rows, reviews = campaigns_for(request.user), reviews_for(request.user)
    context = {
        "rows": rows,
        "reviews": reviews,
        "ended": ended_for(request.user),
        "go_on": to_go_on(rows),
        "day": day_of(request.user),
        "is_crowd": request.user.from_crowd_site,
        "leads": [] if rows or reviews else whom_to_ask(request.user),
    }
    return render(request, "annotation/my_work.html", context)


@require_POST
def daily_goal(request: Any, study: str, campaign: str) -> HttpResponse:
    """Keep the goal; an empty field takes it away. htmx gets the line of progress."""
    found = get_object_or_404(request.study.campaigns, slug=campaign)
    with telling(None if request.htmx else request, "goal") as told:
        set_daily_goal(campaign=found, person=request.user, goal=_read_goal(request.POST.get("goal", "")))
    if not request.htmx:
        return redirect("campaign_work", study=study, campaign=campaign)
    context = {"progress": own_progress(found.pk, request.user), "goal_url": request.path, "goal_error": told.error}
    return render(request, "annotation/work/_progress.html", context, status=422 if told.error else 200)


def _read_goal(given: str) -> int | None:
    text = given.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 9):
        raise UserError(_("Choose a whole number of items, or leave the field empty for no goal."), where="goal")
    return int(text)
