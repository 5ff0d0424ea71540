"""Somebody says that they have read the guideline."""

from typing import Any

from django.db import transaction

from annotation.models import Campaign, Seat


@transaction.atomic
def read_guideline(*, campaign: Campaign, person: Any, version: int) -> Seat:
    """Keep the newest version that this person has read; one that is not there yet counts as the newest there is."""
    Seat.objects.get_or_create(campaign=campaign, person=person)
    seat = Seat.objects.select_for_update().get(campaign=campaign, person=person)
    seat.guideline_read = max(seat.guideline_read, min(version, campaign.guideline_version))
    seat.save(update_fields=["guideline_read"])
    return seat
