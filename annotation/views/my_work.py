"""The campaigns where a person has work."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.permissions import Role
from annotation.progress.own_campaigns import campaigns_for, day_of, reviews_for, to_go_on, whom_to_ask


@require_safe
def my_work(request: Any) -> HttpResponse:
    rows, reviews = campaigns_for(request.user), reviews_for(request.user)
    context = {
        "rows": rows,
        "reviews": reviews,
        "go_on": to_go_on(rows),
        "day": day_of(request.user),
        "is_crowd": request.user.role == Role.CROWD_ANNOTATOR and request.user.email.endswith("@crowd.invalid"),
        "leads": [] if rows or reviews else whom_to_ask(request.user),
    }
    return render(request, "annotation/my_work.html", context)
