"""Stages: the products of a campaign become the items of the campaigns after it, in the transaction that made them.

`wanted_by` gives the items that should follow from an item, and these are compared with the existing ones: missing
items are made, items whose ground is gone are withdrawn, withdrawn ones whose ground is back come back. So it can be
asked again at any time and changes nothing. Followers are locked while that is done, in one order, so two answers to
one item cannot miss each other.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import orjson
from django.db import connection, transaction
from django.utils import timezone
from rapidfuzz.distance import Levenshtein

from annotation.campaigns.items import ABOUT, NewItem, store_items
from annotation.effective_annotations import OF_CAMPAIGNS, OF_ITEM, effective_annotations
from annotation.models import Campaign
from annotation.task_types import TASK_TYPES, PreviousStage, Product, TaskType
from foundation.errors import UserError

GIVEN = """
SELECT i.id, i.campaign_id, i.content, i.topic, i.people, i.sentence_id, i.group_id, i.document_id, i.question_id,
       (SELECT count(*) FROM annotation_assignment s WHERE s.item_id = i.id AND NOT s.pilot AND s.state <> 4),
       judged.id, judged.person_id, judged.fixer_id, judged.content, judged.status
FROM annotation_item i {join} judged ON judged.item_id = i.id
WHERE {where} AND NOT i.control
ORDER BY i.number, judged.place, judged.id
"""
OF_ONE = effective_annotations(OF_ITEM) + GIVEN.format(join="LEFT JOIN", where="i.id = %(item)s")
OF_ALL = effective_annotations(OF_CAMPAIGNS) + GIVEN.format(join="JOIN", where="i.campaign_id = ANY(%(campaigns)s)")


class Given(NamedTuple):
    """An item of a stage with one person's newest answer to it; those fields are empty where nobody answered."""

    item: int
    campaign: int
    content: str
    topic: str
    people: list[int]
    sentence: int | None
    group: int | None
    document: int | None
    question: int | None
    places: int
    answer: int | None
    person: int | None
    fixer: int | None
    said: str | None
    status: str | None

    @property
    def hands(self) -> list[int]:
        """The people who made the answer: its author, and the reviewer who fixed it."""
        return [person_id for person_id in (self.person, self.fixer) if person_id is not None]


@dataclass
class Outcome:
    """The outcome of one answer, or of all of an item; `by` is the answer that decided, `people` did it."""

    verdict: str
    products: list[Product]
    by: Given
    people: list[int]


def given_to(item: int) -> list[Given]:
    """The answers to an item; the item alone where nobody answered."""
    with connection.cursor() as cursor:
        return [Given(*row) for row in cursor.execute(OF_ONE, {"item": item}).fetchall()]


def given_by_item(campaign: Campaign) -> Iterator[list[Given]]:
    """The answers of each item that has any, in the order of the items; read at once."""
    with connection.cursor() as cursor:
        rows = cursor.execute(OF_ALL, {"campaigns": [campaign.pk]}).fetchall()
    for _item, group in groupby(map(Given._make, rows), attrgetter("item")):
        yield list(group)


def outcomes_of(kind: TaskType, campaign: Campaign, rows: Sequence[Given]) -> Iterator[Outcome]:
    """The outcomes of the answers that stand or that a reviewer rejected; or that of the item, once all is done."""
    content = orjson.loads(rows[0].content)
    stand = [row for row in rows if row.status == "standing"]
    if kind.settles == "item":
        if stand and len(stand) >= rows[0].places:
            yield _settled(kind, campaign, content, stand)
        return
    for row in rows:
        if row.status in ("standing", "rejected"):
            verdict, products = kind.settle([orjson.loads(row.said or "{}")], content, campaign.settings)
            yield Outcome("rejected" if row.status == "rejected" else verdict, products, row, row.hands)


def _settled(kind: TaskType, campaign: Campaign, content: Any, stand: Sequence[Given]) -> Outcome:
    """The outcome of all answers of an item; the deciding answer is the first that has this outcome alone."""
    answers = [orjson.loads(row.said or "{}") for row in stand]
    verdict, products = kind.settle(answers, content, campaign.settings)
    alone = (kind.settle([answer], content, campaign.settings) for answer in answers)
    by = next((one for one, said in zip(stand, alone, strict=True) if said == (verdict, products)), stand[0])
    return Outcome(verdict, products, by, [pk for row in stand for pk in row.hands])


def wanted_by(
    kind: TaskType, campaign: Campaign, rows: Sequence[Given], outcomes: Iterable[Outcome], follower: Campaign
) -> Iterator[NewItem]:
    """The items that `follower` should have of this item."""
    item, next_kind = rows[0], TASK_TYPES[follower.task_type]
    about = [getattr(item, name) for name in ABOUT]
    content = orjson.loads(item.content)
    for outcome in _taken(outcomes, rows, follower.takes):
        people = list(dict.fromkeys([*item.people, *outcome.people]))
        answer, part = orjson.loads(outcome.by.said or "{}"), 0
        for product in outcome.products:
            before = PreviousStage(product, campaign.task_type, content, campaign.settings, answer, follower.takes)
            content_of_follower = next_kind.follow(before, follower.settings)
            if content_of_follower is not None:
                yield NewItem(content_of_follower, about, item.topic, outcome.by.answer, part, people)
                part += 1


