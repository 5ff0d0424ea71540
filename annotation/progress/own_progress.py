"""A person's own progress in campaigns: done, left, the time that takes at their pace, the pay due, today's goal.

What is left is what the person may still get. In a campaign with control items it is not told, since those change no
count of free assignments; a quota is told, because it counts whatever the person gets. The pace is the median of the
active seconds of the person's newest answers in the campaign. One statement, however many campaigns.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import orjson
from django.db import connection

from accounts.database.prepared_statements import fetch_one
from annotation.campaigns.items import topic_key
from annotation.crowd.ledger import due

MOST = 1_000  # items that are counted one by one: what is left beyond them is "more than" so many
RECENT = 30  # newest answers that the pace is taken from
ENOUGH = 5  # answers before anything is said of the pace
SECONDS_AN_HOUR = 3600

# An item's free assignments share its position, and what the person had lies at or before the position of their seat.
# Paid are the active seconds on an item up to what the campaign plans for it, as in the ledger.
PROGRESS = """
SELECT c.id, coalesce(seat.done, 0), CASE WHEN seat.day = current_date THEN seat.today ELSE 0 END, seat.goal,
       coalesce(seat.rejected, 0), c.pay, c.crew -> 'quota',
       CASE WHEN c.control_every > 0 OR c.mixed THEN NULL
            WHEN c.purpose = 'work' THEN (
                SELECT count(DISTINCT free.position) FROM (
                    SELECT s.position FROM annotation_slot s
                    WHERE s.campaign_id = c.id AND s.pilot = (c.state = 'pilot') AND s.state = 0
                      AND s.position > coalesce(seat.position, 0) AND NOT (%(person)s = ANY(s.barred))
                      AND (c.crew -> 'by_topic' IS NULL OR s.topic = '' OR s.topic = ANY(%(topics)s::text[]))
                    ORDER BY s.position LIMIT %(most)s * c.overlap) free
            ) + (SELECT count(*) FROM annotation_slot own
                 WHERE own.campaign_id = c.id AND own.annotator_id = %(person)s AND own.state = 1)
            ELSE (
                SELECT count(*) FROM annotation_item i
                WHERE i.campaign_id = c.id AND i.expected IS NOT NULL AND NOT i.withdrawn
                  AND NOT EXISTS (SELECT 1 FROM annotation_slot own WHERE own.item_id = i.id AND own.state = 2
                                  AND own.annotator_id = %(person)s AND own.pilot = (c.state = 'pilot')))
       END,
       (SELECT CASE WHEN count(*) >= %(enough)s THEN percentile_cont(0.5) WITHIN GROUP (ORDER BY recent.seconds) END
        FROM (SELECT a.seconds FROM annotation_answer a
              WHERE a.campaign_id = c.id AND a.person_id = %(person)s AND a.outcome = 'answered'
                AND a.seconds IS NOT NULL
              ORDER BY a.submitted_at DESC LIMIT %(recent)s) recent),
       CASE WHEN (c.pay ->> 'hour')::float8 > 0 THEN (
            SELECT coalesce(sum(least(worked.seconds,
                                      60 * coalesce((c.pay ->> 'minutes')::float8, c.lease_minutes))), 0)
            FROM (SELECT sum(a.seconds) AS seconds FROM annotation_answer a
                  WHERE a.campaign_id = c.id AND a.person_id = %(person)s GROUP BY a.item_id, a.pilot) worked)
       ELSE 0 END
FROM annotation_campaign c
LEFT JOIN annotation_seat seat ON seat.campaign_id = c.id AND seat.person_id = %(person)s
WHERE c.id = ANY(%(campaigns)s)
"""


@dataclass(frozen=True)
class OwnProgress:
    """Items `done` and `left` (None: not told), and `hours` that those take at the person's pace (None: not known).

    `is_more`: more than `left` are left. `due` is in `currency`, None where the campaign pays nothing. `today` counts
    the answers of this day, of which there are to be `goal`, if the person chose one.
    """

    done: int
    left: int | None
    is_more: bool
    hours: float | None
    due: Decimal | None
    currency: str
    today: int
    goal: int | None

    @property
    def total(self) -> int | None:
        return None if self.left is None or self.is_more else self.done + self.left

    @property
    def is_reached(self) -> bool:
        """Whether today's goal is."""
        return self.goal is not None and self.today >= self.goal


def own_progress(campaign: int, person: Any) -> OwnProgress:
    row = fetch_one(PROGRESS, _asked([campaign], person))
    assert row is not None
    return _read(row[1:])


def own_progress_of_all(campaigns: Iterable[int], person: Any) -> dict[int, OwnProgress]:
    """The person's progress in each of these campaigns, by its key; one statement."""
    asked = _asked(campaigns, person)
    if not asked["campaigns"]:
        return {}
    with connection.cursor() as cursor:
        return {row[0]: _read(row[1:]) for row in cursor.execute(PROGRESS, asked).fetchall()}


def _asked(campaigns: Iterable[int], person: Any) -> dict[str, Any]:
    return {
        "campaigns": list(campaigns),
        "person": person.pk,
        "topics": [topic_key(topic) for topic in person.topics],
        "most": MOST + 1,
        "recent": RECENT,
        "enough": ENOUGH,
    }


def _read(row: Sequence[Any]) -> OwnProgress:
    done, today, goal, rejected, pay, quota, free, pace, paid_seconds = row
    left, pay = _left(free, quota, done), _json(pay)
    is_more = left is not None and left > MOST
    money = due(pay, paid_seconds, done, rejected).total if pay.get("item") or pay.get("hour") else None
    hours = None if left is None or is_more or pace is None else left * pace / SECONDS_AN_HOUR
    return OwnProgress(done, MOST if is_more else left, is_more, hours, money, pay.get("currency", ""), today, goal)


def _left(free: int | None, quota: Any, done: int) -> int | None:
    """What is left of the free items, or of the quota where that is less."""
    quota = _json(quota)
    if quota is None:
        return free
    rest = max(0, int(quota) - done)
    return rest if free is None else min(free, rest)


def _json(value: Any) -> Any:
    """A JSON column as Python has it: Django's connections hand it out as text."""
    return orjson.loads(value) if isinstance(value, str) else value
