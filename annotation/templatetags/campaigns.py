"""What the pages of campaigns say of time."""

from django.template import Library
from django.utils.translation import ngettext

register = Library()
HOURS_OF_A_DAY = 24


@register.filter
def for_so_long(hours: float) -> str:
    """Hours in the words of a person: "about 20 minutes", "about 3 hours", "about 12 days".

    Some languages say one and two without a digit, which `%` would refuse.
    """
    if hours < 1:
        minutes = max(1, round(hours * 60))
        return ngettext("about %d minute", "about %d minutes", minutes).replace("%d", str(minutes))
    if hours < 2 * HOURS_OF_A_DAY:
        whole = round(hours)
        return ngettext("about %d hour", "about %d hours", whole).replace("%d", str(whole))
    days = round(hours / HOURS_OF_A_DAY)
    return ngettext("about %d day", "about %d days", days).replace("%d", str(days))
