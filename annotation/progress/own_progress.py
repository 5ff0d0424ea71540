"""A person's own progress in campaigns: done, left, the time that takes at their pace, the pay due, today's goal.

The items left are those that the person may still get. Their number is not told in a campaign with control items, since
those change no count of free assignments. A quota is told, because it counts whatever the person gets. The pace is the
median of the active seconds of the person's newest answers in the campaign. One statement, however many campaigns.

Counting the items left means to walk through them. So an answer brings everything else from what the engine has read
anyway (`progress_at_hand`), and the page counts down by itself, until it is told again (`is_to_be_counted`)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import median
from typing import Any

import orjson
from django.db import connection
from django.utils.safestring import SafeString

from accounts.database.prepared_statements import fetch_one
from annotation.campaigns.items import topic_key
from annotation.crowd.ledger import due
from annotation.engine.annotator_context import AnnotatorContext
from annotation.engine.running_sums import IS_STALE, sum_stale

MOST = 1_000  # items that are counted one by one: beyond them "more than" so many are left
FEW = 20  # left as far as the page knows: from here on each answer counts anew
EVERY = 50  # answers after which it is counted anew in any case, since others took items meanwhile
ENOUGH = 5  # answers before anything is said of the pace

# An item's free assignments share its position. The person's past assignments lie at or before the position of
# their membership, except those that they hold.
PROGRESS = f"""
SELECT c.id, coalesce(m.done, 0), CASE WHEN m.day = current_date THEN m.today ELSE 0 END, m.goal,
       coalesce(m.rejected, 0), c.pay, c.crew -> 'quota',
       CASE WHEN c.control_every > 0 OR c.mixed THEN NULL
            WHEN c.purpose = 'work' THEN (
                SELECT count(DISTINCT free.position) FROM (
                    SELECT s.position FROM annotation_assignment s
                    WHERE s.campaign_id = c.id AND s.pilot = (c.state = 'pilot') AND s.state = 0
                      AND s.position > coalesce(m.position, 0) AND s.position <> ALL(held.positions)
                      AND NOT (%(person)s = ANY(s.barred))
                      AND (c.crew -> 'by_topic' IS NULL OR s.topic = '' OR s.topic = ANY(%(topics)s::text[]))
                    ORDER BY s.position LIMIT %(most)s * c.overlap) free
            ) + cardinality(held.positions)
            ELSE (
                SELECT count(*) FROM annotation_item i
                WHERE i.campaign_id = c.id AND i.expected IS NOT NULL AND NOT i.withdrawn
                  AND NOT EXISTS (SELECT 1 FROM annotation_assignment own WHERE own.item_id = i.id AND own.state = 2
                                  AND own.annotator_id = %(person)s AND own.pilot = (c.state = 'pilot')))
       END, m.recent_seconds, coalesce(m.paid_seconds, 0), coalesce(m.answered, 0), m.id IS NOT NULL AND {IS_STALE}
FROM annotation_campaign c
LEFT JOIN annotation_campaignmembership m ON m.campaign_id = c.id AND m.person_id = %(person)s
CROSS JOIN LATERAL (SELECT array(
    SELECT own.position FROM annotation_assignment own
    WHERE own.campaign_id = c.id AND own.annotator_id = %(person)s AND own.state = 1) AS positions) held
WHERE c.id = ANY(%(campaigns)s)
"""  # noqa: S608 (an expression of this program)


@dataclass(frozen=True)
class OwnProgress:
    """Items `done` and `left` (None: not told), and the person's seconds for one item (None: not known).

    `is_more`: more than `left` are left. `due` is in `currency`, None where the campaign pays nothing. `today` counts
    the answers of this day, of which there are to be `goal`, if the person chose one.
    """

    done: int
    left: int | None
    is_more: bool
    pace: float | None
    due: Decimal | None
    currency: str
    today: int
    goal: int | None

    @property
    def total(self) -> int | None:
        return None if self.left is None or self.is_more else self.done + self.left

    @property
    def hours(self) -> float | None:
        """The time that the rest takes at their pace."""
        return None if self.left is None or self.is_more or self.pace is None else self.left * self.pace / 3600

    @property
    def is_reached(self) -> bool:
        """Whether today's goal is."""
        return self.goal is not None and self.today >= self.goal


