"""Give somebody their next item."""

from typing import Any

from django.db import transaction

from annotation.engine.annotator_context import annotator_context
from annotation.engine.assignment_queue import Claim, next_work
from annotation.engine.deadlocks import retry_on_deadlock


@retry_on_deadlock
@transaction.atomic
def claim_assignment(*, study: Any, campaign: str, person: Any) -> Claim:
    """The item that `person` holds in the campaign of that slug, its lease renewed, else the next one.

    Where there is none, the claim says why. Campaign.DoesNotExist where the study has no such campaign.
    """
    return next_work(annotator_context(study=study, campaign=campaign, person=person), begin=True)
