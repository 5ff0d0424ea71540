"""A campaign's items and slots, built from the texts of its study and stored in bulk."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import orjson
from django.db import connection

from annotation.models import Campaign, Item, Slot
from annotation.task_types import TASK_TYPES, Material
from corpora.bulk import copy_rows
from corpora.material import outputs_of, sources_of
from corpora.models import System

SLOT_FIELDS = ["campaign", "item", "number", "position", "pilot", "state", "order"]


def material_of(campaign: Campaign, systems: Sequence[System]) -> Iterator[Material]:
    """What the study has for each source, the outputs in the order of `systems`."""
    sources = sources_of(campaign.study, campaign.direction)
    outputs = [outputs_of(system) for system in systems]
    for pk, text, references in zip(sources.ids, sources.texts, sources.references, strict=True):
        yield Material(pk, text, references, [of_system.get(pk, "") for of_system in outputs])


def store_items(campaign: Campaign, systems: Sequence[System]) -> int:
    """Build and store the items with their free slots; how many items."""
    task_type = TASK_TYPES[campaign.task_type]
    built = list(task_type.build(material_of(campaign, systems), campaign.settings, campaign.seed))
    rows = ((campaign.pk, number, one.key, orjson.dumps(one.content).decode()) for number, one in enumerate(built, 1))
    copy_rows(Item, ["campaign", "number", "sentence", "content"], rows)
    keys = Item.objects.filter(campaign=campaign).order_by("number").values_list("pk", flat=True)
    contents = ((pk, number, one.content) for number, (pk, one) in enumerate(zip(keys, built, strict=True), 1))
    store_slots(campaign, contents, pilot=False)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE annotation_item, annotation_slot")
    return len(built)


def store_slots(campaign: Campaign, items: Iterable[tuple[int, int, dict[str, Any]]], *, pilot: bool) -> None:
    """`overlap` free slots for each (item's key, number, content), each with the order in which it presents."""
    order = TASK_TYPES[campaign.task_type].order
    rows = (
        (campaign.pk, pk, slot, number, pilot, Slot.State.FREE.value, order(content, number, slot))
        for pk, number, content in items
        for slot in range(1, campaign.overlap + 1)
    )
    copy_rows(Slot, SLOT_FIELDS, rows)
