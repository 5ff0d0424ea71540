"""The phrases of the pages of campaigns about time and somebody's own progress."""

from functools import lru_cache
from typing import Any

from django.template import Library
from django.utils.translation import get_language, gettext, ngettext

from annotation.progress.own_progress import as_data
from foundation.translation import by_kind

register = Library()
register.filter(as_data)
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


@register.simple_tag
def progress_words() -> dict[str, Any]:
    """The sentences of `_own_progress.html` and of `for_so_long`, by the plural kinds of their numbers."""
    return _progress_words(get_language())


@lru_cache(maxsize=20)
def _progress_words(_language: str | None) -> dict[str, Any]:
    return {
        "done": by_kind(lambda number: ngettext("%(n)s done", "%(n)s done", number)),
        "left": by_kind(lambda number: ngettext("%(n)s left", "%(n)s left", number)),
        "more": gettext("more than %(n)s left"),
        "minutes": by_kind(lambda number: ngettext("about %d minute", "about %d minutes", number)),
        "hours": by_kind(lambda number: ngettext("about %d hour", "about %d hours", number)),
        "days": by_kind(lambda number: ngettext("about %d day", "about %d days", number)),
        "pace": gettext("%(time)s at your pace"),
        "due": gettext("%(amount)s %(currency)s due"),
        "goal": gettext("%(n)s of %(goal)s today"),
        "today": gettext("%(n)s today"),
    }
