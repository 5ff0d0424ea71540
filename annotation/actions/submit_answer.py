"""Submit an answer and take the next item, in one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

import orjson
from django.db import transaction

from accounts.database.prepared_statements import fetch_and_commit, fetch_one
from annotation.engine.active_seconds import SEEN, clean_seconds
from annotation.engine.annotator_context import AnnotatorContext, annotator_context
from annotation.engine.assignment_queue import Claim, next_in_queue, next_work
from annotation.engine.attempts import score_attempt
from annotation.engine.deadlocks import retry_on_deadlock
from annotation.engine.drafts import newer_draft
from annotation.engine.leases import lease_kept
from annotation.engine.reopened_items import reopen
from annotation.engine.running_sums import ADDED, BEFORE
from annotation.engine.training_feedback import feedback_of
from annotation.independence import bar_writer
from annotation.models import Answer, Campaign
from annotation.stages import pass_on
from foundation.errors import UserError

MOST_LATE = 10  # answers of a person to an assignment that was closed or passed on: each is shown to a reviewer
# The lease is checked by the statement that writes, after it has proved that it was given for this very assignment. One
# that expired is still good while nobody else took the assignment. An answer that comes too late, or once the campaign
# was closed, is written all the same, and fills no assignment. A key that was used writes nothing.
WRITE = f"""
WITH held AS (
    UPDATE annotation_assignment s SET state = 2, annotator_id = %(person)s, lease_expires_at = NULL, ahead = false
    WHERE s.id = %(assignment)s AND s.lease = %(lease)s AND NOT %(closed)s
      AND NOT EXISTS (SELECT 1 FROM annotation_answer WHERE key = %(key)s)
      AND (s.state = 1 AND s.annotator_id = %(person)s
           OR s.state = 0 AND NOT EXISTS (SELECT 1 FROM annotation_assignment o WHERE o.item_id = s.item_id
                                          AND o.pilot = s.pilot AND o.annotator_id = ANY(%(people)s::int[])))
    RETURNING s.id
), cleared AS (
    DELETE FROM annotation_draft WHERE slot_id = %(assignment)s AND person_id = %(person)s
), assigned AS (
    SELECT s.*, before.* FROM annotation_assignment s, LATERAL ({BEFORE}) before WHERE s.id = %(assignment)s
), written AS (
    INSERT INTO annotation_answer (campaign_id, item_id, slot_id, person_id, pilot, "order", revision, outcome, late,
                                   content, guideline_version, seconds, key, submitted_at)
    SELECT s.campaign_id, s.item_id, s.id, %(person)s, s.pilot, s."order", s.revision + 1, 'answered',
           NOT EXISTS (SELECT 1 FROM held), %(content)s::jsonb, %(guideline)s, {SEEN}, %(key)s, now()
    FROM assigned s
    ON CONFLICT (key) DO NOTHING
    RETURNING id, revision, late, seconds
), counted AS (
    UPDATE annotation_campaignmembership m SET
           position = greatest(m.position, %(position)s),
           done = m.done + (NOT written.late)::int, summed_done = m.summed_done + (NOT written.late)::int,
           day = CASE WHEN written.late THEN m.day ELSE current_date END,
           today = CASE WHEN written.late THEN m.today WHEN m.day = current_date THEN m.today + 1 ELSE 1 END,
           {ADDED}
    FROM written, assigned before
    WHERE m.id = %(membership)s
    RETURNING m.recent_seconds, m.paid_seconds, m.answered
)
SELECT written.id, written.revision, written.late, counted.recent_seconds, counted.paid_seconds, counted.answered
FROM written, counted
"""  # noqa: S608 (an expression of this program)


@dataclass(slots=True)
class Submission:
    """The acknowledgement of an answer, and the claim that came with it.

    `feedback` after an item of a training, as `feedback_of` makes it.
    """

    answer: int
    revision: int
    late: bool
    next: Claim
    feedback: dict[str, Any] | None = None


class AlreadySubmitted(UserError):
    """The person already submitted another answer to this item: `answer` stands, and a refusal says so."""

    def __init__(self, answer: Answer, *, final: bool = False) -> None:
        self.answer = answer
        super().__init__(
            "You cannot change answers of a training or a qualification."
            if final
            else "You already submitted a different answer. Change that answer, or leave it as it is."
        )


@retry_on_deadlock
@transaction.atomic
def submit_answer(
    *,
    study: Any,
    campaign: str,
    person: Any,
    assignment: int,
    lease: UUID,
    key: UUID,
    form: Mapping[str, str] | None = None,
    content: Mapping[str, Any] | None = None,
    seconds: float | None = None,
    seen: int | None = None,
    writer: str = "",
) -> Submission:
    """Store the answer that `form` (or `content`, its JSON form) holds. An acknowledged answer is stored.

    The same answer again, by the same `key` or another, gives the same acknowledgement; a different one raises
    AlreadySubmitted. NewerDraft if another page than `writer` saved a different draft, newer than the version `seen`.
    A skipped or reported item is taken back. A UserError names the field that does not fit.
    """
    context = annotator_context(study=study, campaign=campaign, person=person, assignment=assignment, key=key)
    first = _first(context, key) if context.twin is not None else None
    if first is not None and first.outcome == Answer.Outcome.ANSWERED:
        return _again(context, first, read_answer(context, form, content, first.order))
    stored_lease = check_lease(context, lease)
    answer = read_answer(context, form, content, (first or context).order or [])
    if first is not None:
        stored_lease, key = _taken_back(context, first, stored_lease, key)
    elif context.is_handed_in and context.state != Campaign.State.CLOSED:
        return _again(context, _newest(context), answer)
    else:
        refuse_newer(context, answer, seen, writer)
    row, taken, is_stored = _write(context, stored_lease, key, answer, seconds, context.guideline_shown(form))
    if row is None:
        return _again(context, _first(context, key), answer)
    *row, context.recent_seconds, context.paid_seconds, context.answered = row
    late = row[-1]
    note_written(context, answer)
    if late and not is_stored:
        _refuse_without_end(context)
    elif not late:
        context.done += 1
        context.today += 1
        follow_up(context, strict=False)
    if is_stored and taken is None:  # what else there may be is looked for in a transaction of its own
        context = annotator_context(study=study, campaign=campaign, person=person)
    fields: list[Any] = [*row, next_work(context, taken=taken), feedback_of(context, answer)]
    return Submission(*fields)


def _refuse_without_end(context: AnnotatorContext) -> None:
    """Raise a UserError, which undoes the writing, where a person hands in the same item late again and again."""
    there = Answer.objects.filter(assignment=context.assignment, person=context.person, late=True)
    if there.count() > MOST_LATE:
        raise UserError("You submitted this item late {most} times; it accepts no more answers.", most=MOST_LATE)


def follow_up(context: AnnotatorContext, *, strict: bool) -> None:
    """Pass an answer on, or score the attempt. `strict`: it is a revision, refused where somebody built on it."""
    if context.hands_on:
        pass_on(context.item or 0, strict=strict)
    elif not context.is_work:
        score_attempt(context)


def note_written(context: AnnotatorContext, answer: Mapping[str, Any]) -> None:
    """Keep the writer of a text from judging it, in whatever campaign it stands."""
    if context.item and _writes_for_judges(context):
        bar_writer(
            context.item, context.person.pk, context.task_type.wrote(dict(answer), context.content, context.settings)
        )


def _writes_for_judges(context: AnnotatorContext) -> bool:
    return context.judged and context.is_work and context.task_type.writes()


def check_lease(context: AnnotatorContext, lease: UUID) -> UUID:
    """The lease as the database keeps it; a UserError where it never gave the person this assignment."""
    stored_lease = (
        None
        if context.assignment is None
        else lease_kept(lease, context.person.pk, context.campaign, context.assignment)
    )
    if stored_lease is None:
        raise UserError("This item is not assigned to you; reload the page.")
    return stored_lease


def read_answer(
    context: AnnotatorContext, form: Mapping[str, str] | None, content: Mapping[str, Any] | None, order: Sequence[int]
) -> dict[str, Any]:
    """The answer that was given to the item presented in `order`, as it is stored."""
    kind = context.task_type
    if form is not None:
        return kind.restored(kind.parse(form, context.content, context.settings), order)
    return kind.restored(kind.check(content or {}, context.content, context.settings), order)


def _write(
    context: AnnotatorContext, lease: UUID, key: UUID, answer: dict[str, Any], seconds: float | None, guideline: int
) -> tuple[Any, Any, bool]:
    """The row of the answer; also of the next item, where that does not depend on what follows from the answer; and
    whether both are stored for good.

    They are where the person holds the assignment: nothing that comes after could refuse the answer. (One whose lease
    runs out in this very moment is a late one, and is not counted with those that are refused.)
    """
    values = {
        "person": context.person.pk,
        "people": [context.person.pk, *context.apart],
        "assignment": context.assignment,
        "membership": context.membership,
        "position": context.assignment_position or 0,
        "lease": lease,
        "key": key,
        "closed": context.state == Campaign.State.CLOSED,
        "content": orjson.dumps(answer).decode(),
        "guideline": guideline,
        "seconds": clean_seconds(seconds),
    }
    is_apart = lease != context.held_lease or context.hands_on or _writes_for_judges(context)
    asks_next = None if is_apart else next_in_queue(context)
    if asks_next is None:
        return fetch_one(WRITE, values), None, False
    (row, taken), is_stored = fetch_and_commit((WRITE, values), asks_next)
    return row, taken, is_stored


def _first(context: AnnotatorContext, key: UUID) -> Answer:
    """The answer that was written by this key."""
    first = Answer.objects.filter(
        key=key, person=context.person, assignment=context.assignment, campaign_id=context.campaign
    ).first()
    if first is None:
        raise UserError("This key was used for another answer; make a new one.", where="key")
    return first


def _newest(context: AnnotatorContext) -> Answer:
    """The person's answer that fills the assignment."""
    mine = Answer.objects.filter(
        item=context.item, person=context.person, pilot=bool(context.assignment_pilot), late=False
    )
    return mine.filter(outcome=Answer.Outcome.ANSWERED).latest("revision")


