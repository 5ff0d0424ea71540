"""The queue of a campaign: who gets which assignment next, and why somebody gets none.

A free assignment is taken with FOR UPDATE SKIP LOCKED, so annotators never wait for each other. `position` lets each go
on from their own place: the assignments behind it were taken long ago and are not looked at.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from django.db import connection

from accounts.database.prepared_statements import fetch_one
from annotation.engine.annotator_context import AnnotatorContext
from annotation.engine.attempts import begin_attempt, has_failed, score_message
from annotation.engine.control_items import take_control_item, take_lesson
from annotation.engine.eligibility import topics_of, unmet_rules
from annotation.engine.leases import TARGET_STYLE, LeasedItem, leased_item, new_lease
from annotation.models import Campaign, CampaignMembership
from foundation.translation import translatable, translate

__all__ = ["Claim", "LeasedItem", "Reason", "free_leases", "next_work", "refusal"]

# The next free assignment of an item that they have neither an assignment nor an answer of and had no hand in. The
# assignments of control items have position 0. OFFSET 0 has each free assignment looked at in its order until one fits:
# as a join, all answers of the person may be read, since PostgreSQL takes it that hardly any will fit.
NEXT_FREE = """
    SELECT s.id, s.position FROM annotation_assignment s
    WHERE s.campaign_id = %(campaign)s AND s.pilot = %(pilot)s AND s.state = 0 AND s.position > %(position)s
      AND NOT (%(person)s = ANY(s.barred))
      AND (%(topics)s::text[] IS NULL OR s.topic = '' OR s.topic = ANY(%(topics)s::text[]))
      AND NOT EXISTS (SELECT 1 FROM annotation_answer a
                      WHERE a.item_id = s.item_id AND a.person_id = %(person)s AND a.pilot = %(pilot)s OFFSET 0)
      AND NOT EXISTS (SELECT 1 FROM annotation_assignment o
                      WHERE o.item_id = s.item_id AND o.pilot = %(pilot)s AND o.annotator_id = %(person)s
                      OFFSET 0){apart}
      AND {condition}
    ORDER BY s.position, s.number LIMIT 1 FOR UPDATE OF s SKIP LOCKED
"""
# The person's own lease (even one of the pilot that was taken while it ended), renewed once a tenth of its time is
# over: a program asks right after each answer, and each renewal is written to eight indexes. Else the first that they
# have ahead; else the next free assignment. One that was ahead keeps the moment it was leased, since its item may have
# been worked at without a network: what other answers took since then is taken off (`active_seconds`).
_TAKE = """
WITH held AS (
    SELECT id, item_id, lease, lease_expires_at, "order",
           coalesce(lease_expires_at < now() + 0.9 * make_interval(mins => %(minutes)s), true) AS is_due
    FROM annotation_assignment
    WHERE campaign_id = %(campaign)s AND annotator_id = %(person)s AND state = 1 AND NOT ahead
), renewed AS (
    UPDATE annotation_assignment s SET lease_expires_at = now() + make_interval(mins => %(minutes)s)
    FROM held WHERE s.id = held.id AND held.is_due AND s.state = 1 AND s.annotator_id = %(person)s
    RETURNING s.id, s.item_id, s.lease, s.lease_expires_at, s."order"
), own AS (
    SELECT * FROM renewed UNION ALL
    SELECT id, item_id, lease, lease_expires_at, "order" FROM held WHERE NOT is_due
), reached AS (
    UPDATE annotation_assignment SET ahead = false, lease_expires_at = now() + make_interval(mins => %(minutes)s)
    WHERE NOT EXISTS (SELECT 1 FROM own) AND id = (
        SELECT id FROM annotation_assignment
        WHERE campaign_id = %(campaign)s AND annotator_id = %(person)s AND state = 1 AND ahead
        ORDER BY leased_at, position, number LIMIT 1)
      AND state = 1 AND annotator_id = %(person)s
    RETURNING id, item_id, lease, lease_expires_at, "order"
), next AS ({free}), taken AS (
    UPDATE annotation_assignment s SET state = 1, annotator_id = %(person)s, lease = %(lease)s, leased_at = now(),
           ahead = false, lease_expires_at = now() + make_interval(mins => %(minutes)s)
    FROM next WHERE s.id = next.id
    RETURNING s.id, s.item_id, s.lease, s.lease_expires_at, s."order"
), moved AS (
    UPDATE annotation_campaignmembership m SET position = next.position FROM next WHERE m.id = %(membership)s
)
SELECT w.id, w.lease, w.lease_expires_at, w."order", i.id, i.number, {target}, i.content,
       d.content, d.version, d.seconds
