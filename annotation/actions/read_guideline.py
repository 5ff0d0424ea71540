"""Somebody says that they have read the guideline."""

from typing import Any

from django.db import transaction

from annotation.models import Campaign, CampaignMembership


@transaction.atomic
def read_guideline(*, campaign: Campaign, person: Any, version: int) -> CampaignMembership:
    """Keep the newest version that this person has read; one that is not there yet counts as the newest there is."""
    CampaignMembership.objects.get_or_create(campaign=campaign, person=person)
    membership = CampaignMembership.objects.select_for_update().get(campaign=campaign, person=person)
    membership.guideline_read = max(membership.guideline_read, min(version, campaign.guideline_version))
    membership.save(update_fields=["guideline_read"])
    return membership
