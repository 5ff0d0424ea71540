"""`{% counted "columns" %}`: the forms of a sentence in which a script counts, as JSON for an attribute."""

import json
from functools import lru_cache

from django.template import Library
from django.utils.translation import get_language, ngettext

from foundation.translation import by_kind

register = Library()
COUNTS = {
    "characters": lambda n: ngettext("%(count)s of %(n)s character", "%(count)s of %(n)s characters", n),
    "columns": lambda n: ngettext("%(n)s more column", "%(n)s more columns", n),
    "metrics": lambda n: ngettext("%(count)s of %(n)s metric", "%(count)s of %(n)s metrics", n),
    "models": lambda n: ngettext("%(count)s of %(n)s model", "%(count)s of %(n)s models", n),
    "pixels": lambda n: ngettext("%(n)s pixel", "%(n)s pixels", n),
    "requests": lambda n: ngettext("%(count)s of %(n)s request", "%(count)s of %(n)s requests", n),
    "unsent": lambda n: ngettext(
        "%(n)s answer is not sent yet. Signing out now deletes it from this browser.",
        "%(n)s answers are not sent yet. Signing out now deletes them from this browser.",
        n,
    ),
    "waiting": lambda n: ngettext("%(n)s answer waits for the network", "%(n)s answers wait for the network", n),
}
"""Sentences that scripts fill (js/counted.js); the number at `n` chooses the form."""


@register.simple_tag
def counted(name: str) -> str:
    """The forms of a sentence by the plural kinds of numbers."""
    return _counted(name, get_language())


@lru_cache(maxsize=100)
def _counted(name: str, _language: str | None) -> str:
    return json.dumps(by_kind(COUNTS[name]), ensure_ascii=False)
