"""Change an answer that was handed in: the new one is a further revision, and the earlier ones stay."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from annotation.actions.submit_answer import AlreadySubmitted, follow_up, note_written, read_answer, refuse_newer
from annotation.engine.active_seconds import seen_seconds
from annotation.engine.annotator_context import AnnotatorContext, annotator_context
from annotation.engine.deadlocks import retry_on_deadlock
from annotation.engine.running_sums import add_act
from annotation.models import Answer, Assignment, Campaign, Draft
from annotation.review import places_for_change
from foundation.errors import UserError


@retry_on_deadlock
@transaction.atomic
def revise_answer(
    *,
    answer: Answer,
    person: Any,
    key: UUID,
    form: Mapping[str, str] | None = None,
    content: Mapping[str, Any] | None = None,
    seconds: float | None = None,
    revision: int | None = None,
    seen: int | None = None,
    writer: str = "",
    replaces: Collection[UUID] = (),
) -> Answer:
    """Append a revision of `answer` by its own author; the same key again gives the same revision.

    AlreadySubmitted if it was changed since `revision`, the one that the page showed, and says something else, unless a
    key of `replaces`, one of this page's own, changed it; NewerDraft as for a submission. UserError if somebody
    works or worked on an item that a later stage made of it.
    """
    campaign = answer.campaign
    # The membership first and then the assignment, as a submission locks them.
    context = annotator_context(
        study=campaign.study, campaign=campaign.slug, person=person, assignment=answer.assignment_id, key=key
    )
    if context.twin is not None:
        return _again(context, read_answer(context, form, content, answer.order))
    assignment = _assignment(answer, person)
    if campaign.state == Campaign.State.CLOSED:
        raise UserError("The campaign is closed; you cannot change its answers.")
    if not context.is_work:
        raise UserError("You cannot change answers of a training or a qualification.")
    mine = Answer.objects.filter(item=answer.item_id, person=person, pilot=answer.pilot)
    newest, said = mine.latest("revision"), read_answer(context, form, content, answer.order)
    if revision is not None and newest.revision > revision and newest.key not in replaces:
        if newest.content == said:
            return newest
        raise AlreadySubmitted(newest)
    refuse_newer(context, said, seen, writer)
    _fill(assignment, person)
    revised = Answer.objects.create(
        campaign=campaign,
        item_id=answer.item_id,
        assignment=assignment,
        person=person,
        pilot=answer.pilot,
        order=answer.order,
        revision=newest.revision + 1,
        content=said,
        guideline_version=context.guideline_shown(form),
        seconds=seen_seconds(seconds, assignment=assignment.pk, person=person.pk),
        key=key,
        submitted_at=timezone.now(),
    )
    add_act(context.membership, revised.pk, is_answer=True)
    Draft.objects.filter(assignment=answer.assignment_id, person=person).delete()
    note_written(context, revised.content)
    follow_up(context, strict=True)
    return revised


def _assignment(answer: Answer, person: Any) -> Assignment:
    """The assignment that the answer fills, locked, so that no reviewer frees it and nobody takes it meanwhile."""
    assignment = places_for_change(answer, person).select_for_update(of=("self",)).first()
    if assignment is None:
        raise UserError(
            "You can no longer change this answer: a reviewer has decided on it, or somebody else has the item now."
        )
    return assignment


def _fill(assignment: Assignment, person: Any) -> None:
    """Fill the assignment again, where a rejection had freed it."""
    if assignment.annotator_id != person.pk:
        assignment.state, assignment.annotator = Assignment.State.DONE, person
        assignment.lease = assignment.lease_expires_at = None
        assignment.save(update_fields=["state", "annotator", "lease", "lease_expires_at"])


def _again(context: AnnotatorContext, said: dict[str, Any]) -> Answer:
    assert context.twin is not None
    answer = Answer.objects.get(pk=context.twin)
    if answer.person_id != context.person.pk or answer.item_id != context.item:
        raise UserError("This key was used for another answer; make a new one.", where="key")
    if answer.content != said:
        raise AlreadySubmitted(answer)
    return answer
