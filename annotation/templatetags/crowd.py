"""The step of somebody from a crowd site on their way, for the pages of the work."""

from typing import Any

from django.template import Library
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.permissions import Role
from annotation.blinding import Kind, handle_of
from annotation.crowd.participation import Step, participant_at, steps
from annotation.models import CrowdParticipant

register = Library()
NAMES = {
    "consent": _("Consent"),
    "training": pgettext_lazy("of annotators", "Training"),
    "qualification": _("Qualification"),
    "work": _("Work"),
    "code": _("Code"),
}


@register.simple_tag(takes_context=True)
def crowd_place(context: Any) -> dict[str, Any] | None:
    """The participant, their steps, whether they are at the work itself; None for everybody else. Asked once a page."""
    request = context["request"]
    if not hasattr(request, "crowd_place"):
        request.crowd_place = _place(request)
    place: dict[str, Any] | None = request.crowd_place
    return place


@register.filter
def handle(participant: CrowdParticipant) -> str:
    """The handle that names them in the addresses of their own place."""
    return handle_of(Kind.PARTICIPANT, participant.pk, participant.person_id)


@register.filter
def step_name(place: Step) -> str:
    return str(NAMES[place.name])


def _place(request: Any) -> dict[str, Any] | None:
    slug = request.resolver_match.kwargs.get("campaign")
    if not slug or request.user.role != Role.CROWD_ANNOTATOR:
        return None
    present = participant_at(request.user, request.study, slug)
    if present is None:
        return None
    participant, campaign = present
    is_work = campaign.pk == participant.recruitment_link.campaign_id
    return {"participant": participant, "steps": steps(participant, campaign), "is_work": is_work}
