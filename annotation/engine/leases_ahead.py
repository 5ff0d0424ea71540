"""Items leased ahead of the one that a person works at, so that their page has the next ones before they are needed.

A lease ahead is one of theirs like any other: nobody else gets the assignment meanwhile, and an answer to it is good.
It lasts some minutes and is renewed while the page lives; where the page is left it is given back. Once it expired the
work done under it still counts as long as nobody else took the assignment, as for every lease.
"""

from dataclasses import replace

from django.db import connection

from accounts.database.prepared_statements import fetch_one
from annotation.engine.annotator_context import AnnotatorContext
from annotation.engine.assignment_queue import APART, NEXT_FREE, refusal
from annotation.engine.eligibility import topics_of
from annotation.engine.leases import TARGET_STYLE, LeasedItem, leased_item, new_lease

LONGEST_MINUTES = 10  # without a sign of the page that has them
_TAKE_AHEAD = """
WITH next AS ({free}), taken AS (
    UPDATE annotation_assignment s SET state = 1, annotator_id = %(person)s, lease = %(lease)s, leased_at = now(),
           ahead = true, lease_expires_at = now() + make_interval(mins => %(minutes)s)
    FROM next WHERE s.id = next.id
    RETURNING s.id
), moved AS (
    UPDATE annotation_campaignmembership m SET position = next.position FROM next WHERE m.id = %(membership)s
)
SELECT taken.id, next.position FROM taken, next
"""
TAKE, TAKE_APART = (_TAKE_AHEAD.format(free=NEXT_FREE.format(apart=kept, condition="true")) for kept in ("", APART))
# Those that are renewed; also whether the person holds an item that is shown, without which none is behind another.
RENEW = """
WITH held AS (
    UPDATE annotation_assignment SET lease_expires_at = now() + make_interval(mins => %(minutes)s)
    WHERE campaign_id = %(campaign)s AND annotator_id = %(person)s AND state = 1 AND ahead
    RETURNING id
)
SELECT (SELECT count(*) FROM held), EXISTS (
    SELECT 1 FROM annotation_assignment
    WHERE campaign_id = %(campaign)s AND annotator_id = %(person)s AND state = 1 AND NOT ahead)
"""
HELD = f"""
SELECT s.id, s.lease, s.lease_expires_at, s."order", i.id, i.number, {TARGET_STYLE}, i.content,
       d.content, d.version, d.seconds
FROM annotation_assignment s
JOIN annotation_item i ON i.id = s.item_id
LEFT JOIN annotation_draft d ON d.slot_id = s.id AND d.person_id = %(person)s
WHERE s.campaign_id = %(campaign)s AND s.annotator_id = %(person)s AND s.state = 1 AND s.ahead
ORDER BY s.leased_at, s.position, s.number
"""  # noqa: S608 - a constant
# They are free again, and `ahead` stays beside the lease that a free assignment keeps: nobody worked at them. The queue
# goes back to the first of them.
GIVE_BACK = """
WITH given AS (
    UPDATE annotation_assignment s SET annotator_id = NULL, lease_expires_at = NULL,
           state = CASE WHEN EXISTS (SELECT 1 FROM annotation_assignment h
                                     WHERE h.item_id = s.item_id AND h.pilot = s.pilot AND h.state = 3)
                        THEN 3 ELSE 0 END
    WHERE s.annotator_id = %(person)s AND s.state = 1 AND s.ahead
      AND (%(campaign)s::bigint IS NULL OR s.campaign_id = %(campaign)s::bigint)
      AND (%(only)s::bigint[] IS NULL OR s.id = ANY(%(only)s::bigint[]))
    RETURNING s.campaign_id, s.position
)
UPDATE annotation_campaignmembership m SET position = least(m.position, first.position - 1)
FROM (SELECT campaign_id, min(position) AS position FROM given WHERE position > 0 GROUP BY campaign_id) first
WHERE m.campaign_id = first.campaign_id AND m.person_id = %(person)s
RETURNING m.campaign_id, m.position
"""


def bound_of(context: AnnotatorContext) -> int:
    """How many items the person may have ahead here.

    0 where each item waits for the outcome of the one before it: in a training and a qualification. 0 where items check
    on the work, since the items leased ahead must not tell which they are.
    """
    return context.prefetch if context.is_work and not context.mixed and not context.control_every else 0


def lease_ahead(context: AnnotatorContext) -> list[LeasedItem]:
    """The person's items ahead, renewed and filled up to the bound, in the order in which they come next."""
    values = {
        "campaign": context.campaign,
        "person": context.person.pk,
        "minutes": min(LONGEST_MINUTES, context.lease_minutes),
    }
    bound = 0 if refusal(context) else bound_of(context)
    if not bound:
        give_back(context)
        return []
    row = fetch_one(RENEW, values)
    assert row is not None
    held, is_shown = row
    while is_shown and held < bound and _take(context, values, held + 1):
        held += 1
    with connection.cursor() as cursor:
        rows = cursor.execute(HELD, values).fetchall()
    return [leased_item(row, context.person.pk, context.campaign) for row in rows]


def give_back(context: AnnotatorContext, only: list[int] | None = None) -> None:
    """Give back the items that the person has ahead in the campaign, `only` these assignments, or all."""
    for _campaign, position in give_back_all(context.person.pk, context.campaign, only):
        context.position = position


def give_back_all(person: int, campaign: int | None = None, only: list[int] | None = None) -> list[tuple[int, int]]:
    """The same in one campaign or in all; each campaign where something was given back, and the position there now."""
    with connection.cursor() as cursor:
        values = {"person": person, "campaign": campaign, "only": only}
        return list(cursor.execute(GIVE_BACK, values).fetchall())


def _take(context: AnnotatorContext, values: dict[str, object], held: int) -> bool:
    """One more, as the person's next after the `held` ones are answered; whether there was one for them."""
    later = replace(context, done=context.done + held, today=context.today + held)
    if refusal(later):
        return False
    asked = {
        **values,
        "pilot": context.pilot,
        "position": context.position,
        "membership": context.membership,
        "lease": new_lease(context.person.pk, context.campaign),
        "topics": topics_of(context),
        "apart": context.apart,
    }
    row = fetch_one(TAKE_APART if context.apart else TAKE, asked)
    if row is not None:
        context.position = row[1]
    return row is not None
