"""Let somebody go on who was paused."""

from typing import Any

from django.db import transaction

from accounts.audit.log import audited
from annotation.models import Campaign, Seat
from foundation.errors import UserError


@audited
@transaction.atomic
def resume_worker(*, campaign: Campaign, person: Any, by: Any) -> Seat:
    """They get work again, and the rejections in a row count from none."""
    if by is not None and by.pk == person.pk:
        raise UserError("You cannot let yourself go on; somebody else does.")
    seat = Seat.objects.select_for_update().filter(campaign=campaign, person=person).first()
    if seat is None or seat.state != Seat.State.PAUSED:
        raise UserError("This person is not paused here.")
    seat.state, seat.reason, seat.rejected_in_row = Seat.State.WORKING, "", 0
    seat.save(update_fields=["state", "reason", "rejected_in_row"])
    return seat
