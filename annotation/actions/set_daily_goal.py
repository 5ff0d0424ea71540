"""Somebody chooses how many items of a campaign they want to do in a day."""

from typing import Any

from django.db import transaction

from annotation.models import Campaign, CampaignMembership
from foundation.errors import UserError

MOST = 10_000


@transaction.atomic
def set_daily_goal(*, campaign: Campaign, person: Any, goal: int | None) -> CampaignMembership:
    """Keep the goal, from 1 to MOST items; None takes it away. It is theirs alone and keeps nobody from anything."""
    if goal is not None and not 1 <= goal <= MOST:
        raise UserError("Choose a number of items from 1 to {most}.", most=MOST, where="goal")
    CampaignMembership.objects.get_or_create(campaign=campaign, person=person)
    membership = CampaignMembership.objects.select_for_update().get(campaign=campaign, person=person)
    membership.goal = goal
    membership.save(update_fields=["goal"])
    return membership