FROM (SELECT * FROM own UNION ALL SELECT * FROM reached UNION ALL SELECT * FROM taken) w
JOIN annotation_item i ON i.id = w.item_id
LEFT JOIN annotation_draft d ON d.slot_id = w.id AND d.person_id = %(person)s
"""
# With others in the same browser: no item either that one of them answered or was assigned.
APART = """
      AND NOT EXISTS (SELECT 1 FROM annotation_answer a
                      WHERE a.item_id = s.item_id AND a.person_id = ANY(%(apart)s::int[]) AND a.pilot = %(pilot)s
                      OFFSET 0)
      AND NOT EXISTS (SELECT 1 FROM annotation_assignment o
                      WHERE o.item_id = s.item_id AND o.pilot = %(pilot)s AND o.annotator_id = ANY(%(apart)s::int[])
                      OFFSET 0)"""
_NOTHING_HELD = "NOT EXISTS (SELECT 1 FROM own) AND NOT EXISTS (SELECT 1 FROM reached)"
TAKE, TAKE_APART = (
    _TAKE.format(free=NEXT_FREE.format(apart=kept, condition=_NOTHING_HELD), target=TARGET_STYLE)
    for kept in ("", APART)
)
# The next free assignment of a person who holds none. Nothing is moved: a second update of a row in one transaction has
# its foreign keys checked again, so the answer moves its person to its own position (`actions/submit_answer.py`).
_TAKE_NEXT = """
WITH next AS ({free}), taken AS (
    UPDATE annotation_assignment s SET state = 1, annotator_id = %(person)s, lease = %(lease)s, leased_at = now(),
           ahead = false, lease_expires_at = now() + make_interval(mins => %(minutes)s)
    FROM next WHERE s.id = next.id
    RETURNING s.id, s.item_id, s.lease, s.lease_expires_at, s."order"
)
SELECT w.id, w.lease, w.lease_expires_at, w."order", i.id, i.number, {target}, i.content,
       d.content, d.version, d.seconds
FROM taken w
JOIN annotation_item i ON i.id = w.item_id
LEFT JOIN annotation_draft d ON d.slot_id = w.id AND d.person_id = %(person)s
"""
TAKE_NEXT, TAKE_NEXT_APART = (
    _TAKE_NEXT.format(free=NEXT_FREE.format(apart=kept, condition="true"), target=TARGET_STYLE) for kept in ("", APART)
)
# A freed assignment keeps its lease: while nobody else has taken it, the work done under it is still good.
FREE_THESE = """
UPDATE annotation_assignment s SET annotator_id = NULL, lease_expires_at = NULL,
       state = CASE WHEN EXISTS (SELECT 1 FROM annotation_assignment h
                                 WHERE h.item_id = s.item_id AND h.pilot = s.pilot AND h.state = 3) THEN 3 ELSE 0 END
WHERE s.id IN (SELECT id FROM annotation_assignment WHERE state = 1 AND {which})
"""
FREE = FREE_THESE.format(
    which="lease_expires_at < now() AND (%(campaign)s::bigint IS NULL OR campaign_id = %(campaign)s)"
    " FOR UPDATE SKIP LOCKED"
)
FREE_OF = FREE_THESE.format(
    which="""annotator_id = %(person)s AND (%(study)s::bigint IS NULL OR campaign_id IN (
               SELECT id FROM annotation_campaign WHERE study_id = %(study)s)) ORDER BY id FOR UPDATE"""
)
LEFT = """
SELECT coalesce(bool_or(true), false), coalesce(bool_or(NOT touched AND state = 1), false),
       coalesce(bool_or(NOT touched AND state = 3), false)
FROM (SELECT s.state, s.annotator_id = %(person)s IS TRUE OR %(person)s = ANY(s.barred)
             OR (%(topics)s::text[] IS NOT NULL AND s.topic <> '' AND s.topic <> ALL(%(topics)s::text[])) OR EXISTS (
          SELECT 1 FROM annotation_answer a
          WHERE a.item_id = s.item_id AND a.person_id = %(person)s AND a.pilot = %(pilot)s) AS touched
      FROM annotation_assignment s
      WHERE s.campaign_id = %(campaign)s AND s.pilot = %(pilot)s AND s.state IN (0, 1, 3) AND s.position > 0)
     AS unfinished
