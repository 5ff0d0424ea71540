"""Stages: what a campaign made becomes the items of the campaigns after it, in the transaction that made it.

An item says of itself what should follow from it (`wanted_by`), and that is held against what is there: missing items
are made, items whose ground is gone are withdrawn, withdrawn ones whose ground is back come back. So it can be asked
again at any time and changes nothing. Followers are locked while that is done, in one order, so two answers to one
item cannot miss each other.
"""

from collections.abc import Sequence
from datetime import timedelta
from operator import attrgetter
from typing import Any, NamedTuple

import orjson
from django.db import connection, transaction
from django.utils import timezone

from annotation.campaigns.items import NewItem, store_items
from annotation.models import Campaign
from annotation.stages.item_outcomes import Outcome, given_by_item, given_to, outcomes_of, wanted_by
from annotation.task_types import TASK_TYPES
from foundation.errors import UserError

SETTLING = timedelta(hours=1)
WORKED_ON = "Somebody works on what came of this answer in a later stage, so it can no longer be changed."

LOCK_ITEM = "SELECT campaign_id FROM annotation_item WHERE id = %s FOR NO KEY UPDATE"
LOCK_FOLLOWERS = """
SELECT id, state <> 'draft' OR size > 0 FROM annotation_campaign WHERE after_id = %s ORDER BY id FOR NO KEY UPDATE
"""
SETTLE = "UPDATE annotation_item SET settled = %s::jsonb WHERE id = %s AND settled IS DISTINCT FROM %s::jsonb"
THERE = """
SELECT i.id, p.item_id, i.parent_id, p.person_id, i.part, i.content, i.people, i.withdrawn
FROM annotation_item i JOIN annotation_answer p ON p.id = i.parent_id
WHERE i.campaign_id = %(campaign)s AND (%(item)s::bigint IS NULL OR p.item_id = %(item)s)
ORDER BY i.id
"""
LOCK_ASSIGNMENTS = """
SELECT count(*) FILTER (WHERE state IN (1, 2, 3) OR lease IS NOT NULL)
FROM (SELECT state, lease FROM annotation_slot WHERE item_id = ANY(%s) ORDER BY id FOR UPDATE) AS locked
"""
WITHDRAW = """
WITH told AS (UPDATE annotation_item SET withdrawn = true WHERE id = ANY(%(items)s))
UPDATE annotation_slot SET state = 4, annotator_id = CASE WHEN state = 1 THEN NULL ELSE annotator_id END, lease = NULL,
       lease_expires_at = NULL
WHERE item_id = ANY(%(items)s)
"""
MADE_OF = """
SELECT i.id FROM annotation_item i JOIN annotation_answer p ON p.id = i.parent_id
WHERE p.item_id = ANY(%s) AND NOT i.withdrawn
"""
BRING_BACK = """
WITH told AS (UPDATE annotation_item SET withdrawn = false WHERE id = %(item)s)
UPDATE annotation_slot SET state = CASE WHEN annotator_id IS NULL THEN 0 ELSE 2 END
WHERE item_id = %(item)s AND state = 4
"""
# Whoever has a hand in an item now is kept from it, and so is whoever had one before. A free assignment forgets its
# last lease, which may be one of theirs.
BAR = """
WITH told AS (UPDATE annotation_item SET people = %(people)s WHERE id = %(item)s)
UPDATE annotation_slot SET barred = barred || %(people)s::integer[], lease = CASE WHEN state <> 0 THEN lease END
WHERE item_id = %(item)s
"""
HOLDS = """
SELECT EXISTS (SELECT 1 FROM (SELECT annotator_id FROM annotation_slot WHERE item_id = %s ORDER BY id FOR UPDATE) AS s
               WHERE s.annotator_id = ANY(%s))
"""
MOVE = "UPDATE annotation_item SET parent_id = %s, part = %s WHERE id = %s"


class There(NamedTuple):
    """An item that a follower has of this item already."""

    pk: int
    item: int
    parent: int
    person: int
    part: int
    content: Any
    people: list[int]
    withdrawn: bool


def pass_on(item: int, *, strict: bool = False) -> None:
    """Settle the item, and let what it made become, stay or cease to be items of the stages after it.

    Where `strict`, a UserError instead of withdrawing an item that somebody works or worked on.
    """
    with connection.cursor() as cursor:
        campaign = Campaign.objects.get(pk=cursor.execute(LOCK_ITEM, [item]).fetchone()[0])
        kind = TASK_TYPES[campaign.task_type]
        # A draft is locked too: whoever opens it meanwhile brings this in, or it is seen here as open.
        locked = [pk for pk, takes in cursor.execute(LOCK_FOLLOWERS, [campaign.pk]).fetchall() if takes]
    rows = given_to(item)
    if not rows:
        return
    outcomes = list(outcomes_of(kind, campaign, rows))
    if kind.settles == "item":
        _keep_settled(item, outcomes)
    for follower in Campaign.objects.filter(pk__in=locked).order_by("pk"):
        there = _there(follower, item)
        wanted = list(wanted_by(kind, campaign, rows, outcomes, follower))
        store_items(follower, _differences(wanted, there, strict))


