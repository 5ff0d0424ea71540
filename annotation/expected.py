"""Expected answers: what items of a training or a qualification must have before anyone begins."""

from annotation.models import Campaign

ASKED_OF = {Campaign.Purpose.TRAINING, Campaign.Purpose.QUALIFICATION}


def lacking(campaign: Campaign) -> int:
    """How many items still lack the expected answer that this campaign's purpose needs; 0 for ordinary work."""
    if campaign.purpose not in ASKED_OF:
        return 0
    return campaign.items.filter(expected__isnull=True).count()
