"""Keep the draft of an annotator's change of an answer."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from annotation.engine.drafts import keep_draft, newer_draft
from annotation.models import Answer
from annotation.review import places_for_change
from annotation.task_types import TASK_TYPES
from foundation.errors import UserError

MINE = "SELECT %(assignment)s::bigint AS id"


@transaction.atomic
def save_change(
    *,
    answer: Answer,
    person: Any,
    version: int,
    form: Mapping[str, str],
    seen: int | None = None,
    writer: str = "",
    seconds: float | None = None,
) -> int:
    """Save the fields of `form` as this version of the draft; all as for a draft of an item."""
    campaign, item = answer.campaign, answer.item.content
    kind = TASK_TYPES[campaign.task_type]
    stored = kind.restored(kind.partial(form, item, campaign.settings), answer.order)
    mine = {"assignment": answer.assignment_id, "person": person.pk}
    values = {**mine, "version": version, "seen": seen, "writer": writer, "seconds": seconds}
    saved = keep_draft(MINE, values, stored) if places_for_change(answer, person).exists() else None
    if saved is not None:
        return saved
    newer = newer_draft(kind, answer.assignment_id, person.pk, answer.order)
    raise newer or UserError("You can no longer change this answer.")
