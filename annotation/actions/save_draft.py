"""Keep the draft of an annotator."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction

from annotation.engine.drafts import NewerDraft, keep_draft, newer_draft
from annotation.engine.leases import lease_kept
from annotation.models import Assignment
from annotation.task_types import TASK_TYPES
from foundation.errors import UserError

__all__ = ["NewerDraft", "save_draft"]

# Typing keeps a lease alive. An assignment that was freed, and that nobody took yet, still takes the draft.
MINE = """
UPDATE annotation_assignment s
SET lease_expires_at = CASE WHEN s.state = 1 THEN now() + make_interval(mins => %(minutes)s) END
WHERE s.id = %(assignment)s AND s.lease = %(lease)s AND (s.state = 1 AND s.annotator_id = %(person)s OR s.state = 0)
RETURNING s.id
"""


@transaction.atomic
def save_draft(
    *,
    study: Any,
    campaign: str,
    person: Any,
    assignment: int,
    lease: UUID,
    version: int,
    form: Mapping[str, str],
    seen: int | None = None,
    writer: str = "",
    seconds: float | None = None,
) -> int:
    """Save the fields of `form` as this version of the draft and return the version.

    `seen` is the newest version that the page knows of, `writer` its name for itself, `seconds` the active ones so far.
    NewerDraft where this or a later version exists, or another writer's version newer than `seen`; UserError where the
    item is somebody else's.
    """
    assignment_object = _assignment(study, campaign, assignment)
    task_type = TASK_TYPES[assignment_object.campaign.task_type]
    stored = task_type.restored(
        task_type.partial(form, assignment_object.item.content, assignment_object.campaign.settings),
        assignment_object.order,
    )
    values = {
        "assignment": assignment,
        "lease": lease_kept(lease, person.pk, assignment_object.campaign_id, assignment),
        "person": person.pk,
        "version": version,
        "minutes": assignment_object.campaign.lease_minutes,
        "seen": seen,
        "writer": writer,
        "seconds": seconds,
    }
    saved = keep_draft(MINE, values, stored)
    if saved is None:
        raise _why(assignment_object, person, values["lease"])
    return saved


def _assignment(study: Any, campaign: str, assignment: int) -> Assignment:
    assignments = Assignment.objects.select_related("campaign", "item").filter(
        pk=assignment, campaign__study=study, campaign__slug=campaign
    )
    try:
        return assignments.get()
    except Assignment.DoesNotExist:
        raise UserError("There is no such item in this campaign.", where="slot") from None


def _why(assignment: Assignment, person: Any, lease: UUID | None) -> UserError:
    """Why the statement wrote nothing."""
    gone = UserError("This item is no longer yours; reload the page.", where="slot")
    if (
        lease is None
        or assignment.lease != lease
        or assignment.state not in {Assignment.State.LEASED, Assignment.State.FREE}
    ):
        return gone
    return newer_draft(TASK_TYPES[assignment.campaign.task_type], assignment.pk, person.pk, assignment.order) or gone
