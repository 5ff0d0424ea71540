"""Removing a campaign. Authorization sets `request.study`."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from annotation.actions.remove_campaign import remove_campaign
from annotation.campaigns.requested import campaign_of
from corpora.views.trash import tell_removed
from foundation.errors import UserError


@require_POST
def campaign_remove(request: Any, study: str, campaign: str) -> HttpResponse:
    """Take it out of the study with its items and answers."""
    campaign_object = campaign_of(request, campaign)
    try:
        tell_removed(request, remove_campaign(campaign=campaign_object, by=request.user))
    except UserError as error:
        messages.error(request, str(error))
        return redirect("campaign", study=study, campaign=campaign)
    return redirect("study_campaigns", study=study)
