"""Let somebody go on who was paused."""

from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.models import Campaign, CampaignMembership
from foundation.errors import UserError


@audited
@transaction.atomic
def resume_annotator(*, campaign: Campaign, person: Any, by: Any) -> CampaignMembership:
    """Give them work again, and count the rejections in a row from none."""
    if by is not None and by.pk == person.pk:
        raise UserError("You cannot let yourself continue; ask somebody else.")
    membership = CampaignMembership.objects.select_for_update().filter(campaign=campaign, person=person).first()
    if membership is None or membership.state != CampaignMembership.State.PAUSED:
        raise UserError("This person is not paused here.")
    membership.state, membership.reason, membership.rejected_in_row = CampaignMembership.State.WORKING, "", 0
    membership.save(update_fields=["state", "reason", "rejected_in_row"])
    return membership