def bring_in(follower: Campaign) -> int:
    """Everything that stands in the stage before becomes items of this one; how many there are new."""
    before = follower.after
    assert before is not None, "only a campaign after another one has something to bring in"
    kind, made = TASK_TYPES[before.task_type], []
    Campaign.objects.select_for_update(no_key=True).get(pk=follower.pk)
    known: dict[int, list[There]] = {}
    for one in _there(follower) if follower.size else ():
        known.setdefault(one.item, []).append(one)
    for rows in given_by_item(before):
        outcomes = list(outcomes_of(kind, before, rows))
        wanted = list(wanted_by(kind, before, rows, outcomes, follower))
        made += _differences(wanted, known.get(rows[0].item, []), strict=False)
    store_items(follower, made)
    return len(made)


def bring_in_missed() -> int:
    """What was handed in in the moment in which its follower was made, so that nobody passed it on; how many items."""
    fresh = Campaign.objects.filter(after__isnull=False, made_at__gt=timezone.now() - SETTLING)
    made = 0
    for follower in fresh.filter(state__in=[Campaign.State.PILOT, Campaign.State.OPEN]).select_related("after"):
        with transaction.atomic():
            made += bring_in(follower)
    return made


def _keep_settled(item: int, outcomes: Sequence[Outcome]) -> None:
    kept = None
    if outcomes:
        one = outcomes[0]
        told = {"verdict": one.verdict, "products": one.products, "answer": one.by.answer, "people": one.people}
        kept = orjson.dumps(told).decode()
    with connection.cursor() as cursor:
        cursor.execute(SETTLE, [kept, item, kept])


def _there(follower: Campaign, item: int | None = None) -> list[There]:
    with connection.cursor() as cursor:
        rows = cursor.execute(THERE, {"campaign": follower.pk, "item": item}).fetchall()
    return [
        There._make((*fields, orjson.loads(content), people, withdrawn)) for *fields, content, people, withdrawn in rows
    ]


def _differences(wanted: Sequence[NewItem], there: Sequence[There], strict: bool) -> list[NewItem]:
    """Withdraw and bring back what is there, as far as `wanted` asks for it; the items that have to be made."""
    left, missing = list(there), []
    highest = {one.parent: one.part for one in sorted(there, key=attrgetter("part"))}
    for new in wanted:
        found = next((one for one in _alike(new, left) if _bar(one, new.people)), None)
        if found is None:
            missing.append(new)
            continue
        left.remove(found)
        if found.parent != new.parent:
            _move(found, new, highest)
        if found.withdrawn:
            _bring_back(found.pk)
    withdraw([one.pk for one in left if not one.withdrawn], strict=strict)
    return [one._replace(part=_next_part(one.parent, highest)) for one in missing]


def _alike(new: NewItem, there: Sequence[There]) -> list[There]:
    """Those that could go on as `new`: of the same answer first, and of these what was not withdrawn."""
    same = [one for one in there if one.content == new.content and one.person in new.people]
    return sorted(same, key=lambda one: (one.parent != new.parent, one.withdrawn))


def _bar(found: There, people: Sequence[int]) -> bool:
    """Let the item be by `people`; False where one of them works or worked on it, so that it has to be done anew."""
    if found.people == list(people):
        return True
    newly = list(set(people) - set(found.people))
    with connection.cursor() as cursor:
        if cursor.execute(HOLDS, [found.pk, newly]).fetchone()[0]:
            return False
        cursor.execute(BAR, {"item": found.pk, "people": list(people)})
    return True


def _next_part(parent: int | None, highest: dict[int, int]) -> int:
    assert parent is not None
    highest[parent] = highest.get(parent, -1) + 1
    return highest[parent]


def _move(found: There, new: NewItem, highest: dict[int, int]) -> None:
    """A revision that made the same: its item goes on, and names the revision."""
    with connection.cursor() as cursor:
        cursor.execute(MOVE, [new.parent, _next_part(new.parent, highest), found.pk])


def withdraw(items: Sequence[int], *, strict: bool = False) -> None:
    """Take items out, and all that came of them. Where `strict`, a UserError if somebody works or worked on them."""
    while items:
        keys = list(items)
        with connection.cursor() as cursor:
            touched = cursor.execute(LOCK_ASSIGNMENTS, [keys]).fetchone()[0]
            if strict and touched:
                raise UserError(WORKED_ON)
            cursor.execute(WITHDRAW, {"items": keys})
            items = [pk for (pk,) in cursor.execute(MADE_OF, [keys]).fetchall()]


def _bring_back(item: int) -> None:
    """As it was: done where somebody filled an assignment, else free; and what had come of it likewise."""
    with connection.cursor() as cursor:
        cursor.execute(BRING_BACK, {"item": item})
    pass_on(item)