def _taken(outcomes: Iterable[Outcome], rows: Sequence[Given], takes: str) -> Iterator[Outcome]:
    if takes != Campaign.Takes.FARTHEST:
        yield from (outcome for outcome in outcomes if outcome.verdict == takes)
        return
    accepted = [outcome for outcome in outcomes if outcome.verdict == "accepted"]
    if not accepted or sum(row.status == "standing" for row in rows) < rows[0].places:
        return
    # All who wrote for this item know its source, so nobody of them goes on with the chosen text.
    people = [pk for outcome in accepted for pk in outcome.people]
    farthest = max(accepted, key=lambda outcome: max(map(_distance, outcome.products), default=-1))
    product = max(farthest.products, key=_distance, default=None)
    if product is not None:
        yield Outcome("accepted", [product], farthest.by, people)


def _distance(product: Product) -> int:
    """The edits of characters between a text and its source; -1 where the product is no pair of texts."""
    source, text = product.get("source"), product.get("text")
    return Levenshtein.distance(source, text) if isinstance(source, str) and isinstance(text, str) else -1


SETTLING = timedelta(hours=1)
WORKED_ON = "A later stage works on the result of this answer, so you can no longer change it."

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
FROM (SELECT state, lease, ahead FROM annotation_assignment WHERE item_id = ANY(%s) ORDER BY id FOR UPDATE) AS locked
"""
WITHDRAW = """
WITH told AS (UPDATE annotation_item SET withdrawn = true WHERE id = ANY(%(items)s))
UPDATE annotation_assignment SET state = 4, annotator_id = CASE WHEN state = 1 THEN NULL ELSE annotator_id END,
       lease = NULL, lease_expires_at = NULL
WHERE item_id = ANY(%(items)s)
"""
FOLLOWING_ITEMS = """
SELECT i.id FROM annotation_item i JOIN annotation_answer p ON p.id = i.parent_id
WHERE p.item_id = ANY(%s) AND NOT i.withdrawn
"""
BRING_BACK = """
WITH told AS (UPDATE annotation_item SET withdrawn = false WHERE id = %(item)s)
UPDATE annotation_assignment SET state = CASE WHEN annotator_id IS NULL THEN 0 ELSE 2 END
WHERE item_id = %(item)s AND state = 4
"""
# People who have a hand in an item now are kept from it, and so are those who had one before. A free assignment forgets
# its last lease, which may be one of theirs.
BAR = """
WITH told AS (UPDATE annotation_item SET people = %(people)s WHERE id = %(item)s)
UPDATE annotation_assignment SET barred = barred || %(people)s::integer[], lease = CASE WHEN state <> 0 THEN lease END
WHERE item_id = %(item)s
"""
HOLDS = """
SELECT EXISTS (SELECT 1
               FROM (SELECT annotator_id FROM annotation_assignment WHERE item_id = %s ORDER BY id FOR UPDATE) AS s
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
    """Settle the item, and let its products become, stay or cease to be items of the stages after it.

    Where `strict`, a UserError instead of withdrawing an item that somebody works or worked on.
    """
    with connection.cursor() as cursor:
        campaign = Campaign.objects.get(pk=cursor.execute(LOCK_ITEM, [item]).fetchone()[0])
        kind = TASK_TYPES[campaign.task_type]
        # A campaign in draft is locked too: opening it meanwhile brings this in, or it is seen here as open.
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
    """Make items of everything that stands in the stage before; how many are new."""
    before = follower.after
    assert before is not None, "only a campaign after another one has something to take over"
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
    """Take over the work handed in at the moment when its follower was made, which nobody passed on; how many items."""
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
    """Withdraw and bring back existing items, as `wanted` asks for it; the items that have to be made."""
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
    """The items that could go on as `new`: those of the same answer first, and among these the ones not withdrawn."""
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
    """Let the item of an equal product go on, and name the new revision."""
    with connection.cursor() as cursor:
        cursor.execute(MOVE, [new.parent, _next_part(new.parent, highest), item.pk])


def withdraw(items: Sequence[int], *, strict: bool = False) -> None:
    """Take out items, and all that followed from them; where `strict`, a UserError if somebody has worked on them."""
    while items:
        keys = list(items)
        with connection.cursor() as cursor:
            touched = cursor.execute(LOCK_ASSIGNMENTS, [keys]).fetchone()[0]
            if strict and touched:
                raise UserError(WORKED_ON)
            cursor.execute(WITHDRAW, {"items": keys})
            items = [pk for (pk,) in cursor.execute(FOLLOWING_ITEMS, [keys]).fetchall()]


def _bring_back(item: int) -> None:
    """Restore the item: done where somebody filled an assignment, else free; and likewise all that followed from it."""
    with connection.cursor() as cursor:
        cursor.execute(BRING_BACK, {"item": item})
    pass_on(item)
