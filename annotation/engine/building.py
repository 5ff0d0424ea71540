"""A campaign's items and slots, built from what its study has and stored in bulk."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import orjson
from django.db import connection

from annotation.engine.authors import authors_of
from annotation.engine.materials import MATERIALS
from annotation.models import Campaign, Item, Slot
from annotation.task_types import TASK_TYPES
from corpora.bulk import copy_rows
from corpora.models import System

SLOT_FIELDS = ["campaign", "item", "number", "position", "pilot", "state", "order", "barred", "topic"]
ABOUT = ("sentence", "group", "document", "question")  # what an item may be about
KEYS = {"sentences": "sentence", "groups": "group", "documents": "document", "questions": "question"}


class NewItem(NamedTuple):
    """An item to be stored. `about` are the keys of what it is about, in the order of `ABOUT`."""

    content: dict[str, Any]
    about: Sequence[int | None]
    topic: str = ""
    parent: int | None = None
    part: int = 0
    people: Sequence[int] = ()


class PlacedItem(NamedTuple):
    """What the slots of a stored item repeat of it; `barred` are its people and its authors."""

    pk: int
    number: int
    content: dict[str, Any]
    barred: Sequence[int] = ()
    topic: str = ""


def build_items(campaign: Campaign, systems: Sequence[System], **chosen: Any) -> int:
    """Build and store the items of a campaign from its study's texts; how many. Its size is theirs then.

    What is `chosen` of them (`only`, `extras`) goes to the material, which sentences alone take.
    """
    kind = TASK_TYPES[campaign.task_type]
    if kind.works_on == "stage":
        return 0
    place = ABOUT.index(KEYS[kind.works_on])
    material = MATERIALS[kind.works_on](campaign, systems, **chosen)
    items = [
        NewItem(one.content, [one.key if place == at else None for at in range(len(ABOUT))], one.topic)
        for one in kind.build(material, campaign.settings, campaign.seed)
    ]
    store_items(campaign, items)
    if items:
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE annotation_item, annotation_slot")
    return len(items)


def store_items(campaign: Campaign, items: Sequence[NewItem]) -> list[int]:
    """Store `items` behind those that are there, with their free slots; their keys in order.

    The row of the campaign is locked by it, so that two who add to a campaign number one after the other.
    """
    if not items:
        return []
    with connection.cursor() as cursor:
        size = "UPDATE annotation_campaign SET size = size + %s WHERE id = %s RETURNING size"
        campaign.size = cursor.execute(size, [len(items), campaign.pk]).fetchone()[0]
    first = campaign.size - len(items) + 1
    fields = ["campaign", "number", *ABOUT, "topic", "parent", "part", "people", "authors", "content"]
    authors = authors_of(campaign, [one.content for one in items], _same(items))
    rows = (
        (campaign.pk, number, *one.about, one.topic, one.parent, one.part, list(one.people), wrote, _json(one.content))
        for number, (one, wrote) in enumerate(zip(items, authors, strict=True), first)
    )
    copy_rows(Item, fields, rows)
    there = Item.objects.filter(campaign=campaign, number__gte=first, number__lte=campaign.size)
    keys = list(there.order_by("number").values_list("pk", flat=True))
    if campaign.purpose == Campaign.Purpose.WORK:  # elsewhere everybody does every item, in slots made on the spot
        numbered = zip(keys, enumerate(items, first), authors, strict=True)
        placed = (
            PlacedItem(pk, number, one.content, [*one.people, *wrote], one.topic)
            for pk, (number, one), wrote in numbered
        )
        store_slots(campaign, placed, pilot=False)
    return keys


def store_slots(campaign: Campaign, items: Iterable[PlacedItem], *, pilot: bool) -> None:
    """`overlap` free slots for each item, each with the order in which it presents."""
    copy_rows(Slot, SLOT_FIELDS, _slots(campaign, items, pilot))


def topic_key(topic: str) -> str:
    """A topic as it is compared."""
    return topic.strip().casefold()[:100]


def _slots(campaign: Campaign, items: Iterable[PlacedItem], pilot: bool) -> Iterator[tuple[Any, ...]]:
    order, free = TASK_TYPES[campaign.task_type].order, Slot.State.FREE.value
    for pk, number, content, people, topic in items:
        barred, known = list(dict.fromkeys(people)), topic_key(topic)
        for slot in range(1, campaign.overlap + 1):
            yield campaign.pk, pk, slot, number, pilot, free, order(content, number, slot), barred, known


def _same(items: Sequence[NewItem]) -> dict[str, list[int]] | None:
    """What items of a later stage are about: each hands on what was written for its own source."""
    if any(one.parent is None for one in items):
        return None
    return {name: [key for one in items if (key := one.about[at]) is not None] for at, name in enumerate(ABOUT)}


def _json(content: dict[str, Any]) -> str:
    return orjson.dumps(content).decode()