def _again(context: AnnotatorContext, first: Answer, answer: dict[str, Any]) -> Submission:
    """The acknowledgement of an answer that is there; AlreadySubmitted where another answer stands in its place."""
    newest = first if first.late or not context.is_handed_in else _newest(context)
    if answer not in (first.content, newest.content):
        raise AlreadySubmitted(newest, final=not context.is_work)
    return Submission(first.pk, first.revision, first.late, next_work(context), feedback_of(context, first.content))


def _taken_back(context: AnnotatorContext, passed: Answer, lease: UUID, key: UUID) -> tuple[UUID, UUID]:
    """The lease and the key by which to hand in an item that was passed by or reported from the same page.

    Where it cannot be taken back any more, the answer is a late one, under a key made of the used one.
    """
    try:
        assignment, opened = reopen(context, passed)
    except UserError:
        return lease, uuid5(key, "answered")
    context.assignment = assignment
    return opened, key


def refuse_newer(context: AnnotatorContext, answer: dict[str, Any], seen: int | None, writer: str) -> None:
    """NewerDraft where another page saved a draft that this one has not seen."""
    if seen is None or (context.draft_version or 0) <= seen or (writer and context.draft_writer == writer):
        return
    newer = newer_draft(context.task_type, context.assignment or 0, context.person.pk, context.order or [])
    if newer is not None and newer.stored != answer:
        raise newer
