"""Give somebody their next item."""

from typing import Any

from django.db import transaction

from annotation.begun_again import begun_again
from annotation.engine.desk import sit_down
from annotation.engine.queue import Claim, next_work


@begun_again
@transaction.atomic
def claim_slot(*, study: Any, campaign: str, person: Any) -> Claim:
    """The item that `person` holds in the campaign of that slug, its lease renewed, else the next one.

    Where there is none, the claim says why. Campaign.DoesNotExist where the study has no such campaign.
    """
    return next_work(sit_down(study=study, campaign=campaign, person=person), begin=True)
