"""The form in which a campaign is changed."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotation.actions.edit_campaign import edit_campaign
from annotation.campaigns.requested import campaign_of
from annotation.forms import EditCampaignForm
from annotation.task_types import TASK_TYPES
from foundation.errors import UserError


@require_http_methods(["GET", "HEAD", "POST"])
def campaign_edit(request: Any, study: str, campaign: str) -> HttpResponse:
    campaign_object = campaign_of(request, campaign)
    data = request.POST if request.method == "POST" else None
    form = EditCampaignForm(data, study=request.study, campaign=campaign_object)
    if data is not None and form.is_valid():
        try:
            edit_campaign(campaign=campaign_object, by=request.user, **form.changes())
            return redirect("campaign", study=request.study.slug, campaign=campaign_object.slug)
        except UserError as error:
            form.refuse(error)
    context = {"form": form, "campaign": campaign_object, "kind": TASK_TYPES[campaign_object.task_type]}
    return render(request, "annotation/edit.html", context, status=200 if data is None else 422)
