"""The button of a campaign that screens: what it decided becomes the standing of questions and documents."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation.actions.adopt_screening import adopt_screening
from annotation.campaigns.requested import campaign_of
from annotation.models import Campaign
from annotation.views.campaigns import do_and_say
from foundation.errors import first_five


@require_POST
def adopt(request: Any, study: str, campaign: str) -> HttpResponse:
    """Adopt it and say so on the campaign's page; ties are named there."""
    campaign_object = campaign_of(request, campaign)
    return do_and_say(request, campaign_object, lambda: _adopt(request, campaign_object))


def _adopt(request: Any, campaign: Campaign) -> None:
    adopted = adopt_screening(campaign=campaign, by=request.user)
    counts = {"questions": adopted.questions, "documents": adopted.documents}
    messages.success(request, _("Chosen now: %(questions)d questions and %(documents)d abstracts.") % counts)
    if adopted.ties:
        messages.warning(request, _("Undecided, for a tie: %(ties)s.") % {"ties": first_five(adopted.ties)})
