"""The phrases of the pages of campaigns about time and somebody's own progress."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from django.template import Library
from django.utils.translation import get_language, gettext, ngettext

from annotation.progress.own_progress import as_data

register = Library()
register.filter(as_data)
HOURS_OF_A_DAY = 24
# A number of each of the kinds that the plural rules of languages know (Unicode CLDR), as our languages have them.
OF_KIND = {"zero": 0, "one": 1, "two": 2, "few": 3, "many": 11, "other": 100}


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
        "done": _by_kind(lambda number: ngettext("%(n)s done", "%(n)s done", number)),
        "left": _by_kind(lambda number: ngettext("%(n)s left", "%(n)s left", number)),
        "more": gettext("more than %(n)s left"),
        "minutes": _by_kind(lambda number: ngettext("about %d minute", "about %d minutes", number)),
        "hours": _by_kind(lambda number: ngettext("about %d hour", "about %d hours", number)),
        "days": _by_kind(lambda number: ngettext("about %d day", "about %d days", number)),
        "pace": gettext("%(time)s at your pace"),
        "due": gettext("%(amount)s %(currency)s due"),
        "goal": gettext("%(n)s of %(goal)s today"),
        "today": gettext("%(n)s today"),
    }


def _by_kind(sentence: Callable[[int], str]) -> dict[str, str]:
    """The sentence of "other" numbers, and of those kinds of numbers for which the language has another one."""
    sentences = {kind: sentence(number) for kind, number in OF_KIND.items()}
    return {kind: said for kind, said in sentences.items() if kind == "other" or said != sentences["other"]}
