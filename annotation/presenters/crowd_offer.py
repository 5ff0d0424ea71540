"""What work pays and how long it may take, in sentences, for whoever is about to agree to it."""

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Campaign


def crowd_offer(campaign: Campaign) -> list[str]:
    pay, quota = campaign.pay, campaign.crew.get("quota")
    minutes = pay.get("minutes") or campaign.lease_minutes
    said = []
    if quota:
        said.append(ngettext("At most %d item.", "At most %d items.", quota).replace("%d", str(quota)))
    longest = number_format(f"{minutes:g}", use_l10n=True)
    said.append(_("At most {minutes} minutes for an item.").format(minutes=longest))
    for unit, sentence in (
        ("item", _("{amount} {currency} for an item.")),
        ("hour", _("{amount} {currency} for an hour.")),
    ):
        if pay.get(unit):
            amount = number_format(pay[unit], 2)
            said.append(sentence.format(amount=amount, currency=pay.get("currency", "")))
    return said
