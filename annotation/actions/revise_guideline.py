"""Give a campaign a new version of its guideline."""

from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.campaigns.fields import CampaignFields
from annotation.models import Campaign, Guideline
from foundation.options import option_named


@audited
@transaction.atomic
def revise_guideline(*, campaign: Campaign, text: str, by: Any) -> Guideline:
    """Add the next version; answers from now on carry its number. The same text again is no new version."""
    text = option_named(CampaignFields, "guideline").check(text)
    locked = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)  # answers may still refer to it
    newest = locked.guidelines.get(version=locked.guideline_version)
    if newest.text.replace("\r\n", "\n") == text:  # as it was stored from a page before
        return newest
    guideline = Guideline.objects.create(campaign=locked, version=newest.version + 1, text=text)
    locked.guideline_version = campaign.guideline_version = guideline.version
    locked.save(update_fields=["guideline_version"])
    return guideline
