"""Give a planned campaign its items before it starts, so that they can get expected answers."""

from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.campaigns.fields import NO_ITEMS
from annotation.campaigns.items import build_items
from annotation.models import Campaign
from foundation.errors import UserError


@audited
@transaction.atomic
def build_campaign(*, campaign: Campaign, by: Any) -> Campaign:
    """Build the items of a draft from the study's texts as they are now."""
    locked = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if locked.size or locked.after_id or locked.state != Campaign.State.DRAFT:
        raise UserError(
            "Items can be created only for a planned campaign that has no items and follows no other campaign."
        )
    build_items(locked, list(locked.study.systems.all()))
    if not locked.size:
        raise UserError(NO_ITEMS)
    campaign.size = locked.size
    return locked
