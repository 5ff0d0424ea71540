from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.models import Campaign, Release
from corpora.actions.lock_study import lock_study
from corpora.models import Removal
from corpora.trash import before_removal, forget_declared, move_to_trash
from foundation.errors import UserError


@audited
@transaction.atomic
def remove_campaign(*, campaign: Campaign, by: Any = None) -> Removal:
    """Take a campaign out of the study with its items, its answers and all that people did in it.

    A UserError while people work in it, where a further stage takes its products, or where a release holds it.
    """
    study = campaign.study
    lock_study(study)
    campaign = Campaign.objects.select_for_update(of=("self",)).get(pk=campaign.pk)
    if campaign.takes_work:
        raise UserError("People may be working in this campaign; pause or close it first.", where="state")
    follower = campaign.followers.first()
    if follower is not None:
        raise UserError(
            "The campaign {follower} uses the output of this one; remove that campaign first.", follower=follower
        )
    for release in Release.objects.filter(study=study).only("number", "counts"):
        if campaign.slug in release.counts.get("campaigns", {}):
            raise UserError("This campaign cannot be removed: release {number} holds its texts.", number=release.number)
    before_removal.send(sender=Campaign, what=campaign)
    declared = forget_declared(study, f"campaign {campaign.name}", f"stage {campaign.slug}")
    rows = {Campaign: [campaign.pk]}
    return move_to_trash(
        study=study, kind=Removal.Kind.CAMPAIGN, name=campaign.name, rows=rows, declared=declared, by=by
    )
