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
EXISTING_ITEMS = """
SELECT i.id, p.item_id, i.parent_id, p.person_id, i.part, i.content, i.people, i.withdrawn
FROM annotation_item i JOIN annotation_answer p ON p.id = i.parent_id
WHERE i.campaign_id = %(campaign)s AND (%(item)s::bigint IS NULL OR p.item_id = %(item)s)
ORDER BY i.id
"""
LOCK_ASSIGNMENTS = """
SELECT count(*) FILTER (WHERE state IN (2, 3) OR NOT ahead AND (state = 1 OR lease IS NOT NULL))
FROM (SELECT state, lease, ahead FROM annotation_slot WHERE item_id = ANY(%s) ORDER BY id FOR UPDATE) AS locked
"""
WITHDRAW = """
WITH told AS (UPDATE annotation_item SET withdrawn = true WHERE id = ANY(%(items)s))
UPDATE annotation_slot SET state = 4, annotator_id = CASE WHEN state = 1 THEN NULL ELSE annotator_id END, lease = NULL,
       lease_expires_at = NULL
WHERE item_id = ANY(%(items)s)
"""
FOLLOWING_ITEMS = """
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


class ExistingItem(NamedTuple):
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
        present = _existing_items(follower, item)
        wanted = list(wanted_by(kind, campaign, rows, outcomes, follower))
        store_items(follower, _differences(wanted, present, strict))


def bring_in(follower: Campaign) -> int:
    """Everything that stands in the stage before becomes items of this one; how many there are new."""
    before = follower.after
    assert before is not None, "only a campaign after another one has something to bring in"
    kind, new_items = TASK_TYPES[before.task_type], []
    Campaign.objects.select_for_update(no_key=True).get(pk=follower.pk)
    known: dict[int, list[ExistingItem]] = {}
    for item in _existing_items(follower) if follower.size else ():
        known.setdefault(item.item, []).append(item)
    for rows in given_by_item(before):
        outcomes = list(outcomes_of(kind, before, rows))
        wanted = list(wanted_by(kind, before, rows, outcomes, follower))
        new_items += _differences(wanted, known.get(rows[0].item, []), strict=False)
    store_items(follower, new_items)
    return len(new_items)


def bring_in_missed() -> int:
    """What was handed in in the moment in which its follower was made, so that nobody passed it on; how many items."""
    fresh = Campaign.objects.filter(after__isnull=False, made_at__gt=timezone.now() - SETTLING)
    brought_in = 0
    for follower in fresh.filter(state__in=[Campaign.State.PILOT, Campaign.State.OPEN]).select_related("after"):
        with transaction.atomic():
            brought_in += bring_in(follower)
    return brought_in


def _keep_settled(item: int, outcomes: Sequence[Outcome]) -> None:
    settled = None
    if outcomes:
        outcome = outcomes[0]
        summary = {
            "verdict": outcome.verdict,
            "products": outcome.products,
            "answer": outcome.by.answer,
            "people": outcome.people,
        }
        settled = orjson.dumps(summary).decode()
    with connection.cursor() as cursor:
        cursor.execute(SETTLE, [settled, item, settled])


def _existing_items(follower: Campaign, item: int | None = None) -> list[ExistingItem]:
    with connection.cursor() as cursor:
        rows = cursor.execute(EXISTING_ITEMS, {"campaign": follower.pk, "item": item}).fetchall()
    return [
        ExistingItem._make((*fields, orjson.loads(content), people, withdrawn))
        for *fields, content, people, withdrawn in rows
    ]


def _differences(wanted: Sequence[NewItem], present: Sequence[ExistingItem], strict: bool) -> list[NewItem]:
    """Withdraw and bring back what is there, as far as `wanted` asks for it; the items that have to be made."""
    left, missing = list(present), []
    highest = {item.parent: item.part for item in sorted(present, key=attrgetter("part"))}
    for new in wanted:
        reusable = next((item for item in _alike(new, left) if _bar(item, new.people)), None)
        if reusable is None:
            missing.append(new)
            continue
        left.remove(reusable)
        if reusable.parent != new.parent:
            _move(reusable, new, highest)
        if reusable.withdrawn:
            _bring_back(reusable.pk)
    withdraw([item.pk for item in left if not item.withdrawn], strict=strict)
    return [new_item._replace(part=_next_part(new_item.parent, highest)) for new_item in missing]


def _alike(new: NewItem, present: Sequence[ExistingItem]) -> list[ExistingItem]:
    """Those that could go on as `new`: of the same answer first, and of these what was not withdrawn."""
    same = [item for item in present if item.content == new.content and item.person in new.people]
    return sorted(same, key=lambda item: (item.parent != new.parent, item.withdrawn))


def _bar(item: ExistingItem, people: Sequence[int]) -> bool:
    """Let the item be by `people`; False where one of them works or worked on it, so that it has to be done anew."""
    if item.people == list(people):
        return True
    newly = list(set(people) - set(item.people))
    with connection.cursor() as cursor:
        if cursor.execute(HOLDS, [item.pk, newly]).fetchone()[0]:
            return False
        cursor.execute(BAR, {"item": item.pk, "people": list(people)})
    return True


def _next_part(parent: int | None, highest: dict[int, int]) -> int:
    assert parent is not None
    highest[parent] = highest.get(parent, -1) + 1
    return highest[parent]


def _move(item: ExistingItem, new: NewItem, highest: dict[int, int]) -> None:
    """A revision that made the same: its item goes on, and names the revision."""
    with connection.cursor() as cursor:
        cursor.execute(MOVE, [new.parent, _next_part(new.parent, highest), item.pk])


def withdraw(items: Sequence[int], *, strict: bool = False) -> None:
    """Take items out, and all that came of them. Where `strict`, a UserError if somebody works or worked on them."""
    while items:
        keys = list(items)
        with connection.cursor() as cursor:
            touched = cursor.execute(LOCK_ASSIGNMENTS, [keys]).fetchone()[0]
            if strict and touched:
                raise UserError(WORKED_ON)
            cursor.execute(WITHDRAW, {"items": keys})
            items = [pk for (pk,) in cursor.execute(FOLLOWING_ITEMS, [keys]).fetchall()]


def _bring_back(item: int) -> None:
    """As it was: done where somebody filled an assignment, else free; and what had come of it likewise."""
    with connection.cursor() as cursor:
        cursor.execute(BRING_BACK, {"item": item})
    pass_on(item)
