"""Assignments made on the spot: for control items, and for training and qualification, where everybody does every item.

They have position 0, so the queue never gives one to anybody else.
"""

from functools import partial
from typing import Any

import orjson

from accounts.database.prepared_statements import fetch_one
from annotation.blinding import keyed_digest
from annotation.engine.annotator_context import AnnotatorContext
from annotation.engine.leases import TARGET_STYLE, LeasedItem, leased_item, new_lease
from annotation.task_types import TASK_TYPES

# The person's own lease, renewed; else the item that comes next on the spot, without an assignment.
_OWN_OR_NEXT = """
WITH own AS (
    UPDATE annotation_assignment SET lease_expires_at = now() + make_interval(mins => %(minutes)s)
    WHERE campaign_id = %(campaign)s AND annotator_id = %(person)s AND state = 1 AND NOT ahead
    RETURNING id, item_id, lease, lease_expires_at, "order"
), next AS (
    SELECT i.id, i.number, {target} AS target, i.content FROM annotation_item i
    WHERE i.campaign_id = %(campaign)s AND i.expected IS NOT NULL AND NOT EXISTS (SELECT 1 FROM own) AND {which}
    LIMIT 1 {lock}
)
SELECT w.id, w.lease, w.lease_expires_at, w."order", i.id, i.number, {target}, i.content,
       d.content, d.version, d.seconds
FROM own w JOIN annotation_item i ON i.id = w.item_id
LEFT JOIN annotation_draft d ON d.slot_id = w.id AND d.person_id = %(person)s
UNION ALL SELECT NULL, NULL, NULL, NULL, id, number, target, content, NULL, NULL, NULL FROM next
"""
_LOCK = "FOR NO KEY UPDATE OF i"
# A control item of which they have no answer yet, in an order of their own. Nobody gets one while one of its
# assignments is held, nor one that somebody of their browser met: they meet no other item twice.
_NEXT_CONTROL = """
i.control AND NOT (%(person)s = ANY(i.people || i.authors))
  AND NOT EXISTS (SELECT 1 FROM annotation_answer a
                  WHERE a.item_id = i.id AND a.person_id = ANY(%(people)s::int[]) AND a.pilot = %(pilot)s)
  AND NOT EXISTS (SELECT 1 FROM annotation_assignment s WHERE s.item_id = i.id AND s.pilot = %(pilot)s
                  AND (s.state >= 3 OR s.annotator_id = ANY(%(apart)s::int[])))
ORDER BY md5(concat_ws('/', %(seed)s::text, %(person)s::text, i.number::text))
"""
# The next item of which they filled no assignment in this try.
_NEXT_LESSON = """
NOT EXISTS (SELECT 1 FROM annotation_assignment s WHERE s.item_id = i.id AND s.pilot = %(pilot)s AND s.state = 2
                  AND s.annotator_id = %(person)s)
ORDER BY i.number
"""
_WITH_TARGET = partial(_OWN_OR_NEXT.format, target=TARGET_STYLE)
CONTROL = _WITH_TARGET(which=_NEXT_CONTROL, lock=_LOCK)
LOOK_AT_CONTROL = _WITH_TARGET(which=_NEXT_CONTROL, lock="")
LESSON = _WITH_TARGET(which=_NEXT_LESSON, lock=_LOCK)
# An assignment of it that is free again, or a new one.
MAKE = """
WITH free AS (
    SELECT id FROM annotation_assignment WHERE item_id = %(item)s AND pilot = %(pilot)s AND state = 0 AND position = 0
    ORDER BY number LIMIT 1
), used AS (
    UPDATE annotation_assignment s SET state = 1, annotator_id = %(person)s, lease = %(lease)s, leased_at = now(),
           ahead = false, lease_expires_at = now() + make_interval(mins => %(minutes)s), "order" = %(order)s::smallint[]
    FROM free WHERE s.id = free.id RETURNING s.id, s.lease, s.lease_expires_at, s."order"
), made AS (
    INSERT INTO annotation_assignment (campaign_id, item_id, number, position, pilot, state, annotator_id, lease,
                                       leased_at, lease_expires_at, "order")
    SELECT %(campaign)s, %(item)s,
           1 + coalesce((SELECT max(number) FROM annotation_assignment
                         WHERE item_id = %(item)s AND pilot = %(pilot)s), 0),
           0, %(pilot)s, 1, %(person)s, %(lease)s, now(), now() + make_interval(mins => %(minutes)s),
           %(order)s::smallint[]
    WHERE NOT EXISTS (SELECT 1 FROM free)
    RETURNING id, lease, lease_expires_at, "order"
)
SELECT w.id, w.lease, w.lease_expires_at, w."order", d.content, d.version, d.seconds
FROM (SELECT * FROM used UNION ALL SELECT * FROM made) w
LEFT JOIN annotation_draft d ON d.slot_id = w.id AND d.person_id = %(person)s
"""


def control_is_due(context: AnnotatorContext) -> bool:
    """Whether this person's next item is a control item: one in each `control_every`, at a place that is drawn.

    The draw is keyed, since people who know the seed and their own key could work it out otherwise.
    """
    block, place = divmod(context.done, context.control_every)
    about = b"%d/%d/%d" % (context.seed, context.campaign, block)
    drawn = keyed_digest(b"control item", about, size=8, person=context.person.pk)
    return place == int.from_bytes(drawn) % context.control_every


def take_control_item(context: AnnotatorContext) -> LeasedItem | None:
    """The work in hand; else the next control item of this person, if one is due, in an assignment of their own.

    The database is asked the same where none is due: the time of the response must not tell which item is one.
    """
    due = control_is_due(context)
    return _take(context, CONTROL if due else LOOK_AT_CONTROL, make=due)


def take_lesson(context: AnnotatorContext) -> LeasedItem | None:
    """The work in hand; else the next item of a training or a qualification, in an assignment of their own."""
    return _take(context, LESSON)


def _take(context: AnnotatorContext, statement: str, *, make: bool = True) -> LeasedItem | None:
    asked: dict[str, Any] = {
        "campaign": context.campaign,
        "person": context.person.pk,
        "people": [context.person.pk, *context.apart],
        "apart": context.apart,
        "pilot": context.pilot,
        "minutes": context.lease_minutes,
        "seed": context.seed,
    }
    row = fetch_one(statement, asked)
    if row is None:
        return None
    if row[0] is not None:
        return leased_item(row, context.person.pk, context.campaign)
    return _assigned_item(context, asked, *row[4:8]) if make else None


def _assigned_item(
    context: AnnotatorContext, asked: dict[str, Any], item: int, number: int, target: str | None, text: str
) -> LeasedItem:
    content = orjson.loads(text)
    order = TASK_TYPES[context.task_type_name].order(content, number, 1 + context.done)
    given = {**asked, "item": item, "order": order, "lease": new_lease(context.person.pk, context.campaign)}
    new_assignment = fetch_one(MAKE, given)
    assert new_assignment is not None
    *assignment, draft, version, seconds = new_assignment
    return leased_item(
        (*assignment, item, number, target, text, draft, version, seconds), context.person.pk, context.campaign
    )
