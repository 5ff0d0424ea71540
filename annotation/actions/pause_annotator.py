"""Pause somebody's work in a campaign."""

from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.actions.skip_item import plain
from annotation.models import Campaign, CampaignMembership


@audited
@transaction.atomic
def pause_annotator(*, campaign: Campaign, person: Any, by: Any, reason: str) -> CampaignMembership:
    """Give them no work until they are resumed; they read `reason`."""
    CampaignMembership.objects.get_or_create(campaign=campaign, person=person)
    membership = CampaignMembership.objects.select_for_update().get(campaign=campaign, person=person)
    membership.state, membership.reason = CampaignMembership.State.PAUSED, plain(reason)
    membership.save(update_fields=["state", "reason"])
    return membership
