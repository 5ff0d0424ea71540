"""Close a human study, and its campaigns with it."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.audit import audited
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.engine.deadlocks import retry_on_deadlock
from annotation.models import Campaign
from evaluation.models import HumanStudy
from foundation.errors import UserError


@retry_on_deadlock
@audited
@transaction.atomic
def close_human_study(*, human_study: HumanStudy, by: Any) -> HumanStudy:
    """Nobody gets an item any more; the answers stay. If not all is judged, the report says so."""
    locked = HumanStudy.objects.select_for_update(of=("self",)).get(pk=human_study.pk)
    if locked.state != HumanStudy.State.OPEN:
        raise UserError("Only an open human study can be closed.", where="state")
    for campaign in locked.campaigns.filter(state__in=[Campaign.State.OPEN, Campaign.State.PAUSED]):
        set_campaign_state(campaign=campaign, state=Campaign.State.CLOSED, by=by)
    locked.state, locked.closed_at = HumanStudy.State.CLOSED, timezone.now()
    locked.save(update_fields=["state", "closed_at"])
    human_study.refresh_from_db()
    return human_study
