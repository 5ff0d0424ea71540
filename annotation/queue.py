"""The queue of a campaign: who gets which slot next, and why somebody gets none.

A free slot is taken with FOR UPDATE SKIP LOCKED, so annotators never wait for each other. `position` lets each go on
from where they are: what lies behind was taken long ago and costs nobody a look.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

import orjson
from django.db import connection

from accounts.prepared import fetch_one
from annotation.desk import Desk
from annotation.leases import new_lease
from annotation.models import Campaign

# The person's own lease, renewed (even one of the pilot that was taken while it ended); else the next free slot of an
# item that they have neither a slot nor an answer of.
TAKE = """
WITH own AS (
    UPDATE annotation_slot SET lease_expires_at = now() + make_interval(mins => %(minutes)s)
    WHERE campaign_id = %(campaign)s AND annotator_id = %(person)s AND state = 1
    RETURNING id, item_id, lease, lease_expires_at, "order"
), next AS (
    SELECT s.id, s.position FROM annotation_slot s
    WHERE s.campaign_id = %(campaign)s AND s.pilot = %(pilot)s AND s.state = 0 AND s.position > %(position)s
      AND NOT EXISTS (SELECT 1 FROM own)
      AND NOT EXISTS (SELECT 1 FROM annotation_answer a
                      WHERE a.item_id = s.item_id AND a.person_id = %(person)s AND a.pilot = %(pilot)s)
      AND NOT EXISTS (SELECT 1 FROM annotation_slot o
                      WHERE o.item_id = s.item_id AND o.pilot = %(pilot)s AND o.annotator_id = %(person)s)
    ORDER BY s.position, s.number LIMIT 1 FOR UPDATE OF s SKIP LOCKED
), taken AS (
    UPDATE annotation_slot s SET state = 1, annotator_id = %(person)s, lease = %(lease)s, leased_at = now(),
           lease_expires_at = now() + make_interval(mins => %(minutes)s)
    FROM next WHERE s.id = next.id
    RETURNING s.id, s.item_id, s.lease, s.lease_expires_at, s."order"
), moved AS (
    UPDATE annotation_seat SET position = next.position FROM next WHERE annotation_seat.id = %(seat)s
)
SELECT w.id, w.lease, w.lease_expires_at, w."order", i.id, i.number, i.content, d.content, d.version
FROM (SELECT * FROM own UNION ALL SELECT * FROM taken) w
JOIN annotation_item i ON i.id = w.item_id
LEFT JOIN annotation_draft d ON d.slot_id = w.id AND d.person_id = %(person)s
"""
# A freed slot keeps its lease: while nobody else has taken it, the work done under it is still good.
FREE = """
UPDATE annotation_slot s SET annotator_id = NULL, lease_expires_at = NULL,
       state = CASE WHEN EXISTS (SELECT 1 FROM annotation_slot h
                                 WHERE h.item_id = s.item_id AND h.pilot = s.pilot AND h.state = 3) THEN 3 ELSE 0 END
WHERE s.id IN (SELECT id FROM annotation_slot WHERE state = 1 AND lease_expires_at < now()
               AND (%(campaign)s::bigint IS NULL OR campaign_id = %(campaign)s) FOR UPDATE SKIP LOCKED)
"""
LEFT = """
SELECT coalesce(bool_or(true), false), coalesce(bool_or(NOT touched AND state = 1), false),
       coalesce(bool_or(NOT touched AND state = 3), false)
FROM (SELECT s.state, s.annotator_id = %(person)s IS TRUE OR EXISTS (
          SELECT 1 FROM annotation_answer a
          WHERE a.item_id = s.item_id AND a.person_id = %(person)s AND a.pilot = %(pilot)s) AS touched
      FROM annotation_slot s
      WHERE s.campaign_id = %(campaign)s AND s.pilot = %(pilot)s AND s.state IN (0, 1, 3)) AS unfinished
"""


class Reason(StrEnum):
    """Why there is no item for somebody."""

    FINISHED = "finished"
    YOURS_DONE = "yours_done"
    LEASED = "leased"
    HELD = "held"
    NOT_QUALIFIED = "not_qualified"
    DRAFT = "draft"
    PAUSED = "paused"
    CLOSED = "closed"


@dataclass(slots=True)
class Work:
    """An item in somebody's hands, with the draft they have typed."""

    slot: int
    lease: UUID
    expires_at: datetime
    order: list[int]
    item: int
    number: int
    content: dict[str, Any]
    draft: dict[str, Any] | None
    draft_version: int


@dataclass(slots=True)
class Claim:
    """What a claim brought: work, or the reason why there is none."""

    desk: Desk
    work: Work | None
    reason: Reason | None = None


def next_work(desk: Desk) -> Claim:
    """The next work at this desk. Runs in the caller's transaction."""
    if desk.state not in {Campaign.State.PILOT, Campaign.State.OPEN}:
        return Claim(desk, None, Reason(desk.state))
    if not desk.is_qualified:
        return Claim(desk, None, Reason.NOT_QUALIFIED)
    work = _take(desk, desk.position)
    if work is None and desk.position:
        work = _take(desk, 0)
    if work is None and free_leases(desk.campaign):
        work = _take(desk, 0)
    return Claim(desk, work, None if work else _reason(desk))


def free_leases(campaign: int | None = None) -> int:
    """Free what was leased and has expired, in one campaign or in all; how many slots that were."""
    with connection.cursor() as cursor:
        return cursor.execute(FREE, {"campaign": campaign}).rowcount


def _take(desk: Desk, position: int) -> Work | None:
    asked = {
        "campaign": desk.campaign,
        "person": desk.person.pk,
        "pilot": desk.pilot,
        "position": position,
        "minutes": desk.lease_minutes,
        "seat": desk.seat,
        "lease": new_lease(desk.person.pk, desk.campaign),
    }
    row = fetch_one(TAKE, asked)
    if row is None:
        return None
    *slot, content, draft, version = row
    return Work(*slot, orjson.loads(content), orjson.loads(draft) if draft else None, version or 0)


def _reason(desk: Desk) -> Reason:
    asked = {"campaign": desk.campaign, "person": desk.person.pk, "pilot": desk.pilot}
    with connection.cursor() as cursor:
        unfinished, leased, held = cursor.execute(LEFT, asked).fetchone()
    if not unfinished:
        return Reason.FINISHED
    if leased:
        return Reason.LEASED
    return Reason.HELD if held else Reason.YOURS_DONE
