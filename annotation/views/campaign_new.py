"""The form of a new campaign."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotation.actions.create_campaign import create_campaign
from annotation.forms import CampaignForm, criteria_form
from annotation.task_types import TASK_TYPES
from foundation.errors import UserError


@require_http_methods(["GET", "HEAD", "POST"])
def campaign_new(request: Any, study: str) -> HttpResponse:
    data = request.POST if request.method == "POST" else None
    form, criteria = CampaignForm(data, study=request.study), criteria_form(request.study, data)
    if data is not None and form.is_valid() and criteria.is_valid():
        try:
            options = form.options(criteria.given())
            created = create_campaign(study=request.study, by=request.user, **options)
            return redirect("campaign", study=request.study.slug, campaign=created.slug)
        except UserError as error:
            form.refuse(error)
    context = {"form": form, "criteria": criteria, "judging": _kinds_with("rate_reference")}
    context["rating"] = _kinds_with("criteria")
    return render(request, "annotation/new.html", context, status=200 if data is None else 422)


def _kinds_with(setting: str) -> str:
    """The kinds of work that have this setting, as the page's script reads them."""
    return " ".join(name for name, kind in TASK_TYPES.items() if setting in kind.defaults)
