"""Keep what an annotator has typed so far."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction

from annotation.engine.drafts import NewerDraft, keep_draft, newer_draft
from annotation.engine.leases import lease_kept
from annotation.models import Slot
from annotation.task_types import TASK_TYPES
from foundation.errors import UserError

__all__ = ["NewerDraft", "save_draft"]

# Typing keeps a lease alive. A slot that was freed, and that nobody took yet, still takes the draft.
MINE = """
UPDATE annotation_slot s
SET lease_expires_at = CASE WHEN s.state = 1 THEN now() + make_interval(mins => %(minutes)s) END
WHERE s.id = %(slot)s AND s.lease = %(lease)s AND (s.state = 1 AND s.annotator_id = %(person)s OR s.state = 0)
RETURNING s.id
"""


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
    seen: int | None = None,
    writer: str = "",
) -> int:
    """Save what the fields of `form` hold as this version of the draft and return the version.

    `seen` is the newest version that the page knows of, and `writer` its name for itself. NewerDraft where this or a
    later version is there, or one newer than `seen` by another writer; UserError where the item is somebody else's.
    """
    found = _slot(study, campaign, slot)
    task_type = TASK_TYPES[found.campaign.task_type]
    kept = task_type.restored(task_type.partial(form, found.item.content, found.campaign.settings), found.order)
    values = {
        "slot": slot,
        "lease": lease_kept(lease, person.pk, found.campaign_id, slot),
        "person": person.pk,
        "version": version,
        "minutes": found.campaign.lease_minutes,
        "seen": seen,
        "writer": writer,
    }
    saved = keep_draft(MINE, values, kept)
    if saved is None:
        raise _why(found, person, values["lease"])
    return saved


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
    gone = UserError("This item is not yours any more; reload the page.", where="slot")
    if lease is None or slot.lease != lease or slot.state not in {Slot.State.LEASED, Slot.State.FREE}:
        return gone
    return newer_draft(TASK_TYPES[slot.campaign.task_type], slot.pk, person.pk, slot.order) or gone
