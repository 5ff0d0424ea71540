"""Rows of the audit log for what changes nothing: sign-ins, downloads, reads of texts under terms, use of tokens."""

from datetime import date
from functools import lru_cache
from typing import Any

from django.db import connection
from django.utils import timezone

from accounts.models import Person, TrailEntry

Kind = TrailEntry.Kind
MOST = 50_000  # of what was noted that a process remembers

# Another process may have noted it already.
ONCE = """
INSERT INTO accounts_trailentry (at, person_id, study_slug, kind, action, target, details, changes, day)
VALUES (now(), %s, %s, %s, %s, %s, '{}', '{}', %s)
ON CONFLICT (person_id, study_slug, action, target, day) WHERE day IS NOT NULL DO NOTHING
"""


def log_event(
    person: Person | None, kind: str, action: str, *, study: str = "", target: str = "", details: Any = None
) -> None:
    """Add a row; `study` is the slug of the study that it is about."""
    TrailEntry.objects.create(
        person=person, kind=kind, action=action, study_slug=study, target=target[:300], details=details or {}
    )


def log_event_daily(person: Person, kind: str, action: str, *, study: str = "", target: str = "") -> None:
    """Add a row unless this day (UTC) has it: of what programs and pages do thousands of times.

    A process asks the database for it once; afterwards it is a look into its memory.
    """
    _once(person.pk, kind, action, study, target, timezone.now().date())


@lru_cache(maxsize=MOST)
def _once(person: int, kind: str, action: str, study: str, target: str, day: date) -> None:
    with connection.cursor() as cursor:
        cursor.execute(ONCE, [person, study, kind, action, target, day])
