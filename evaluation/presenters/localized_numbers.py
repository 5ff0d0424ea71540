"""Numbers of a report as its readers write them. What is stored, exported or drawn from keeps its point and hyphen."""

import re

from django.utils.formats import get_format
from django.utils.translation import get_language_bidi
from django.utils.translation import gettext as _

NUMBER = re.compile(r"(?P<sign>(?<![\w.)])-)?(?<![\w.])(?P<whole>\d+)(?:\.(?P<part>\d+))?(?![\w]|\.\w)")
INTERVAL = re.compile(r"(?<!\S)(?P<low>\S*\d) to (?P<high>\S*\d)")
MINUS = "−"
LEFT_TO_RIGHT_MARK = "\u200e"  # else the sign goes to the other end of its number


def localized(text: str) -> str:
    """'−0.28 to 0.15' of '-0.28 to 0.15', in German '−0,28 bis 0,15'."""
    separator = get_format("DECIMAL_SEPARATOR")
    minus = LEFT_TO_RIGHT_MARK + MINUS if get_language_bidi() else MINUS

    def written(found: re.Match[str]) -> str:
        part = "" if found["part"] is None else f"{separator}{found['part']}"
        return (minus if found["sign"] else "") + found["whole"] + part

    return INTERVAL.sub(lambda found: _("%(low)s to %(high)s") % found.groupdict(), NUMBER.sub(written, text))