"""
# Whether the stage before may still hand something on.
GOES_ON = "SELECT state <> 'closed' FROM annotation_campaign WHERE id = %s"


class Reason(StrEnum):
    """Why there is no item for somebody."""

    FINISHED = "finished"
    YOURS_DONE = "yours_done"
    LEASED = "leased"
    HELD = "held"
    WAITING = "waiting"
    NOT_QUALIFIED = "not_qualified"
    LEFT = "left"
    QUOTA = "quota"
    DAY_FULL = "day_full"
    PAUSED_YOU = "paused_you"
    NOT_PASSED = "not_passed"
    DRAFT = "draft"
    PAUSED = "paused"
    CLOSED = "closed"
    ARCHIVED = "archived"


NO_WAY = translatable("You came for other work, by the link of another campaign.")


@dataclass(slots=True)
class Claim:
    """The result of a claim: work, or the reason why there is none, with the sentences that explain it."""

    context: AnnotatorContext
    work: LeasedItem | None
    reason: Reason | None = None
    sentences: list[str] = field(default_factory=list)

    @property
    def item(self) -> LeasedItem:
        """The work, where there is some."""
        assert self.work is not None
        return self.work

    @property
    def number(self) -> int:
        """The number that the person sees. In a mixed order they count their own, or control items would stand out."""
        return self.context.done + 1 if self.context.mixed or self.work is None else self.work.number


def next_work(context: AnnotatorContext, *, begin: bool = False, taken: tuple[Any, ...] | None = None) -> Claim:
    """The next work here; `begin`: a further try at a qualification may begin. In the caller's transaction.

    `taken`: the row of `next_in_queue`, where it was asked already.
    """
    if taken is not None:
        return Claim(context, leased_item(taken, context.person.pk, context.campaign))
    refused = refusal(context)
    if refused:
        return refused
    if not context.is_work:
        return _next_to_learn(context, begin)
    work = take_control_item(context) if context.control_every else None
    work = work or _take(context, context.position)
    if work is None and context.position:
        work = _take(context, 0)
    if work is None and free_leases(context.campaign):
        work = _take(context, 0)
    return Claim(context, work, None if work else _reason(context))


def refusal(context: AnnotatorContext) -> Claim | None:
    """The reason why this person gets nothing here, whatever there is."""
    if context.study.archived_at is not None:
        return Claim(context, None, Reason.ARCHIVED)
    if context.state not in {Campaign.State.PILOT, Campaign.State.OPEN}:
        return Claim(context, None, Reason(context.state))
    if not context.is_qualified:
        return Claim(context, None, Reason.NOT_QUALIFIED)
    if context.open_way is None:
        return Claim(context, None, Reason.NOT_QUALIFIED, [translate(NO_WAY)])
    if not context.open_way:
        return Claim(context, None, Reason.LEFT)
    if context.membership_state == CampaignMembership.State.PAUSED:
        return Claim(context, None, Reason.PAUSED_YOU, [context.membership_reason] if context.membership_reason else [])
    if not context.eligibility:
        return None
    unmet = unmet_rules(context)
    if not unmet:
        return None
    only = {"quota": Reason.QUOTA, "per_day": Reason.DAY_FULL}.get(next(iter(unmet))) if len(unmet) == 1 else None
    return Claim(context, None, only or Reason.NOT_QUALIFIED, list(unmet.values()))


def _next_to_learn(context: AnnotatorContext, begin: bool) -> Claim:
    """Training and qualification: everybody does every item, in assignments made on the spot."""
    work = take_lesson(context)
    if work is None and begin and begin_attempt(context):
        work = take_lesson(context)
    if work:
        return Claim(context, work)
    return Claim(context, None, Reason.NOT_PASSED if has_failed(context) else Reason.YOURS_DONE, score_message(context))


def free_leases(campaign: int | None = None) -> int:
    """Free the assignments whose lease has expired, in one campaign or in all; how many."""
    with connection.cursor() as cursor:
        return int(cursor.execute(FREE, {"campaign": campaign}).rowcount)


def free_leases_of(person: int, study: int | None = None) -> int:
    """Free the person's leased assignments, in one study or in all; how many."""
    with connection.cursor() as cursor:
        return int(cursor.execute(FREE_OF, {"person": person, "study": study}).rowcount)


def next_in_queue(context: AnnotatorContext) -> tuple[str, dict[str, Any]] | None:
    """The statement and values that ask for the person's next item, by the lease of the one that they hand in.

    None where the queue alone does not decide what comes next.
    """
    if not context.is_work or context.control_every or context.eligibility or context.prefetch or refusal(context):
        return None
    statement = TAKE_NEXT_APART if context.apart else TAKE_NEXT
    return statement, _asked(context, max(context.position, context.assignment_position or 0))


def _take(context: AnnotatorContext, position: int) -> LeasedItem | None:
    row = fetch_one(TAKE_APART if context.apart else TAKE, _asked(context, position))
    return leased_item(row, context.person.pk, context.campaign) if row else None


def _asked(context: AnnotatorContext, position: int) -> dict[str, Any]:
    asked = {
        "campaign": context.campaign,
        "person": context.person.pk,
        "pilot": context.pilot,
        "position": position,
        "minutes": context.lease_minutes,
        "membership": context.membership,
        "lease": new_lease(context.person.pk, context.campaign),
        "topics": topics_of(context),
    }
    return {**asked, "apart": context.apart} if context.apart else asked


def _reason(context: AnnotatorContext) -> Reason:
    asked = {
        "campaign": context.campaign,
        "person": context.person.pk,
        "pilot": context.pilot,
        "topics": topics_of(context),
    }
    with connection.cursor() as cursor:
        unfinished, leased, on_hold = cursor.execute(LEFT, asked).fetchone()
        if not unfinished:
            goes_on = context.after is not None and cursor.execute(GOES_ON, [context.after]).fetchone()[0]
            return Reason.WAITING if goes_on else Reason.FINISHED
    if leased:
        return Reason.LEASED
    return Reason.HELD if on_hold else Reason.YOURS_DONE
