"""The campaigns of a study in which answers wait for a decision."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.progress.counts import waiting_in_all
from annotation.task_types import TASK_TYPES


@require_safe
def study_reviews(request: Any, study: str) -> HttpResponse:
    """Each campaign that has answers to decide on, those with the most first."""
    campaigns = list(request.study.campaigns.select_related("direction"))
    waiting = waiting_in_all(campaigns)
    rows = [
        {"campaign": campaign, "kind": TASK_TYPES[campaign.task_type].label, "waiting": waiting[campaign.pk]}
        for campaign in sorted(campaigns, key=lambda one: -waiting.get(one.pk, 0))
        if campaign.pk in waiting
    ]
    return render(request, "annotation/reviews.html", {"rows": rows})