def own_progress(campaign: int, person: Any) -> OwnProgress:
    row = fetch_one(PROGRESS, _asked([campaign], person))
    if row is not None and row[-1]:
        sum_stale([campaign], person.pk)
        row = fetch_one(PROGRESS, _asked([campaign], person))
    assert row is not None
    return _read(row[1:])


def progress_at_hand(context: AnnotatorContext) -> OwnProgress:
    """The person's progress as the engine knows it after an act; the items left are not counted."""
    return _progress(
        context.done,
        None,
        False,
        context.recent_seconds,
        _due(context.pay, context.paid_seconds, context.answered or 0, context.rejected),
        context.pay.get("currency", ""),
        context.today,
        context.goal,
    )


def is_to_be_counted(progress: OwnProgress, known: str) -> bool:
    """Whether the items left are counted anew, where the page knows of `known` ones."""
    is_few = known.isascii() and known.isdigit() and len(known) < 9 and int(known) <= FEW
    return is_few or progress.done % EVERY == 0


def own_progress_of_all(campaigns: Iterable[int], person: Any) -> dict[int, OwnProgress]:
    """The person's progress in each of these campaigns, by its key; one statement."""
    asked = _asked(campaigns, person)
    if not asked["campaigns"]:
        return {}
    with connection.cursor() as cursor:
        rows = cursor.execute(PROGRESS, asked).fetchall()
        if any(row[-1] for row in rows):
            sum_stale(asked["campaigns"], person.pk)
            rows = cursor.execute(PROGRESS, asked).fetchall()
    return {row[0]: _read(row[1:]) for row in rows}


def _asked(campaigns: Iterable[int], person: Any) -> dict[str, Any]:
    return {
        "campaigns": list(campaigns),
        "person": person.pk,
        "topics": [topic_key(topic) for topic in person.topics],
        "most": MOST + 1,
    }


def _read(row: Sequence[Any]) -> OwnProgress:
    done, today, goal, rejected, pay, quota, free, recent, paid_seconds, answered, _is_stale = row
    left, pay = _left(free, quota, done), _json(pay)
    is_more, money = left is not None and left > MOST, _due(pay, paid_seconds, answered, rejected)
    return _progress(
        done, MOST if is_more else left, is_more, recent or [], money, pay.get("currency", ""), today, goal
    )


def _progress(done: int, left: int | None, is_more: bool, recent: Sequence[float], *more: Any) -> OwnProgress:
    return OwnProgress(done, left, is_more, median(recent) if len(recent) >= ENOUGH else None, *more)


def _due(pay: dict[str, Any], paid_seconds: float, answered: int, rejected: int) -> Decimal | None:
    return due(pay, paid_seconds, answered, rejected).total if pay.get("item") or pay.get("hour") else None


def _left(free: int | None, quota: Any, done: int) -> int | None:
    """The rest of the free items, or of the quota where that is less."""
    quota = _json(quota)
    if quota is None:
        return free
    rest = max(0, int(quota) - done)
    return rest if free is None else min(free, rest)


def _json(value: Any) -> Any:
    """A JSON column as Python has it: Django's connections hand it out as text."""
    return orjson.loads(value) if isinstance(value, str) else value


def as_data(progress: OwnProgress | None) -> SafeString:
    """The numbers of `js/annotation/progress.js` as data attributes; what is not told has none."""
    told = {} if progress is None else as_numbers(progress)
    return SafeString("".join(f' data-{name}="{number}"' for name, number in told.items()))


def as_numbers(progress: OwnProgress) -> dict[str, str]:
    """The same by name; what is not told stands there in no way."""
    numbers: dict[str, Any] = {"done": progress.done, "today": progress.today, "left": progress.left}
    numbers |= {"more": 1 if progress.is_more else None, "due": progress.due}
    numbers |= {"pace": None if progress.pace is None else f"{progress.pace:.1f}"}
    return {name: str(number) for name, number in numbers.items() if number is not None}
