"""The machine that an address names: found, or 404."""

from typing import Any

from django.shortcuts import get_object_or_404

from annotation.campaigns.requested import campaign_of
from annotation.models import MachineRater


def machine_of(request: Any, campaign: str, pk: int) -> MachineRater:
    """The machine of the campaign, or 404."""
    rows = campaign_of(request, campaign).machines.select_related("job", "campaign", "of__study")
    found: MachineRater = get_object_or_404(rows, pk=pk)
    return found
