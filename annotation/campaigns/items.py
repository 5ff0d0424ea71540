"""A campaign's items and assignments, built from its study's material and stored in bulk."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import orjson
from django.db import connection
from django.db.models import Count, Max, Q

from annotation.campaigns.materials import MATERIALS
from annotation.campaigns.suggested_marks import with_suggestions
from annotation.independence import Authors, authors_in
from annotation.models import Assignment, Campaign, Item
from annotation.task_types import TASK_TYPES
from annotation.task_types.spans import Spans
from corpora.database import array_text, copy_rows, count_again
from corpora.models import System

ASSIGNMENT_FIELDS = ["campaign", "item", "number", "position", "pilot", "state", "order", "barred", "topic"]
ABOUT = ("sentence", "group", "document", "question")  # what an item may be about
NOTHING = (None,) * len(ABOUT)
BATCH = 2_000  # items whose contents are held at once
KEYS = {"sentences": "sentence", "groups": "group", "documents": "document", "questions": "question"}


class NewItem(NamedTuple):
    """An item to be stored. `about` are the keys of its subjects, in the order of `ABOUT`."""

    content: dict[str, Any]
    about: Sequence[int | None]
    topic: str = ""
    parent: int | None = None
    part: int = 0
    people: Sequence[int] = ()


class PlacedItem(NamedTuple):
    """The parts of a stored item that its assignments repeat; `barred` are its people and its authors."""

    pk: int
    number: int
    content: dict[str, Any]
    barred: Sequence[int] = ()
    topic: str = ""


def build_items(campaign: Campaign, systems: Sequence[System], *, most: int | None = None, **chosen: Any) -> int:
    """Build and store the items of a campaign from its study's texts; how many. They count in its size.

    `chosen` (`only`, `extras`) goes to the material; only that of sentences takes it. A campaign that has items gets
    further ones about at most `most` further texts (None: all).
    """
    kind = TASK_TYPES[campaign.task_type]
    if kind.works_on == "stage":
        return 0
    built = kind.build(MATERIALS[kind.works_on](campaign, systems, **chosen), campaign.settings, campaign.seed)
    if isinstance(kind, Spans):
        built = with_suggestions(campaign, kind, built)
    if campaign.size:
        built = _further(built, set(campaign.items.values_list(KEYS[kind.works_on], flat=True)), most)
    place = ABOUT.index(KEYS[kind.works_on])
    items = (
        NewItem(material.content, (*NOTHING[:place], material.key, *NOTHING[place + 1 :]), material.topic)
        for material in built
    )
    authors, first = authors_in(campaign, None), _grow(campaign, 0) + 1
    count = 0
    while batch := list(islice(items, BATCH)):
        _store(campaign, first + count, batch, authors, counted=False)
        count += len(batch)
    if count:
        _grow(campaign, count)
        count_again(Item, Assignment)
    return count


def _further(built: Iterable[Any], there: set[int | None], most: int | None) -> Iterator[Any]:
    """The items about texts that are not there yet, about at most `most` such texts."""
    new: set[int] = set()
    for item in built:
        if item.key in there or (item.key not in new and len(new) == most):
            continue
        new.add(item.key)
        yield item


def add_assignments(campaign: Campaign, more: int) -> int:
    """Add `more` free assignments of each item that is worked at, at the place of its others in the order; how many."""
    kind, state = TASK_TYPES[campaign.task_type], Assignment.State
    own = Assignment.objects.filter(campaign=campaign, pilot=False, position__gt=0).values("item")
    found = own.annotate(
        number=Max("number"), position=Max("position"), reported=Count("pk", filter=Q(state=state.HELD)),
        dropped=Count("pk", filter=Q(state=state.DROPPED)), topic=Max("topic"),
    )  # fmt: skip
    stand = {row["item"]: row for row in found if not row["dropped"]}
    items = Item.objects.filter(campaign=campaign, withdrawn=False, pk__in=stand).order_by("number").iterator(BATCH)
    count = 0
    while batch := list(islice(items, BATCH)):  # read first: nothing else goes over a connection that copies
        rows = [
            (campaign.pk, item.pk, number, stand[item.pk]["position"], False,
             (state.HELD if stand[item.pk]["reported"] else state.FREE).value,
             array_text(kind.order(item.content, item.number, number)),
             array_text(dict.fromkeys([*item.people, *item.authors])), stand[item.pk]["topic"])
            for item in batch
            for number in range(stand[item.pk]["number"] + 1, stand[item.pk]["number"] + more + 1)
        ]  # fmt: skip
        copy_rows(Assignment, ASSIGNMENT_FIELDS, rows)
        count += len(rows)
    return count


def store_items(campaign: Campaign, items: Sequence[NewItem]) -> list[int]:
    """Store `items` behind those that are there, with their free assignments; their keys in order.

    The row of the campaign is locked by it, so that two who add to a campaign number one after the other.
    """
    if not items:
        return []
    first = _grow(campaign, len(items)) - len(items) + 1
    return _store(campaign, first, items, authors_in(campaign, _same(items)))


COPY = """
INSERT INTO annotation_item (campaign_id, number, sentence_id, group_id, document_id, question_id, topic, authors,
                             people, content)
