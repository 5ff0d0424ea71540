"""Pass an item by: somebody else gets it, and a reviewer sees the skip. The draft stays: the skip can be taken back."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import orjson
from django.db import connection, transaction

from annotation.actions.submit_answer import check_lease
from annotation.engine.active_seconds import SEEN, clean_seconds
from annotation.engine.annotator_context import AnnotatorContext, annotator_context
from annotation.engine.assignment_queue import Claim, next_work
from annotation.engine.deadlocks import retry_on_deadlock
from annotation.engine.drafts import is_begun
from annotation.engine.running_sums import add_act
from annotation.models import Answer, Assignment, Draft
from foundation.errors import UserError
from foundation.options import Option


def plain(comment: str) -> str:
    """A typed comment, without the characters that no database or page should hold. One too long is not cut."""
    return "".join(char for char in comment if char in "\n\t" or char.isprintable()).strip()


COMMENT = Option("comment", "", "What a reviewer should know of it.", characters=2000, clean=plain)
# While the item is held because of a report, an assignment that is given up is held too.
WRITE = f"""
WITH freed AS (
    UPDATE annotation_assignment s SET annotator_id = NULL, lease = NULL, lease_expires_at = NULL, ahead = false,
           state = CASE WHEN EXISTS (SELECT 1 FROM annotation_assignment h
                                     WHERE h.item_id = s.item_id AND h.pilot = s.pilot AND h.state = 3)
                        THEN 3 ELSE %(state)s END
    WHERE s.id = %(assignment)s AND s.lease = %(lease)s
      AND (s.state = 1 AND s.annotator_id = %(person)s OR s.state = 0)
      AND NOT EXISTS (SELECT 1 FROM annotation_answer WHERE key = %(key)s)
    RETURNING s.id
)
INSERT INTO annotation_answer (campaign_id, item_id, slot_id, person_id, pilot, "order", revision, outcome, late,
                               content, guideline_version, seconds, key, submitted_at)
SELECT s.campaign_id, s.item_id, s.id, %(person)s, s.pilot, s."order",
       1 + coalesce((SELECT max(a.revision) FROM annotation_answer a
                     WHERE a.item_id = s.item_id AND a.person_id = %(person)s AND a.pilot = s.pilot), 0),
       %(outcome)s, false, %(content)s::jsonb, %(guideline)s, {SEEN}, %(key)s, now()
FROM freed JOIN annotation_assignment s ON s.id = freed.id
ON CONFLICT (key) DO NOTHING
RETURNING id
"""  # noqa: S608 (an expression of this program)


@retry_on_deadlock
@transaction.atomic
def skip_item(
    *,
    study: Any,
    campaign: str,
    person: Any,
    assignment: int,
    lease: UUID,
    key: UUID,
    comment: str = "",
    seconds: float | None = None,
    form: Mapping[str, str] | None = None,
) -> Claim:
    """Skip the item and take the next one. Where the lease was lost there is nothing to skip.

    The fields of `form` are kept as the draft, for the case that the skip is taken back.
    """
    said = COMMENT.check(comment)
    context = annotator_context(study=study, campaign=campaign, person=person, assignment=assignment, key=key)
    if context.twin is None:
        stored_lease = check_lease(context, lease)
        refuse_lessons(context)
        keep_typed(context, form)
        hand_back(context, stored_lease, key, Answer.Outcome.SKIPPED, {"comment": said}, seconds)
    return next_work(context)


def hand_back(
    context: AnnotatorContext, lease: UUID, key: UUID, outcome: str, content: dict[str, Any], seconds: float | None
) -> int | None:
    """Give the assignment up and record why; the answer's key, or None where the lease was lost."""
    values = {
        "state": Assignment.State.HELD if outcome == Answer.Outcome.REPORTED else Assignment.State.FREE,
        "person": context.person.pk,
        "assignment": context.assignment,
        "lease": lease,
        "key": key,
        "outcome": outcome,
        "content": orjson.dumps(content).decode(),
        "guideline": context.guideline_version,
        "seconds": clean_seconds(seconds),
    }
    with connection.cursor() as cursor:
        row = cursor.execute(WRITE, values).fetchone()
    if row is None:
        return None
    add_act(context.membership, row[0], is_answer=False)
    return int(row[0])


def keep_typed(context: AnnotatorContext, form: Mapping[str, str] | None) -> None:
    """Let the draft hold the last typed text; nothing where the item was left untouched."""
    if form is None:
        return
    kind, own = context.task_type, Draft.objects.filter(assignment=context.assignment, person=context.person)
    typed = kind.restored(kind.partial(form, context.content, context.settings), context.order or [])
    if not is_begun(kind, typed, context.content, context.settings, context.order or []):
        own.delete()
        return
    version = 1 + (context.draft_version or 0)
    assert context.assignment is not None, "its lease was checked"
    Draft.objects.update_or_create(
        assignment_id=context.assignment, person=context.person, defaults={"content": typed, "version": version}
    )


def refuse_lessons(context: AnnotatorContext) -> None:
    """Refuse to pass by an item of a training or a qualification: the score is that of all its items."""
    if not context.is_work:
        raise UserError("You cannot skip items of this campaign.")
