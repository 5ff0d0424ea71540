"""Keep what an annotator has typed so far."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import orjson
from django.db import connection, transaction

from annotation.engine.leases import lease_kept
from annotation.models import Draft, Slot
from annotation.task_types import TASK_TYPES
from foundation.errors import UserError

# Typing keeps a lease alive. A slot that was freed, and that nobody took yet, still takes the draft.
SAVE = """
WITH mine AS (
    UPDATE annotation_slot s
    SET lease_expires_at = CASE WHEN s.state = 1 THEN now() + make_interval(mins => %(minutes)s) END
    WHERE s.id = %(slot)s AND s.lease = %(lease)s AND (s.state = 1 AND s.annotator_id = %(person)s OR s.state = 0)
    RETURNING s.id
)
INSERT INTO annotation_draft (slot_id, person_id, version, content, saved_at)
SELECT id, %(person)s, %(version)s, %(content)s::jsonb, now() FROM mine
ON CONFLICT (slot_id, person_id) DO UPDATE
SET version = excluded.version, content = excluded.content, saved_at = excluded.saved_at
WHERE annotation_draft.version < excluded.version
RETURNING version
"""
NEWEST = 2**31 - 1


class NewerDraft(UserError):
    """Another tab or machine saved a newer draft: `version` and `content` are that one's."""

    def __init__(self, version: int, content: dict[str, Any]) -> None:
        self.version = version
        self.content = content
        super().__init__("A newer draft of this item was saved somewhere else.")


@transaction.atomic
def save_draft(
    *,
    study: Any,
    campaign: str,
    person: Any,
    slot: int,
    lease: UUID,
    version: int,
    form: Mapping[str, str],
) -> int:
    """Save what the fields of `form` hold as this version of the draft and return the version.

    NewerDraft where this or a later version is there; UserError where the item is somebody else's by now.
    """
    if not 0 < version <= NEWEST:
        raise UserError("A version counts from 1.", where="version")
    found = _slot(study, campaign, slot)
    task_type = TASK_TYPES[found.campaign.task_type]
    kept = task_type.restored(task_type.partial(form, found.item.content, found.campaign.settings), found.order)
    held = lease_kept(lease, person.pk, found.campaign_id, slot)
    values = {
        "slot": slot,
        "lease": held,
        "person": person.pk,
        "version": version,
        "minutes": found.campaign.lease_minutes,
        "content": orjson.dumps(kept).decode(),
    }
    with connection.cursor() as cursor:
        row = cursor.execute(SAVE, values).fetchone()
    if row:
        return row[0]
    raise _why(found, person, held)


def _slot(study: Any, campaign: str, slot: int) -> Slot:
    found = Slot.objects.select_related("campaign", "item").filter(
        pk=slot, campaign__study=study, campaign__slug=campaign
    )
    try:
        return found.get()
    except Slot.DoesNotExist:
        raise UserError("There is no such item in this campaign.", where="slot") from None


def _why(slot: Slot, person: Any, lease: UUID | None) -> UserError:
    """Why the statement wrote nothing."""
    newer = Draft.objects.filter(slot=slot, person=person, slot__lease=lease).first() if lease else None
    if newer:
        return NewerDraft(newer.version, TASK_TYPES[slot.campaign.task_type].arranged(newer.content, slot.order))
    return UserError("This item is not yours any more; reload the page.", where="slot")
