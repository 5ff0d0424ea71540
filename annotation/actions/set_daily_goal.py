"""Somebody chooses how many items of a campaign they want to do in a day."""

from typing import Any

from django.db import transaction

from annotation.models import Campaign, CampaignMembership
from foundation.options import Option

GOAL = Option("goal", 0, "The items a day you chose.", low=1, high=10_000, none="usual")


@transaction.atomic
def set_daily_goal(*, campaign: Campaign, person: Any, goal: int | None) -> CampaignMembership:
    """Keep the goal, a number of items; None takes it away. It is theirs alone and keeps nobody from anything."""
    goal = GOAL.check(goal)
    CampaignMembership.objects.get_or_create(campaign=campaign, person=person)
    membership = CampaignMembership.objects.select_for_update().get(campaign=campaign, person=person)
    membership.goal = goal
    membership.save(update_fields=["goal"])
    return membership
