"""Report that something is wrong with an item: nobody else gets it until a reviewer decides."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from annotation.actions.skip_item import COMMENT, hand_back, keep_typed, refuse_lessons
from annotation.actions.submit_answer import check_lease
from annotation.engine.annotator_context import annotator_context
from annotation.engine.assignment_queue import Claim, next_work
from annotation.engine.deadlocks import retry_on_deadlock
from annotation.models import Answer
from foundation.errors import UserError

KINDS = ("unreadable", "personal_data", "harmful")

# All assignments of the item in one order, as a decision locks them, so that two reports of it cannot deadlock.
LOCK = """
SELECT id FROM annotation_assignment WHERE item_id = %(item)s AND pilot = %(pilot)s ORDER BY id FOR UPDATE
"""
HOLD = """
UPDATE annotation_assignment SET state = 3 WHERE id IN (
    SELECT id FROM annotation_assignment WHERE item_id = %(item)s AND pilot = %(pilot)s AND state = 0
    ORDER BY id FOR UPDATE)
"""


@retry_on_deadlock
@transaction.atomic
def report_problem(
    *,
    study: Any,
    campaign: str,
    person: Any,
    assignment: int,
    lease: UUID,
    key: UUID,
    kind: str,
    comment: str = "",
    seconds: float | None = None,
    form: Mapping[str, str] | None = None,
) -> Claim:
    """Report the item as one of `KINDS`, hold its free assignments, and take the next one; `form` as for a skip."""
    if kind not in KINDS:
        raise UserError("Say what is wrong: unreadable, personal data or harmful.", where="kind")
    said = COMMENT.check(comment)
    context = annotator_context(study=study, campaign=campaign, person=person, assignment=assignment, key=key)
    if context.twin is None:
        stored_lease = check_lease(context, lease)
        refuse_lessons(context)
        keep_typed(context, form)
        content = {"kind": kind, "comment": said}
        item = {"item": context.item, "pilot": context.assignment_pilot}
        with connection.cursor() as cursor:
            cursor.execute(LOCK, item)
            if hand_back(context, stored_lease, key, Answer.Outcome.REPORTED, content, seconds):
                cursor.execute(HOLD, item)
    return next_work(context)
