"""Pause somebody's work in a campaign."""

from typing import Any

from django.db import transaction

from accounts.audit.log import audited
from annotation.actions.skip_item import plain
from annotation.models import Campaign, Seat


@audited
@transaction.atomic
def pause_worker(*, campaign: Campaign, person: Any, by: Any, reason: str) -> Seat:
    """They get no work until they are resumed; `reason` is what they read."""
    Seat.objects.get_or_create(campaign=campaign, person=person)
    seat = Seat.objects.select_for_update().get(campaign=campaign, person=person)
    seat.state, seat.reason = Seat.State.PAUSED, plain(reason)
    seat.save(update_fields=["state", "reason"])
    return seat