SELECT %(to)s, i.number, i.sentence_id, i.group_id, i.document_id, i.question_id, i.topic, '{}', '{}', i.content
FROM annotation_item i
WHERE i.campaign_id = %(of)s AND NOT i.control AND NOT i.withdrawn
  AND NOT EXISTS (SELECT 1 FROM annotation_item o WHERE o.campaign_id = %(to)s AND o.number = i.number)
RETURNING id
"""


def copy_items(campaign: Campaign, of: Campaign) -> int:
    """Give the campaign the items of another that it lacks, by the same numbers; how many.

    They have no `parent`: nothing is handed on by a copy. Control items, and those whose ground is gone, stay behind.
    """
    with connection.cursor() as cursor:
        keys = [pk for (pk,) in cursor.execute(COPY, {"to": campaign.pk, "of": of.pk}).fetchall()]
    for start in range(0, len(keys), BATCH):
        items = Item.objects.filter(pk__in=keys[start : start + BATCH]).order_by("number")
        placed = [PlacedItem(item.pk, item.number, item.content, topic=item.topic) for item in items]
        store_assignments(campaign, placed, pilot=False)
    _grow(campaign, len(keys))
    return len(keys)


def _grow(campaign: Campaign, count: int) -> int:
    """The campaign's size with `count` items more, its row locked."""
    with connection.cursor() as cursor:
        size = "UPDATE annotation_campaign SET size = size + %s WHERE id = %s RETURNING size"
        campaign.size = cursor.execute(size, [count, campaign.pk]).fetchone()[0]
    return campaign.size


def _store(
    campaign: Campaign, first: int, items: Sequence[NewItem], authors: Authors, *, counted: bool = True
) -> list[int]:
    """Write the items, numbered from `first`, and their assignments; the keys."""
    wrote, keys = [authors(item.content) for item in items], _new_keys(len(items))
    fields = ["id", "campaign", "number", *ABOUT, "topic", "parent", "part", "people", "authors", "content"]
    numbered = list(zip(keys, range(first, first + len(items)), items, wrote, strict=True))
    rows = (
        (pk, campaign.pk, number, *item.about, item.topic, item.parent, item.part, array_text(item.people),
         array_text(theirs), _json(item.content))
        for pk, number, item, theirs in numbered
    )  # fmt: skip
    copy_rows(Item, fields, rows, counted=counted)
    if (
        campaign.purpose == Campaign.Purpose.WORK
    ):  # elsewhere everybody does every item, in assignments made on the spot
        placed = (
            PlacedItem(pk, number, item.content, (*item.people, *theirs), item.topic)
            for pk, number, item, theirs in numbered
        )
        store_assignments(campaign, placed, pilot=False, counted=counted)
    return keys


def _new_keys(count: int) -> list[int]:
    """Rising keys for `count` items, which nobody else gets."""
    drawn = "SELECT nextval(pg_get_serial_sequence('annotation_item', 'id')) FROM generate_series(1, %s)"
    with connection.cursor() as cursor:
        return [pk for (pk,) in cursor.execute(drawn, [count]).fetchall()]


def store_assignments(campaign: Campaign, items: Iterable[PlacedItem], *, pilot: bool, counted: bool = True) -> None:
    """`overlap` free assignments for each item, each with the order in which it presents."""
    copy_rows(Assignment, ASSIGNMENT_FIELDS, _assignments(campaign, items, pilot), counted=counted)


def topic_key(topic: str) -> str:
    """A topic as it is compared."""
    return topic.strip().casefold()[:100]


def _assignments(campaign: Campaign, items: Iterable[PlacedItem], pilot: bool) -> Iterator[tuple[Any, ...]]:
    order, free, campaign_pk = TASK_TYPES[campaign.task_type].order, Assignment.State.FREE.value, campaign.pk
    assignments = range(1, campaign.overlap + 1)
    for pk, number, content, people, topic in items:
        barred, known = array_text(dict.fromkeys(people)), topic_key(topic)
        for assignment in assignments:
            yield (
                campaign_pk,
                pk,
                assignment,
                number,
                pilot,
                free,
                array_text(order(content, number, assignment)),
                barred,
                known,
            )


def _same(items: Sequence[NewItem]) -> dict[str, list[int]] | None:
    """The subjects of items of a later stage: each hands on what was written for its own source."""
    if any(item.parent is None for item in items):
        return None
    return {name: [key for item in items if (key := item.about[index]) is not None] for index, name in enumerate(ABOUT)}


def _json(content: dict[str, Any]) -> str:
    return orjson.dumps(content).decode()
