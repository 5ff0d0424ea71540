"""The style that an item goes to, as the work page names it."""

from collections.abc import Mapping
from typing import Any

from annotation.models import Item
from annotation.task_types import TaskType
from corpora.models import Direction


def target_style(
    kind: TaskType, settings: Mapping[str, Any], target: str | None, descriptions: Mapping[str, str]
) -> dict[str, Any] | None:
    """`name` and `description` ("" where none) of the style, and whether texts in it are to be `written`.

    None where it is not known, or where the kind of work must not name it.
    """
    if not target or not kind.names_target(settings):
        return None
    return {"name": target, "description": descriptions.get(target, ""), "written": kind.writes_target}


def target_of(item: Item) -> str | None:
    """The style that the item goes to, as the queue says it of an item in somebody's hands."""
    if item.sentence_id:
        return Direction.objects.filter(sentences=item.sentence_id).values_list("target_style", flat=True).first()
    own = Direction.objects.filter(study=item.campaign.study_id)
    chosen = list((own.filter(pk=item.campaign.direction_id) if item.campaign.direction_id else own)[:2])
    return chosen[0].target_style if len(chosen) == 1 else None
