"""How long each kind of job may run at a time. A job that is over its limit is stopped, by force where it must be.

The limits are generous: they end what would never end. Another is set by RESTYLE_JOB_LIMITS, as in
`train=90d,score=12h`: a kind and a number of seconds (s), minutes (m), hours (h) or days (d).
"""

import re
from collections.abc import Mapping
from difflib import get_close_matches

from django.utils.translation import ngettext

from foundation.errors import UserError

NAME = "RESTYLE_JOB_LIMITS"

SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
LIMITS = {  # by the last part of the Celery task's name
    "import_documents": "6h",
    "bring_in_table": "6h",
    "import_gold": "6h",
    "select_sources": "6h",
    "link_concepts": "1d",
    "translate": "1d",
    "agreement": "6h",
    "release": "6h",
    "publish": "6h",
    "back_up": "1d",
    "score": "1d",
    "judge": "7d",
    "rate_by_machine": "7d",
    "transfer": "7d",
    "train": "30d",
    "reset_demo": "6h",
}
OTHERS = "6h"  # a kind that is not named above


def time_limits(changes: str = "") -> dict[str, float]:
    """Seconds by kind: ours, with the changes of RESTYLE_JOB_LIMITS. Raises UserError."""
    return {kind: parse_duration(length) for kind, length in {**LIMITS, **dict(_changes(changes))}.items()}


def time_limit_of(task: str, by_kind: Mapping[str, float]) -> float:
    """How many seconds a job of the Celery task `task` may run."""
    return by_kind.get(task.rpartition(".")[2], parse_duration(OTHERS))


def parse_duration(length: str) -> float:
    """`12h` as seconds. Raises UserError."""
    found = re.fullmatch(r"(\d{1,9})([smhd])", length.strip())
    if not found or not int(found[1]):
        raise UserError(
            "{length!r} is not a length of time; write one such as 90m, 12h or 7d.", length=length, where=NAME
        )
    return float(int(found[1]) * SECONDS[found[2]])


def duration_in_words(length: float) -> str:
    """Seconds in words: '6 hours'."""
    unit = next((one for one in ("d", "h", "m") if length >= SECONDS[one] and not length % SECONDS[one]), "s")
    count = int(length // SECONDS[unit])
    named = {
        "d": ngettext("{n} day", "{n} days", count),
        "h": ngettext("{n} hour", "{n} hours", count),
        "m": ngettext("{n} minute", "{n} minutes", count),
        "s": ngettext("{n} second", "{n} seconds", count),
    }
    return named[unit].format(n=count)


def _changes(said: str) -> list[tuple[str, str]]:
    pairs = [one.partition("=") for one in said.split(",") if one.strip()]
    for kind, _, _ in pairs:
        if kind.strip() not in LIMITS:
            near = get_close_matches(kind.strip(), LIMITS, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(LIMITS)}."
            raise UserError("There is no kind of job {kind!r}; {hint}", kind=kind.strip(), hint=hint, where=NAME)
    return [(kind.strip(), length) for kind, _, length in pairs]
